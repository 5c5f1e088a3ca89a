#include "finders.h"

#ifdef VISION_HAS_ZXING
#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>
#include <ZXing/ZXVersion.h>

#include <algorithm>
#include <cmath>

namespace vision {

namespace {

const char *name(ZXing::ContentType type) {
  switch (type) {
    case ZXing::ContentType::Text:
      return "text";
    case ZXing::ContentType::Binary:
      return "binary";
    case ZXing::ContentType::Mixed:
      return "mixed";
    case ZXing::ContentType::GS1:
      return "GS1";
    case ZXing::ContentType::ISO15434:
      return "ISO 15434";
    case ZXing::ContentType::UnknownECI:
      return "unknown ECI";
  }
  return "unknown";
}

std::string hexadecimal(const ZXing::ByteArray &bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

// The corners clockwise, as displayed. A linear code that was read along one row is a line: it is widened to
// two pixels.
std::vector<Point> corners(const ZXing::Position &position) {
  std::vector<Point> points;
  for (const auto &corner : position) points.push_back({corner.x + 0.5f, corner.y + 0.5f});
  float area = 0;
  for (size_t index = 0; index < 4; ++index) {
    const Point &a = points[index], &b = points[(index + 1) % 4];
    area += a.x * b.y - b.x * a.y;
  }
  // Rows count downwards, so a positive area is clockwise. A mirrored code's corners come the other way
  // round.
  if (area < 0) std::swap(points[1], points[3]);
  const float length = std::hypot(points[1].x - points[0].x, points[1].y - points[0].y);
  if (std::abs(area) < 2 * length && length > 0) {
    const Point across = {-(points[1].y - points[0].y) / length, (points[1].x - points[0].x) / length};
    for (size_t index = 0; index < 4; ++index) {
      const float side = index < 2 ? -1 : 1;
      points[index].x += side * across.x;
      points[index].y += side * across.y;
    }
  }
  return points;
}

// Matrix codes and PDF417 prove themselves by Reed-Solomon; a linear code has at most a check digit, so rows
// that agree count: 1 - 2^-rows.
float confidence(const ZXing::Result &result) {
  const bool is_linear = ZXing::BarcodeFormats(ZXing::BarcodeFormat::LinearCodes).testFlag(result.format());
  return is_linear ? 1 - std::exp2f(-static_cast<float>(std::max(result.lineCount(), 1))) : 1;
}

Thing thing(const ZXing::Result &result) {
  Thing thing;
  thing.corners = corners(result.position());
  thing.confidence = confidence(result);
  thing.has_text = true;
  thing.text = result.text();
  thing.details.push_back({"symbology", ZXing::ToString(result.format())});
  thing.details.push_back({"content", name(result.contentType())});
  // What the text cannot hold.
  const auto type = result.contentType();
  if (type == ZXing::ContentType::Binary || type == ZXing::ContentType::Mixed ||
      type == ZXing::ContentType::UnknownECI) {
    thing.details.push_back({"bytes", hexadecimal(result.bytes())});
  }
  if (!result.ecLevel().empty()) thing.details.push_back({"errorCorrection", result.ecLevel()});
  if (result.isMirrored()) thing.details.push_back({"mirrored", "yes"});
  if (result.isPartOfSequence()) {
    thing.details.push_back({"part", std::to_string(result.sequenceIndex() + 1)});
    if (result.sequenceSize() > 0) thing.details.push_back({"parts", std::to_string(result.sequenceSize())});
  }
  return thing;
}

class CodeFinder : public Finder {
 public:
  Ability load() override {
    return {State::ready, "zxing-cpp " + std::to_string(ZXING_VERSION_MAJOR) + "." +
                              std::to_string(ZXING_VERSION_MINOR) + "." +
                              std::to_string(ZXING_VERSION_PATCH)};
  }

  std::vector<Thing> find(const Frame &frame, const Request &request) override {
    std::vector<Thing> things;
    // Smaller than any code; zxing-cpp 1.4 reads outside of rows of a few pixels, and notices.
    if (std::min(frame.width, frame.height) < kLeastEdge) return things;
    ZXing::DecodeHints hints;
    hints.setTryHarder(request.flags & kHarder);
    hints.setTryRotate(request.flags & kTurned);
    // Its own way to look at smaller pictures ends in a failed assertion (Result.cpp: lineCount() == 1) if a
    // linear code is read at two sizes.
    hints.setTryDownscale(false);
#if ZXING_VERSION_MAJOR >= 2
    // Light on dark is searched by itself, so that it is told apart.
    hints.setTryInvert(false);
#endif
    search(frame, 1, request, hints, &things);
    std::vector<uint8_t> smaller[2];
    Frame level = frame;
    float scale = 1;
    for (int turn = 0; (request.flags & kSmaller) && std::min(level.width, level.height) >= kLeastShrunkEdge;
         ++turn) {
      // The level before is read while the next is written.
      level = shrunk(level, &smaller[turn % 2]);
      scale *= kShrink;
      search(level, scale, request, hints, &things);
    }
    if ((request.flags & kMirrored) && things.empty()) add_mirrored(frame, hints, &things);
    return things;
  }

 private:
  static constexpr int kLeastEdge = 10;
  // As zxing-cpp does: pictures from this edge on are searched at a third of their size too.
  static constexpr int kLeastShrunkEdge = 500, kShrink = 3;

  std::vector<uint8_t> copy_;

  // Adds what is found dark on light and light on dark, as the request has it.
  void search(const Frame &frame, float scale, const Request &request, const ZXing::DecodeHints &hints,
              std::vector<Thing> *things) {
    if (request.flags & kPlain) {
      const ZXing::ImageView view(frame.base, frame.width, frame.height, ZXing::ImageFormat::Lum,
                                  frame.row_bytes);
      for (const auto &result : read(view, hints, request)) add(thing(result), scale, things);
    }
    if (!(request.flags & kInverted)) return;
    const int width = frame.width;
    const auto view = changed(frame, [width](const uint8_t *row, uint8_t *target) {
      for (int x = 0; x < width; ++x) target[x] = static_cast<uint8_t>(255 - row[x]);
    });
    for (const auto &result : read(view, hints, request)) {
      Thing found = thing(result);
      found.details.push_back({"inverted", "yes"});
      add(std::move(found), scale, things);
    }
  }

  // Reads the codes of a picture. A DataBar that is stacked ends zxing-cpp 1.4 in the same failed assertion
  // as above when it is compared with another, so one of them is read by itself, and no second.
  static ZXing::Results read(const ZXing::ImageView &view, ZXing::DecodeHints hints, const Request &request) {
    using Format = ZXing::BarcodeFormat;
    hints.setFormats(ZXing::BarcodeFormat::MatrixCodes | Format::Codabar | Format::Code39 | Format::Code93 |
                     Format::Code128 | Format::EAN8 | Format::EAN13 | Format::ITF | Format::UPCA |
                     Format::UPCE);
    ZXing::Results results = ZXing::ReadBarcodes(view, hints);
    if (!(request.flags & kStacked)) return results;
    hints.setFormats(Format::DataBar | Format::DataBarExpanded);
    hints.setMaxNumberOfSymbols(1);
    hints.setMinLineCount(1);
    const ZXing::Results stacked = ZXing::ReadBarcodes(view, hints);
    results.insert(results.end(), stacked.begin(), stacked.end());
    return results;
  }

  // Adds a thing found at a smaller size, unless it is known: some codes are read at several sizes, and
  // either way.
  static void add(Thing found, float scale, std::vector<Thing> *things) {
    for (Point &corner : found.corners) {
      corner.x *= scale;
      corner.y *= scale;
    }
    const bool is_known = std::any_of(things->begin(), things->end(), [&](const Thing &other) {
      return other.text == found.text && other.details[0] == found.details[0] && overlap(other, found);
    });
    if (!is_known) things->push_back(std::move(found));
  }

  static bool overlap(const Thing &a, const Thing &b) {
    const auto [a_left, a_right] = std::minmax_element(a.corners.begin(), a.corners.end(), left_of);
    const auto [b_left, b_right] = std::minmax_element(b.corners.begin(), b.corners.end(), left_of);
    const auto [a_top, a_bottom] = std::minmax_element(a.corners.begin(), a.corners.end(), above);
    const auto [b_top, b_bottom] = std::minmax_element(b.corners.begin(), b.corners.end(), above);
    return a_left->x < b_right->x && b_left->x < a_right->x && a_top->y < b_bottom->y + kSlack &&
           b_top->y < a_bottom->y + kSlack;
  }

  // A linear code may be read along one row here, along others there.
  static constexpr float kSlack = 20;
  static bool left_of(const Point &a, const Point &b) { return a.x < b.x; }
  static bool above(const Point &a, const Point &b) { return a.y < b.y; }

  // Means of blocks of `kShrink` pixels.
  static Frame shrunk(const Frame &frame, std::vector<uint8_t> *samples) {
    const int width = frame.width / kShrink, height = frame.height / kShrink;
    samples->resize(static_cast<size_t>(width) * height);
    for (int y = 0; y < height; ++y) {
      const uint8_t *row = frame.base + static_cast<size_t>(y) * kShrink * frame.row_bytes;
      for (int x = 0; x < width; ++x) {
        int sum = kShrink * kShrink / 2;
        for (int down = 0; down < kShrink; ++down) {
          for (int across = 0; across < kShrink; ++across) {
            sum += row[down * frame.row_bytes + x * kShrink + across];
          }
        }
        (*samples)[static_cast<size_t>(y) * width + x] = static_cast<uint8_t>(sum / (kShrink * kShrink));
      }
    }
    return {samples->data(), width, height, width};
  }

  // The frame without gaps between rows, with each row changed by `change`.
  template <typename Change>
  ZXing::ImageView changed(const Frame &frame, Change change) {
    copy_.resize(static_cast<size_t>(frame.width) * frame.height);
    for (int y = 0; y < frame.height; ++y) {
      change(frame.base + static_cast<size_t>(y) * frame.row_bytes,
             copy_.data() + static_cast<size_t>(y) * frame.width);
    }
    return {copy_.data(), frame.width, frame.height, ZXing::ImageFormat::Lum};
  }

  // QR Codes as in a mirror: zxing-cpp 1.4 reads most, but takes some masks for others.
  void add_mirrored(const Frame &frame, ZXing::DecodeHints hints, std::vector<Thing> *things) {
    const int width = frame.width;
    const auto view = changed(
        frame, [width](const uint8_t *row, uint8_t *target) { std::reverse_copy(row, row + width, target); });
    hints.setFormats(ZXing::BarcodeFormat::QRCode);
    for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
      Thing found = thing(result);
      for (Point &corner : found.corners) corner.x = static_cast<float>(width) - corner.x;
      std::swap(found.corners[1], found.corners[3]);
      // Twice mirrored is not mirrored.
      if (result.isMirrored()) {
        found.details.erase(std::remove_if(found.details.begin(), found.details.end(),
                                           [](const auto &detail) { return detail.first == "mirrored"; }),
                            found.details.end());
      } else {
        found.details.push_back({"mirrored", "yes"});
      }
      things->push_back(std::move(found));
    }
  }
};

}  // namespace

std::unique_ptr<Finder> make_code_finder() { return std::make_unique<CodeFinder>(); }

}  // namespace vision

#else

namespace vision {
std::unique_ptr<Finder> make_code_finder() { return std::make_unique<MissingFinder>("zxing-cpp"); }
}  // namespace vision

#endif
