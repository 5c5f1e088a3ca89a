#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "AnalysisKernels.h"

namespace {

constexpr float kPi = 3.14159265f;
// Half the range of directions within a region: 22.5°, so that chance aligns one sample in eight.
constexpr float kTolerance = kPi / 8;
constexpr float kChance = 0.125f;
// The minimum fraction of its rectangle that a region fills.
constexpr float kDensity = 0.6f;
// Processes at most this fraction of the samples, the strongest first, to bound the time.
constexpr float kStrongest = 0.25f;
// Gradients below one 8-bit code value per sample are quantization steps.
constexpr float kWeakest = 1.0f / 255;
constexpr int kLevels = 1024;

enum State : uint8_t { kWeak, kFree, kTaken };

struct Rectangle {
  float x, y;    // centre
  float dx, dy;  // unit vector along
  float from, to, width;

  float length() const { return to - from; }
};

class Finder {
 public:
  Finder(int32_t width, int32_t height, const sla_segment_scratch &scratch)
      : width_(width), height_(height), s_(scratch) {
    // log10 of the number of rectangles that could be tested: (width·height)^(5/2), times ten for the
    // precisions of angles (11 in the paper).
    log_tests_ = 2.5f * (std::log10(static_cast<float>(width)) + std::log10(static_cast<float>(height))) + 1;
  }

  // Computes unit gradients and their magnitudes; returns the number of samples sorted.
  size_t Prepare(const float *luma) {
    float largest = 0;
    std::memset(s_.state, kWeak, static_cast<size_t>(width_) * height_);
    for (int32_t y = 1; y + 1 < height_; ++y) {
      const ptrdiff_t start = static_cast<ptrdiff_t>(y) * width_;
      const float *a = luma + start - width_, *b = luma + start, *c = luma + start + width_;
      for (int32_t x = 1; x + 1 < width_; ++x) {
        // Scharr's operator: its direction is more accurate than Sobel's.
        const float gx = 3 * (a[x + 1] - a[x - 1] + c[x + 1] - c[x - 1]) + 10 * (b[x + 1] - b[x - 1]);
        const float gy = 3 * (c[x - 1] - a[x - 1] + c[x + 1] - a[x + 1]) + 10 * (c[x] - a[x]);
        const float size = std::sqrt(gx * gx + gy * gy);
        s_.gradient_x[start + x] = gx;
        s_.gradient_y[start + x] = gy;
        s_.magnitude[start + x] = size * (1.0f / 32);
      }
      for (int32_t x = 1; x + 1 < width_; ++x) largest = std::max(largest, s_.magnitude[start + x]);
    }
    if (!(largest > kWeakest)) return 0;
    return Sort(largest);
  }

  size_t Find(size_t ordered, float shortest, sla_segment *segments, size_t capacity) {
    const size_t least = static_cast<size_t>(std::max(shortest, 8.0f));
    size_t found = 0;
    for (size_t i = 0; i < ordered && found < capacity; ++i) {
      const uint32_t seed = s_.order[i];
      if (s_.state[seed] != kFree) continue;
      size_t count = Grow(seed, std::cos(kTolerance));
      if (count < least) continue;
      Rectangle rectangle = Fit(count);
      if (rectangle.length() < shortest) continue;
      if (Density(rectangle, count) < kDensity) {
        // A curve or two edges: keep the directions nearest to the seed's, then the seed's surroundings.
        Release(count);
        count = Grow(seed, std::cos(kTolerance / 2));
        rectangle = Fit(count);
        while (count >= least && Density(rectangle, count) < kDensity) {
          count = Shrink(seed, count);
          rectangle = Fit(count);
        }
        if (count < least || rectangle.length() < shortest) continue;
      }
      const float significance = Significance(rectangle, count);
      if (significance < 0) continue;
      segments[found++] = Segment(rectangle, count, significance);
    }
    return found;
  }

 private:
  // Counting sort by magnitude, strongest first; equal levels stay in raster order, so that results never
  // vary.
  size_t Sort(float largest) {
    uint32_t counts[kLevels] = {};
    const float scale = (kLevels - 1) / largest;
    for (int32_t y = 1; y + 1 < height_; ++y) {
      const float *row = s_.magnitude + static_cast<ptrdiff_t>(y) * width_;
      for (int32_t x = 1; x + 1 < width_; ++x) ++counts[static_cast<int>(row[x] * scale)];
    }
    const size_t most = static_cast<size_t>(kStrongest * width_ * height_);
    const int weakest = static_cast<int>(kWeakest * scale) + 1;
    size_t total = 0;
    int level = kLevels - 1;
    uint32_t starts[kLevels];
    for (; level >= weakest && (total == 0 || total + counts[level] <= most); --level) {
      starts[level] = static_cast<uint32_t>(total);
      total += counts[level];
    }
    for (int32_t y = 1; y + 1 < height_; ++y) {
      const ptrdiff_t start = static_cast<ptrdiff_t>(y) * width_;
      for (int32_t x = 1; x + 1 < width_; ++x) {
        const int at = static_cast<int>(s_.magnitude[start + x] * scale);
        if (at <= level) continue;
        const ptrdiff_t index = start + x;
        s_.order[starts[at]++] = static_cast<uint32_t>(index);
        s_.state[index] = kFree;
        const float inverse = 1.0f / (32 * s_.magnitude[index]);
        s_.gradient_x[index] *= inverse;
        s_.gradient_y[index] *= inverse;
      }
    }
    return total;
  }

  // Collects the samples around `seed` whose gradients point within the tolerance of the region's mean. Weak
  // samples line the picture's border, so no neighbour lies outside.
  size_t Grow(uint32_t seed, float cosine) {
    const ptrdiff_t around[8] = {-width_ - 1, -width_, -width_ + 1, -1, 1, width_ - 1, width_, width_ + 1};
    float sum_x = s_.gradient_x[seed], sum_y = s_.gradient_y[seed], bound = cosine;
    size_t count = 1;
    s_.region[0] = seed;
    s_.state[seed] = kTaken;
    for (size_t i = 0; i < count; ++i) {
      for (const ptrdiff_t step : around) {
        const uint32_t next = static_cast<uint32_t>(s_.region[i] + step);
        if (s_.state[next] != kFree) continue;
        const float gx = s_.gradient_x[next], gy = s_.gradient_y[next];
        if (gx * sum_x + gy * sum_y < bound) continue;
        s_.state[next] = kTaken;
        s_.region[count++] = next;
        sum_x += gx;
        sum_y += gy;
        bound = cosine * std::sqrt(sum_x * sum_x + sum_y * sum_y);
      }
    }
    return count;
  }

  void Release(size_t count) {
    for (size_t i = 0; i < count; ++i) s_.state[s_.region[i]] = kFree;
  }

  // Drops the samples farther from the seed than three quarters of the maximum distance.
  size_t Shrink(uint32_t seed, size_t count) {
    const int32_t x = static_cast<int32_t>(seed % width_), y = static_cast<int32_t>(seed / width_);
    const auto distance = [&](uint32_t at) {
      const float dx = static_cast<float>(static_cast<int32_t>(at % width_) - x);
      const float dy = static_cast<float>(static_cast<int32_t>(at / width_) - y);
      return dx * dx + dy * dy;
    };
    float farthest = 0;
    for (size_t i = 0; i < count; ++i) farthest = std::max(farthest, distance(s_.region[i]));
    const float limit = farthest * 0.75f * 0.75f;
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
      if (distance(s_.region[i]) <= limit) {
        s_.region[kept++] = s_.region[i];
      } else {
        s_.state[s_.region[i]] = kFree;
      }
    }
    return kept;
  }

  // The axis of least inertia, with samples weighted by their gradient.
  Rectangle Fit(size_t count) const {
    double mass = 0, x = 0, y = 0;
    float sum_x = 0, sum_y = 0;
    for (size_t i = 0; i < count; ++i) {
      const uint32_t at = s_.region[i];
      const double m = s_.magnitude[at];
      mass += m;
      x += m * (at % width_);
      y += m * (at / width_);
      sum_x += s_.gradient_x[at];
      sum_y += s_.gradient_y[at];
    }
    x /= mass;
    y /= mass;
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < count; ++i) {
      const uint32_t at = s_.region[i];
      const double dx = at % width_ - x, dy = at / width_ - y, m = s_.magnitude[at];
      xx += m * dx * dx;
      yy += m * dy * dy;
      xy += m * dx * dy;
    }
    const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
    Rectangle r;
    r.x = static_cast<float>(x);
    r.y = static_cast<float>(y);
    r.dx = static_cast<float>(std::cos(angle));
    r.dy = static_cast<float>(std::sin(angle));
    // The gradient points from dark to light; the dark side must be on the left.
    if (r.dx * sum_y - r.dy * sum_x < 0) {
      r.dx = -r.dx;
      r.dy = -r.dy;
    }
    float left = 0, right = 0;
    r.from = r.to = 0;
    for (size_t i = 0; i < count; ++i) {
      const uint32_t at = s_.region[i];
      const float dx = at % width_ - r.x, dy = at / width_ - r.y;
      const float along = dx * r.dx + dy * r.dy, across = dy * r.dx - dx * r.dy;
      r.from = std::min(r.from, along);
      r.to = std::max(r.to, along);
      left = std::min(left, across);
      right = std::max(right, across);
    }
    r.width = std::max(right - left, 1.0f);
    return r;
  }

  static float Density(const Rectangle &r, size_t count) {
    return static_cast<float>(count) / (std::max(r.length(), 1.0f) * r.width);
  }

  // -log10 of the expected number of rectangles with so many aligned samples in noise.
  float Significance(const Rectangle &r, size_t count) const {
    const float n = std::max((r.length() + 1) * (r.width + 1), static_cast<float>(count));
    const float part = std::min(static_cast<float>(count) / n, 1 - 1e-6f);
    if (part <= kChance) return -log_tests_;
    const float divergence =
        part * std::log(part / kChance) + (1 - part) * std::log((1 - part) / (1 - kChance));
    return n * divergence / std::log(10.0f) - log_tests_;
  }

  sla_segment Segment(const Rectangle &r, size_t count, float significance) const {
    float contrast = 0;
    for (size_t i = 0; i < count; ++i) contrast += s_.magnitude[s_.region[i]];
    const float x = r.x + 0.5f, y = r.y + 0.5f;
    return {x + r.from * r.dx, y + r.from * r.dy, x + r.to * r.dx, y + r.to * r.dy,
            r.width,           contrast / count,  significance};
  }

  const int32_t width_, height_;
  const sla_segment_scratch s_;
  float log_tests_;
};

float SquaredLength(const sla_segment &s) {
  return (s.x1 - s.x0) * (s.x1 - s.x0) + (s.y1 - s.y0) * (s.y1 - s.y0);
}

}  // namespace

size_t sla_find_segments(const float *luma, int32_t width, int32_t height, float shortest,
                         const sla_segment_scratch *scratch, sla_segment *segments, size_t capacity) {
  if (width < 3 || height < 3) return 0;
  Finder finder(width, height, *scratch);
  const size_t found = finder.Find(finder.Prepare(luma), shortest, segments, capacity);
  // Breaks ties of length, so that results never vary.
  std::sort(segments, segments + found, [](const sla_segment &a, const sla_segment &b) {
    const float length = SquaredLength(a), other = SquaredLength(b);
    return std::tie(length, a.x0, a.y0) > std::tie(other, b.x0, b.y0);
  });
  return found;
}
