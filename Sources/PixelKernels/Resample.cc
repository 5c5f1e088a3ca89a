// Geometry: sampling interleaved RGBA along a line, with a 6×6 Kaiser-windowed sinc kernel or bilinear.
//
// Positions are rounded to 1/1024 pixel, which moves an edge from black to white by at most 0.2 of a level.
// 8-bit sources, and 16-bit ones with 8-bit output, are weighted in 16-bit fixed point at 64 per level: half
// the work of float, with a rounding error below 0.05 of a level.
#include <string.h>

#include "PixelKernels.h"
#include "ResampleWeights.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Resample.cc"
#include "hwy/foreach_target.h"

// Must follow the line above, which includes this file again.
#include "SampledPixel-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

// `kTaps`, a parameter of the following templates, is 6 or 2: the number of non-zero weights per axis.
template <int kTaps>
constexpr int kBefore = kTaps / 2 - 1;  // taps left of the sample's own pixel
// The number of pixels loaded from a row: whole vectors, the last of which have zero weight.
template <int kTaps>
constexpr int kRowPixels = kTaps == 6 ? 8 : 4;
constexpr int kMostPixels = 8;

// Lanes / 4 pixels, each as four floats, from interleaved samples as stored.
HWY_INLINE VF LoadBlock(const uint8_t *p) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(hn::Rebind<uint8_t, DF>(), p)));
}
HWY_INLINE VF LoadBlock(const uint16_t *p) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(hn::Rebind<uint16_t, DF>(), p)));
}
HWY_INLINE VF LoadBlock(const float *p) { return hn::LoadU(DF(), p); }

// The sum of a vector's four-float blocks.
template <class D>
HWY_INLINE V4 SumBlocks(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    return v;
  } else {
    const hn::Half<D> half;
    return SumBlocks(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

struct Weights {
  const float *x;  // 8 of the horizontal phase
  const float *y;  // 8 of the vertical phase
};

// The weighted sum of kTaps rows of pixels; `rows[r]` points to the first pixel of the window. Samples as
// stored.
template <int kTaps, typename Sample>
HWY_INLINE V4 WeighWindow(const Sample *const rows[kTaps], const Weights &w,
                          hn::Vec<hn::RebindToSigned<DF>> spread) {
  const DF d;
  constexpr int kPixels = static_cast<int>(hn::MaxLanes(DF())) / 4;
  constexpr int kVectors = (kTaps + kPixels - 1) / kPixels;
  VF sums[kVectors];
  const VF y0 = hn::Set(d, w.y[0]);
  for (int k = 0; k < kVectors; k++) sums[k] = hn::Mul(LoadBlock(rows[0] + 4 * kPixels * k), y0);
  for (int r = 1; r < kTaps; r++) {
    const VF y = hn::Set(d, w.y[r]);
    for (int k = 0; k < kVectors; k++) {
      sums[k] = hn::MulAdd(LoadBlock(rows[r] + 4 * kPixels * k), y, sums[k]);
    }
  }
  VF total = hn::Zero(d);
  for (int k = 0; k < kVectors; k++) {
    // Each of the vector's pixels uses its own horizontal weight for all four channels.
    const VF x = hn::TableLookupLanes(hn::LoadU(d, w.x + kPixels * k), hn::IndicesFromVec(d, spread));
    total = hn::MulAdd(sums[k], x, total);
  }
  return SumBlocks(d, total);
}

using D16 = hn::CappedTag<int16_t, 4 * kMostPixels>;
using V16 = hn::Vec<D16>;

// The sum of a vector's two-pixel blocks.
template <class D>
HWY_INLINE hn::Vec<hn::CappedTag<int16_t, 8>> SumPairs(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) <= 8) {
    return v;
  } else {
    const hn::Half<D> half;
    return SumPairs(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

// Samples in fixed point: 64 per 8-bit level, or 14 of 16 bits. A filter that overshoots by a third in both
// directions still fits into 16 bits.
HWY_INLINE V16 LoadFixed(const uint8_t *p) {
  const D16 d;
  return hn::ShiftLeft<6>(hn::PromoteTo(d, hn::LoadU(hn::Rebind<uint8_t, D16>(), p)));
}
HWY_INLINE V16 LoadFixed(const uint16_t *p) {
  const hn::RebindToUnsigned<D16> du;
  return hn::BitCast(D16(), hn::ShiftRight<2>(hn::LoadU(du, p)));
}

// The full scale of LoadFixed, and the shift s with which v · 4 + v / 2^s maps it to 65535 and keeps 0.
template <typename Sample>
constexpr int16_t kFixedFull = sizeof(Sample) == 1 ? 64 * 255 : 16383;
template <typename Sample>
constexpr int kFixedShift = sizeof(Sample) == 1 ? 6 : 12;

// WeighWindow in fixed point, storing its pixel at 16 bits. `first` is the window's first pixel.
template <int kTaps, typename Sample>
HWY_INLINE void WeighWindowFixed(const Sample *first, size_t row_bytes, const ResampleWeights &weights,
                                 int px, int py, uint16_t *dst) {
  const D16 d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D16()));
  constexpr int kVectors = (4 * kTaps + kLanes - 1) / kLanes;
  const int16_t *wy = weights.plain + 8 * py;
  V16 sums[kVectors];
  for (int k = 0; k < kVectors; k++) sums[k] = hn::Zero(d);
  const char *row = reinterpret_cast<const char *>(first);
  for (int r = 0; r < kTaps; r++, row += row_bytes) {
    const V16 y = hn::Set(d, wy[r]);
    for (int k = 0; k < kVectors; k++) {
      const V16 v = LoadFixed(reinterpret_cast<const Sample *>(row) + kLanes * k);
      sums[k] = hn::Add(sums[k], hn::MulFixedPoint15(v, y));
    }
  }
  const int16_t *wx = weights.spread + 4 * kMostPixels * px;
  V16 total = hn::MulFixedPoint15(sums[0], hn::LoadU(d, wx));
  for (int k = 1; k < kVectors; k++) {
    total = hn::Add(total, hn::MulFixedPoint15(sums[k], hn::LoadU(d, wx + kLanes * k)));
  }
  const auto pairs = SumPairs(d, total);
  const hn::CappedTag<int16_t, 8> d2;
  const hn::Half<decltype(d2)> d1;
  auto v = hn::Add(hn::LowerHalf(d1, pairs), hn::UpperHalf(d1, pairs));
  v = hn::Min(hn::Max(v, hn::Zero(d1)), hn::Set(d1, kFixedFull<Sample>));
  const hn::RebindToUnsigned<decltype(d1)> du;
  const auto wide = hn::Add(hn::ShiftLeft<2>(v), hn::ShiftRight<kFixedShift<Sample>>(v));
  hn::StoreU(hn::BitCast(du, wide), du, dst);
}

template <int kTaps, typename Sample, typename Out>
HWY_NOINLINE void ResampleLine(const sl_image &src, int64_t x, int64_t y, int64_t dx, int64_t dy,
                               sl_outside outside, bool premultiply, const ResampleWeights &weights, Out *dst,
                               size_t n) {
  const D4 d4;
  const hn::RebindToSigned<DF> di;
  // Lane i belongs to pixel i / 4 of its vector.
  const auto spread = hn::ShiftRight<2>(hn::Iota(di, 0));
  const char *base = static_cast<const char *>(src.base);
  const V4 one = hn::Set(d4, 1.0f);
  const V4 scale = hn::Set(d4, 1.0f / kFull<Sample>);
  const bool clip = sizeof(Sample) < 4;
  const bool is_fixed = !premultiply && (sizeof(Sample) == 1 || src.is_coarse != 0);
  // Half a phase, so that positions round to the nearest one.
  constexpr int64_t kHalfPhase = (int64_t{1} << 32) / (2 * SL_KERNEL_PHASES);

  for (size_t i = 0; i < n; i++, x += dx, y += dy, dst += 4) {
    const int64_t px = x + kHalfPhase, py = y + kHalfPhase;
    const int ix = static_cast<int>(px >> 32) - kBefore<kTaps>;
    const int iy = static_cast<int>(py >> 32) - kBefore<kTaps>;
    const int phase_x = static_cast<int>((px >> 22) & (SL_KERNEL_PHASES - 1));
    const int phase_y = static_cast<int>((py >> 22) & (SL_KERNEL_PHASES - 1));
    // Fixed point loads as many pixels as the sharp kernel.
    constexpr int kLoaded = kMostPixels;
    const bool inside = ix >= 0 && ix + kLoaded <= src.width && iy >= 0 && iy + kTaps <= src.height;
    if constexpr (sizeof(Sample) < 4 && sizeof(Out) == 2) {
      if (HWY_LIKELY(inside && is_fixed)) {
        const Sample *first = reinterpret_cast<const Sample *>(base + iy * src.row_bytes) + 4 * ix;
        WeighWindowFixed<kTaps>(first, src.row_bytes, weights, phase_x, phase_y, dst);
        continue;
      }
    }
    const Weights w = {weights.table + 8 * phase_x, weights.table + 8 * phase_y};
    V4 value;
    if (HWY_LIKELY(inside && !premultiply)) {
      const Sample *rows[kTaps];
      for (int r = 0; r < kTaps; r++) {
        rows[r] = reinterpret_cast<const Sample *>(base + (iy + r) * src.row_bytes) + 4 * ix;
      }
      value = hn::Mul(WeighWindow<kTaps>(rows, w, spread), scale);
    } else {
      // Near an edge, or with alpha, the window is first gathered pixel by pixel.
      HWY_ALIGN float window[kTaps][4 * kRowPixels<kTaps>] = {};
      const float *rows[kTaps];
      for (int r = 0; r < kTaps; r++) {
        rows[r] = window[r];
        const int sy = iy + r, cy = HWY_MIN(HWY_MAX(sy, 0), src.height - 1);
        for (int c = 0; c < kTaps; c++) {
          const int sx = ix + c, cx = HWY_MIN(HWY_MAX(sx, 0), src.width - 1);
          const Sample *p = reinterpret_cast<const Sample *>(base + cy * src.row_bytes) + 4 * cx;
          const float alpha = premultiply ? static_cast<float>(p[3]) / kFull<Sample> : 1.0f;
          for (int k = 0; k < 3; k++) window[r][4 * c + k] = static_cast<float>(p[k]) * alpha;
          window[r][4 * c + 3] = static_cast<float>(p[3]);
        }
      }
      value = hn::Mul(WeighWindow<kTaps>(rows, w, spread), scale);
      const float coverage =
          outside == SL_OUTSIDE_TRANSPARENT ? Coverage(x, src.width) * Coverage(y, src.height) : 1;
      value = Uncovered(value, premultiply, coverage);
    }
    if (clip) value = hn::Min(hn::Max(value, hn::Zero(d4)), one);
    StorePixel(value, dst);
  }
}

template <int kTaps, typename Out>
void ResampleLineTo(const sl_image &src, int64_t x, int64_t y, int64_t dx, int64_t dy, sl_outside outside,
                    bool premultiply, Out *dst, size_t n) {
  const ResampleWeights &weights = ResampleWeights::Shared(kTaps == 6 ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR);
  switch (src.type) {
    case SL_U8:
      return ResampleLine<kTaps, uint8_t>(src, x, y, dx, dy, outside, premultiply, weights, dst, n);
    case SL_U16:
      return ResampleLine<kTaps, uint16_t>(src, x, y, dx, dy, outside, premultiply, weights, dst, n);
    case SL_F32:
      return ResampleLine<kTaps, float>(src, x, y, dx, dy, outside, premultiply, weights, dst, n);
  }
}

template <int kTaps>
void ResampleAs(sl_sample type, const sl_image &src, int64_t x, int64_t y, int64_t dx, int64_t dy,
                sl_outside outside, bool premultiply, void *dst, size_t n) {
  if (type == SL_U16) {
    ResampleLineTo<kTaps>(src, x, y, dx, dy, outside, premultiply, static_cast<uint16_t *>(dst), n);
  } else {
    ResampleLineTo<kTaps>(src, x, y, dx, dy, outside, premultiply, static_cast<float *>(dst), n);
  }
}

void Resample(const sl_image *src, int64_t x, int64_t y, int64_t dx, int64_t dy, sl_outside outside,
              int premultiply, sl_kernel kernel, void *dst, sl_sample dst_type, size_t n) {
  if (kernel == SL_KERNEL_BILINEAR) {
    ResampleAs<2>(dst_type, *src, x, y, dx, dy, outside, premultiply != 0, dst, n);
  } else {
    ResampleAs<6>(dst_type, *src, x, y, dx, dy, outside, premultiply != 0, dst, n);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(Resample);
}  // namespace safelight

extern "C" void sl_resample_line(const sl_image *src, int64_t x, int64_t y, int64_t dx, int64_t dy,
                                 sl_outside outside, int premultiply, sl_kernel kernel, void *dst,
                                 sl_sample dst_type, size_t n) {
  SL_KERNEL(safelight::Resample)
  (src, x, y, dx, dy, outside, premultiply, kernel, dst, dst_type, n);
}
#endif
