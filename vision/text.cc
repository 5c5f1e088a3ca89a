#include "finders.h"

#ifdef VISION_HAS_TESSERACT
#include <tesseract/baseapi.h>
#include <tesseract/ocrclass.h>
#include <tesseract/resultiterator.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace vision {

namespace {

class TextFinder : public Finder {
 public:
  explicit TextFinder(std::string language) : language_(std::move(language)) {}
  ~TextFinder() override { tesseract_.End(); }

  Ability load() override {
    // LSTM alone: the older engine needs data that Debian does not ship.
    if (tesseract_.Init(nullptr, language_.c_str(), tesseract::OEM_LSTM_ONLY) != 0) {
      return {State::no_file, language_};
    }
    return {State::ready, std::string("Tesseract ") + tesseract::TessBaseAPI::Version() + ", " + language_};
  }

  std::vector<Thing> find(const Frame &frame, const Request &request) override {
    if (frame.width < kLeastEdge || frame.height < kLeastEdge) return {};
    tesseract_.SetPageSegMode(request.flags & kOneLine ? tesseract::PSM_SINGLE_LINE : tesseract::PSM_AUTO);
    tesseract_.SetImage(frame.base, frame.width, frame.height, 1, frame.row_bytes);
    // Otherwise it guesses, and says so.
    tesseract_.SetSourceResolution(kResolution);
    tesseract::ETEXT_DESC monitor;
    monitor.set_deadline_msecs(static_cast<int32_t>(request.milliseconds));
    std::vector<Thing> things;
    const bool is_done = tesseract_.Recognize(&monitor) == 0;
    if (is_done) things = lines();
    tesseract_.Clear();
    tesseract_.ClearAdaptiveClassifier();
    if (!is_done) throw std::runtime_error("it took too long to read");
    return things;
  }

 private:
  static constexpr int kLeastEdge = 8;
  // Dots an inch, which size nothing but Tesseract's own limits.
  static constexpr int kResolution = 150;

  std::string language_;
  tesseract::TessBaseAPI tesseract_;

  std::vector<Thing> lines() {
    std::vector<Thing> things;
    const std::unique_ptr<tesseract::ResultIterator> iterator(tesseract_.GetIterator());
    if (!iterator) return things;
    do {
      if (iterator->Empty(tesseract::RIL_TEXTLINE)) continue;
      if (auto line = this->line(iterator.get()); line.has_text) things.push_back(std::move(line));
    } while (iterator->Next(tesseract::RIL_TEXTLINE));
    return things;
  }

  // The line that the iterator is at: its words, and what each word is worth.
  static Thing line(tesseract::ResultIterator *iterator) {
    Thing thing;
    int left, top, right, bottom;
    if (!iterator->BoundingBox(tesseract::RIL_TEXTLINE, &left, &top, &right, &bottom)) return thing;
    const auto x = [](int value) { return static_cast<float>(value); };
    thing.corners = {{x(left), x(top)}, {x(right), x(top)}, {x(right), x(bottom)}, {x(left), x(bottom)}};
    std::string worth;
    float sum = 0;
    int letters = 0;
    tesseract::ResultIterator words(*iterator);
    do {
      const std::unique_ptr<char[]> word(words.GetUTF8Text(tesseract::RIL_WORD));
      if (!word || !word[0]) continue;
      const float confidence = words.Confidence(tesseract::RIL_WORD);
      const int length = static_cast<int>(std::strlen(word.get()));
      sum += confidence * length;
      letters += length;
      if (!thing.text.empty()) thing.text += ' ';
      thing.text += word.get();
      if (!worth.empty()) worth += ' ';
      worth += std::to_string(std::lround(confidence));
    } while (!words.IsAtFinalElement(tesseract::RIL_TEXTLINE, tesseract::RIL_WORD) &&
             words.Next(tesseract::RIL_WORD));
    if (thing.text.find_first_not_of(' ') == std::string::npos) return thing;
    thing.has_text = true;
    // Long words count more.
    thing.confidence = letters > 0 ? sum / letters / 100 : 0;
    thing.details = {{"words", worth}};
    return thing;
  }
};

}  // namespace

std::unique_ptr<Finder> make_text_finder(const std::string &language) {
  return std::make_unique<TextFinder>(language);
}

}  // namespace vision

#else

namespace vision {
std::unique_ptr<Finder> make_text_finder(const std::string &) {
  return std::make_unique<MissingFinder>("Tesseract");
}
}  // namespace vision

#endif
