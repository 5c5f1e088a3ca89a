// The guided filter of small planes, in bands of rows that threads share.
//
// Source: He, Sun, Tang, "Guided image filtering", IEEE TPAMI 2013, algorithm 1. Windows are cut at the
// edges, and their means are those of the nodes that are there.
#include <string.h>

#include "LocalLight.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "GuidedFilter.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "LightWindows-inl.h"
// clang-format on

#ifndef SAFELIGHT_GUIDED_FILTER_ROOM
#define SAFELIGHT_GUIDED_FILTER_ROOM
namespace safelight {
// What a window needs of memory: its padded width, and the floats of a band.
struct GuidedRoom {
  size_t width, margin, floats;

  GuidedRoom(size_t columns, size_t radius) {
    // Whole vectors of any instruction set.
    width = (columns + 15) / 16 * 16;
    margin = radius + 1;
    // For up to four quantities: sums of columns, the same side by side with a margin, means, and results.
    floats = 4 * width + 4 * (width + 2 * margin) + 4 * width + 3 * width;
  }
};
}  // namespace safelight
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The means of windows around the nodes of a row, of kCount quantities at once: 2 or 4.
//
// Sums of columns go from row to row, one row entering and one leaving. Along the row, the quantities of a
// node lie side by side in one vector, so that one running sum serves all of them and nothing needs to be
// turned.
template <int kCount>
class WindowMeans {
  using D = hn::ScalableTag<float>;
  using Node = hn::CappedTag<float, kCount>;

 public:
  WindowMeans(size_t width, size_t height, size_t radius, float *scratch)
      : width_(width), height_(height), radius_(radius), room_(width, radius) {
    for (int k = 0; k < kCount; k++) sums_[k] = scratch + static_cast<size_t>(k) * room_.width;
    beside_ = scratch + 4 * room_.width;
    means_ = beside_ + 4 * (room_.width + 2 * room_.margin);
    shares_ = means_ + 4 * room_.width;
    for (int k = 0; k < 2; k++) out_[k] = shares_ + static_cast<size_t>(1 + k) * room_.width;
    memset(scratch, 0, room_.floats * sizeof(float));
    for (size_t x = 0; x < width; x++) shares_[x] = 1.0f / static_cast<float>(Reach(x, width));
  }

  // Calls `load(d, place)`, which returns the quantities at a node of the plane, for all nodes of the windows
  // of rows `first` to `end`, and `make(d, means, out)` with the means of each, for two numbers that go to
  // `targets`.
  template <class Load, class Make>
  void Run(size_t first, size_t end, float *const targets[2], Load load, Make make) {
    for (size_t y = first > radius_ ? first - radius_ : 0; y < HWY_MIN(first + radius_, height_); y++) {
      Add(y, 1, load);
    }
    for (size_t y = first; y < end; y++) {
      if (y + radius_ < height_) Add(y + radius_, 1, load);
      if (y > radius_ && y > first) Add(y - radius_ - 1, -1, load);
      SumAlong();
      const D d;
      const auto share = hn::Set(d, 1.0f / static_cast<float>(Reach(y, height_)));
      for (size_t x = 0; x < width_; x += hn::Lanes(d)) {
        hn::Vec<D> means[kCount], out[2];
        if constexpr (kCount == 4) {
          hn::LoadInterleaved4(d, means_ + 4 * x, means[0], means[1], means[2], means[3]);
        } else {
          hn::LoadInterleaved2(d, means_ + 2 * x, means[0], means[1]);
        }
        const auto scale = hn::Mul(share, hn::LoadU(d, shares_ + x));
        for (auto &mean : means) mean = hn::Mul(mean, scale);
        make(d, means, out);
        for (int k = 0; k < 2; k++) hn::StoreU(out[k], d, out_[k] + x);
      }
      for (int k = 0; k < 2; k++) memcpy(targets[k] + y * width_, out_[k], width_ * sizeof(float));
    }
  }

 private:
  // The nodes of the window around a place that are there.
  size_t Reach(size_t place, size_t count) const {
    return HWY_MIN(place + radius_ + 1, count) - (place > radius_ ? place - radius_ : 0);
  }

  template <class Load>
  void Add(size_t y, float sign, Load load) {
    ForVectors(width_, [&](auto d, size_t x) HWY_ATTR {
      const auto quantities = load(d, y * width_ + x);
      const auto factor = hn::Set(d, sign);
      for (int k = 0; k < kCount; k++) {
        hn::StoreU(hn::MulAdd(factor, quantities.of[k], hn::LoadU(d, sums_[k] + x)), d, sums_[k] + x);
      }
    });
  }

  // Sums of the windows of a row.
  void SumAlong() {
    const D d;
    const Node node;
    float *first = beside_ + kCount * room_.margin;
    for (size_t x = 0; x < width_; x += hn::Lanes(d)) {
      const auto sum = [&](int k) HWY_ATTR { return hn::LoadU(d, sums_[k] + x); };
      if constexpr (kCount == 4) {
        hn::StoreInterleaved4(sum(0), sum(1), sum(2), sum(3), d, first + 4 * x);
      } else {
        hn::StoreInterleaved2(sum(0), sum(1), d, first + 2 * x);
      }
    }
    auto sum = hn::Zero(node);
    for (size_t x = 0; x < radius_; x++) sum = hn::Add(sum, hn::LoadU(node, first + kCount * x));
    const float *enters = first + kCount * radius_, *leaves = beside_;
    for (size_t x = 0; x < width_; x++) {
      // The difference first: it depends on no sum.
      const auto change = hn::Sub(hn::LoadU(node, enters + kCount * x), hn::LoadU(node, leaves + kCount * x));
      sum = hn::Add(sum, change);
      hn::StoreU(sum, node, means_ + kCount * x);
    }
  }

  const size_t width_, height_, radius_;
  const GuidedRoom room_;
  float *sums_[kCount], *beside_, *means_, *shares_, *out_[2];
};

// Vectors of several quantities.
template <class V, int kCount>
struct Quantities {
  V of[kCount];
};

void GuidedLines(const float *guide, const float *input, size_t width, size_t height, size_t first,
                 size_t end, size_t radius, float epsilon, float *scratch, float *lines) {
  float *const targets[2] = {lines, lines + width * height};
  const auto line = [&](auto d, auto mean, auto in, auto variance, auto covariance, auto *out) HWY_ATTR {
    out[0] = hn::Div(covariance, hn::Add(variance, hn::Set(d, epsilon)));
    out[1] = hn::NegMulAdd(out[0], mean, in);
  };
  const auto varies = [](auto d, auto mean, auto square)
                          HWY_ATTR { return hn::Max(hn::NegMulAdd(mean, mean, square), hn::Zero(d)); };
  if (guide == input) {
    WindowMeans<2>(width, height, radius, scratch)
        .Run(
            first, end, targets,
            [&](auto d, size_t i) HWY_ATTR {
              const auto x = hn::LoadU(d, guide + i);
              return Quantities<decltype(x + x), 2>{{x, hn::Mul(x, x)}};
            },
            [&](auto d, const auto *m, auto *out) HWY_ATTR {
              const auto variance = varies(d, m[0], m[1]);
              line(d, m[0], m[0], variance, variance, out);
            });
    return;
  }
  WindowMeans<4>(width, height, radius, scratch)
      .Run(
          first, end, targets,
          [&](auto d, size_t i) HWY_ATTR {
            const auto x = hn::LoadU(d, guide + i), in = hn::LoadU(d, input + i);
            return Quantities<decltype(x + x), 4>{{x, in, hn::Mul(x, x), hn::Mul(x, in)}};
          },
          [&](auto d, const auto *m, auto *out)
              HWY_ATTR { line(d, m[0], m[1], varies(d, m[0], m[2]), hn::NegMulAdd(m[0], m[1], m[3]), out); });
}

void MeanLines(const float *lines, size_t width, size_t height, size_t first, size_t end, size_t radius,
               float *scratch, float *nodes) {
  const float *second = lines + width * height;
  float *const targets[2] = {nodes, nodes + width * height};
  WindowMeans<2>(width, height, radius, scratch)
      .Run(
          first, end, targets,
          [&](auto d, size_t i) HWY_ATTR {
            const auto a = hn::LoadU(d, lines + i);
            return Quantities<decltype(a + a), 2>{{a, hn::LoadU(d, second + i)}};
          },
          [&](auto, const auto *m, auto *out) HWY_ATTR { out[0] = m[0], out[1] = m[1]; });
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(GuidedLines);
HWY_EXPORT(MeanLines);
}  // namespace safelight
extern "C" {
size_t sl_guided_scratch(int32_t width, sl_guided_filter filter) {
  return safelight::GuidedRoom(static_cast<size_t>(width), static_cast<size_t>(filter.radius)).floats;
}

void sl_guided_lines(const float *guide, const float *input, sl_node_rows rows, sl_guided_filter filter,
                     float *scratch, float *lines) {
  SL_KERNEL(safelight::GuidedLines)
  (guide, input, static_cast<size_t>(rows.width), static_cast<size_t>(rows.height),
   static_cast<size_t>(rows.first), static_cast<size_t>(rows.end), static_cast<size_t>(filter.radius),
   filter.epsilon, scratch, lines);
}

void sl_mean_lines(const float *lines, sl_node_rows rows, sl_guided_filter filter, float *scratch,
                   float *nodes) {
  SL_KERNEL(safelight::MeanLines)
  (lines, static_cast<size_t>(rows.width), static_cast<size_t>(rows.height), static_cast<size_t>(rows.first),
   static_cast<size_t>(rows.end), static_cast<size_t>(filter.radius), scratch, nodes);
}
}
#endif
