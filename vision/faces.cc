#include "finders.h"

#ifdef VISION_HAS_OPENCV
#include <unistd.h>

#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

namespace vision {

namespace {

const char *const kCascades[] = {"/usr/share/opencv4/haarcascades/", "/usr/share/opencv/haarcascades/",
                                 "/usr/local/share/opencv4/haarcascades/"};
const char kCascade[] = "haarcascade_frontalface_alt2.xml";

Thing face(float x, float y, float width, float height, float confidence) {
  Thing thing;
  thing.corners = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
  thing.confidence = confidence;
  return thing;
}

void prepare() {
  cv::setNumThreads(1);
  cv::ocl::setUseOpenCL(false);
}

// Upright frontal faces. P. Viola, M. Jones: Rapid Object Detection using a Boosted Cascade of Simple
// Features, 2001.
class CascadeFinder : public Finder {
 public:
  Ability load() override {
    prepare();
    const std::string version = std::string("OpenCV ") + CV_VERSION + ", " + kCascade;
    for (const char *folder : kCascades) {
      const std::string path = std::string(folder) + kCascade;
      if (access(path.c_str(), R_OK) != 0) continue;
      return cascade_.load(path) ? Ability{State::ready, version} : Ability{State::bad_file, path};
    }
    return {State::no_file, std::string(kCascades[0]) + kCascade};
  }

  std::vector<Thing> find(const Frame &frame, const Request &request) override {
    const Search &search = request.flags & kHarder ? kPhoto : kLive;
    cv::Mat luma(frame.height, frame.width, CV_8U, const_cast<uint8_t *>(frame.base), frame.row_bytes);
    const int edge = std::max(frame.width, frame.height);
    const float scale = edge > search.edge ? static_cast<float>(search.edge) / edge : 1;
    if (scale * std::min(frame.width, frame.height) < search.least_face) return {};
    if (scale < 1) {
      cv::resize(luma, smaller_, cv::Size(), scale, scale, cv::INTER_AREA);
      luma = smaller_;
    }
    // Faces in shadow have little contrast.
    cv::equalizeHist(luma, equalized_);
    std::vector<cv::Rect> boxes;
    std::vector<int> counts;
    cascade_.detectMultiScale(equalized_, boxes, counts, search.step, search.least_windows, 0,
                              cv::Size(search.least_face, search.least_face));
    std::vector<Thing> things;
    for (size_t index = 0; index < boxes.size(); ++index) {
      const cv::Rect &box = boxes[index];
      const float windows = static_cast<float>(counts[index]);
      things.push_back(face(box.x / scale, box.y / scale, box.width / scale, box.height / scale,
                            windows / (windows + 2 * search.least_windows)));
    }
    return things;
  }

 private:
  struct Search {
    // The long edge that larger frames are shrunk to, and the edge of the smallest face there, in pixels.
    int edge, least_face;
    // From one size of faces to the next.
    double step;
    // How many windows must agree; finer steps give more.
    int least_windows;
  };
  static constexpr Search kPhoto = {960, 24, 1.1, 10};
  static constexpr Search kLive = {320, 20, 1.25, 4};

  cv::CascadeClassifier cascade_;
  cv::Mat smaller_, equalized_;
};

// A model of the user's. W. Wu, H. Peng, S. Yu: YuNet: A Tiny Millisecond-level Face Detector, 2023.
class NetFinder : public Finder {
 public:
  explicit NetFinder(std::string model) : model_(std::move(model)) {}

  Ability load() override {
    prepare();
    if (access(model_.c_str(), R_OK) != 0) return {State::no_file, model_};
    try {
      net_ = cv::FaceDetectorYN::create(model_, "", cv::Size(320, 320), 0.6f, 0.3f, 500);
      // Any network loads; whether it finds faces shows when it is used.
      cv::Mat black(320, 320, CV_8UC3, cv::Scalar(0)), faces;
      net_->detect(black, faces);
    } catch (const std::exception &) {
      return {State::bad_file, model_};
    }
    return {State::ready, std::string("OpenCV ") + CV_VERSION + ", YuNet"};
  }

  std::vector<Thing> find(const Frame &frame, const Request &) override {
    if (std::min(frame.width, frame.height) < kLeastEdge) return {};
    const cv::Mat luma(frame.height, frame.width, CV_8U, const_cast<uint8_t *>(frame.base), frame.row_bytes);
    cv::Mat colors, faces;
    cv::cvtColor(luma, colors, cv::COLOR_GRAY2BGR);
    net_->setInputSize(colors.size());
    net_->detect(colors, faces);
    std::vector<Thing> things;
    // x, y, width, height, five points, score.
    for (int row = 0; row < faces.rows && faces.cols >= 15; ++row) {
      const float *values = faces.ptr<float>(row);
      things.push_back(face(values[0], values[1], values[2], values[3], values[14]));
    }
    return things;
  }

 private:
  static constexpr int kLeastEdge = 32;

  std::string model_;
  cv::Ptr<cv::FaceDetectorYN> net_;
};

}  // namespace

std::unique_ptr<Finder> make_face_finder(const std::string &model) {
  if (model.empty()) return std::make_unique<CascadeFinder>();
  return std::make_unique<NetFinder>(model);
}

}  // namespace vision

#else

namespace vision {
std::unique_ptr<Finder> make_face_finder(const std::string &) {
  return std::make_unique<MissingFinder>("OpenCV");
}
}  // namespace vision

#endif
