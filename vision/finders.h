// What finds things, one file each. A build without a library has the finder all the same, which says so.
#ifndef SAFELIGHT_VISION_FINDERS_H
#define SAFELIGHT_VISION_FINDERS_H

#include <memory>
#include <string>
#include <vector>

#include "messages.h"

namespace vision {

class Finder {
 public:
  virtual ~Finder() = default;

  // Reads models. Files are read here only: later there are none to be read.
  virtual Ability load() = 0;
  // Returns what is in a frame. Throws std::exception.
  virtual std::vector<Thing> find(const Frame &frame, const Request &request) = 0;
};

// Bar codes and two-dimensional codes (zxing-cpp).
std::unique_ptr<Finder> make_code_finder();
// Faces: upright and frontal by a cascade of opencv-data, or by the user's YuNet model (OpenCV).
std::unique_ptr<Finder> make_face_finder(const std::string &model);
// Lines of text (Tesseract). `language` names trained data: `eng`, `deu+eng`.
std::unique_ptr<Finder> make_text_finder(const std::string &language);

// What a build without the library has.
class MissingFinder : public Finder {
 public:
  explicit MissingFinder(std::string library) : library_(std::move(library)) {}
  Ability load() override { return {State::no_library, library_}; }
  std::vector<Thing> find(const Frame &, const Request &) override { return {}; }

 private:
  std::string library_;
};

}  // namespace vision

#endif
