// Sampling planes of 8-bit samples along a line, at any angle: every row that a vector of pixels reaches is
// weighted at the positions of its lanes, and a second round of multiply-adds weights the rows, with zero for
// those that a lane does not use.

// Byte permutes of whole vectors and dot products that accumulate.
#define HWY_WANT_AVX3_DL
#include "PixelKernels.h"
#include "PlanarWeights.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "PlanarResample.cc"
#include "hwy/foreach_target.h"

// Must follow the line above, which includes this file again.
#include "PlanarTaps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kMaxRows = 32;  // that a vector of pixels can reach, see SL_PLANAR_MAX_STEP

// The rows of one vector of pixels: the first one, their number, and their weights, two rows per lane.
template <class Kernel>
struct Rows {
  static constexpr int kTaps = Kernel::kTaps;
  int first, count;
  RowWeights<kTaps> near;                                  // if all lanes begin at row 0 or 1
  alignas(64) int16_t weights[kMaxRows * 2 * kLanes / 2];  // else: pairs of rows, lanes, halves

  HWY_INLINE void Set(const PlanarWeights &table, V32 places, const Lanes &lanes, int32_t place) {
    const D32 d;
    const D16 d16;
    const int32_t begin = lanes.Sample(place, 0), end = lanes.Sample(place, kLanes - 1);
    first = HWY_MIN(begin, end) - Kernel::kBefore;
    count = kTaps + HWY_MAX(begin, end) - HWY_MIN(begin, end);
    const V32 row = hn::Sub(hn::ShiftRight<16>(places), hn::Set(d, Kernel::kBefore + first));
    const auto is_late =
        hn::MaskFromVec(hn::BitCast(d16, hn::VecFromMask(d, hn::TestBit(row, hn::Set(d, 1)))));
    near = Kernel::RowPairs(Kernel::WeightsAt(table, places), is_late);
    if (HWY_LIKELY(count <= kTaps + 1)) {
      count = kTaps + 1;
      return;
    }
    // Each lane's weights begin at its own pair of rows.
    const V32 start = hn::ShiftRight<1>(row);
    for (int pair = 0; 2 * pair < count; pair++) {
      V16 weight = hn::Zero(d16);
      for (int k = 0; k <= kTaps / 2; k++) {
        const auto begins = hn::BitCast(d16, hn::VecFromMask(d, hn::Eq(start, hn::Set(d, pair - k))));
        weight = hn::IfThenElse(hn::MaskFromVec(begins), near.pair[k], weight);
      }
      hn::Store(weight, d16, weights + 2 * pair * kLanes);
    }
  }
};

template <class Kernel>
HWY_INLINE V32 WeighRows(const uint8_t *window, size_t row_bytes, const TapPlaces<Kernel> &taps,
                         const TapWeights<Kernel::kTaps> &across, const Rows<Kernel> &rows) {
  constexpr int kTaps = Kernel::kTaps;
  const D32 d;
  const uint8_t *row = window + rows.first * static_cast<ptrdiff_t>(row_bytes);
  V32 sum = hn::Zero(d);
  if (HWY_LIKELY(rows.count == kTaps + 1)) {
    for (int r = 0; r < kTaps; r += 2, row += 2 * row_bytes) {
      const V32 even = WeighRow<Kernel>(row, taps, across);
      const V32 odd = WeighRow<Kernel>(row + row_bytes, taps, across);
      sum = Dot(sum, JoinRows(even, odd), rows.near.pair[r / 2]);
    }
    return Dot(sum, JoinRows(WeighRow<Kernel>(row, taps, across), hn::Zero(d)), rows.near.pair[kTaps / 2]);
  }
  const D16 d16;
  for (int r = 0; r < rows.count; r += 2, row += 2 * row_bytes) {
    const V32 even = WeighRow<Kernel>(row, taps, across);
    const V32 odd = r + 1 < rows.count ? WeighRow<Kernel>(row + row_bytes, taps, across) : hn::Zero(d);
    sum = Dot(sum, JoinRows(even, odd), hn::Load(d16, rows.weights + r * kLanes));
  }
  return sum;
}

template <class Kernel>
void ResampleLine(const uint8_t *const *windows, size_t planes, size_t row_bytes, const sl_line &line,
                  int16_t *const *dst, size_t n) {
  const PlanarWeights &table = PlanarWeights::Shared();
  const Lanes x_lanes(line.dx), y_lanes(line.dy);
  int64_t x = line.x, y = line.y;
  Rows<Kernel> rows;
  for (size_t i = 0; i < n; i += kLanes, x += kLanes * line.dx, y += kLanes * line.dy) {
    const int32_t px = Place<Kernel>(x), py = Place<Kernel>(y);
    const V32 places = x_lanes.Places(px);
    const TapPlaces<Kernel> taps = TapsAt<Kernel>(places, x_lanes, px);
    const TapWeights<Kernel::kTaps> across = Kernel::WeightsAt(table, places);
    rows.Set(table, y_lanes.Places(py), y_lanes, py);
    for (size_t plane = 0; plane < planes; plane++) {
      StoreSums(WeighRows<Kernel>(windows[plane], row_bytes, taps, across, rows), dst[plane] + i);
    }
  }
}

void ResamplePlanes(const uint8_t *const *windows, size_t planes, size_t row_bytes, sl_kernel kernel,
                    const sl_line *line, int16_t *const *dst, size_t n) {
  if (kernel == SL_KERNEL_BILINEAR) {
    ResampleLine<Bilinear>(windows, planes, row_bytes, *line, dst, n);
  } else {
    ResampleLine<Sharp>(windows, planes, row_bytes, *line, dst, n);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ResamplePlanes);
}
extern "C" void sl_resample_planes(const uint8_t *const *windows, size_t planes, size_t row_bytes,
                                   sl_kernel kernel, const sl_line *line, int16_t *const *dst, size_t n) {
  SL_KERNEL(safelight::ResamplePlanes)(windows, planes, row_bytes, kernel, line, dst, n);
}
#endif
