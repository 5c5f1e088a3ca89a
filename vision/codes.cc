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
  if (result.contentType() == ZXing::ContentType::Binary) {
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
    hints.setTryDownscale(request.flags & kSmaller);
    if (request.flags & kPlain) {
      const ZXing::ImageView view(frame.base, frame.width, frame.height, ZXing::ImageFormat::Lum,
                                  frame.row_bytes);
      for (const auto &result : ZXing::ReadBarcodes(view, hints)) things.push_back(thing(result));
    }
    if (request.flags & kInverted) add_inverted(frame, hints, &things);
    if ((request.flags & kMirrored) && things.empty()) add_mirrored(frame, hints, &things);
    return things;
  }

 private:
  static constexpr int kLeastEdge = 10;

  std::vector<uint8_t> copy_;

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

  void add_inverted(const Frame &frame, const ZXing::DecodeHints &hints, std::vector<Thing> *things) {
    const int width = frame.width;
    const auto view = changed(frame, [width](const uint8_t *row, uint8_t *target) {
      for (int x = 0; x < width; ++x) target[x] = static_cast<uint8_t>(255 - row[x]);
    });
    for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
      Thing found = thing(result);
      found.details.push_back({"inverted", "yes"});
      // Some codes are read either way.
      const bool is_known = std::any_of(things->begin(), things->end(), [&](const Thing &other) {
        return other.text == found.text && other.details[0] == found.details[0];
      });
      if (!is_known) things->push_back(std::move(found));
    }
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
      found.details.push_back({"mirrored", "yes"});
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
