// Sampling a tile of planes of 8-bit samples in two passes, for small turns: each source row once, at the
// places where the output's columns cross it, then those columns.
//
//   I(i, r) = Σ K(k - X(i, r)) · source(k, r)        X(i, r) = x.start + i·x.column + r·x.row
//   O(i, j) = Σ K(r - Y(i, j)) · I(i, r)             Y(i, j) = y.start + i·y.column + j·y.row
//
// A source row is weighed once and not for each of the six output rows that it is part of.
// Source: Catmull, Smith, "3-D transformations of images in scanline order", SIGGRAPH 1980.
//
// The tile is cut in strips as wide as a vector. What the first pass makes of a strip stays in the
// first-level cache, two rows to a lane, as the multiply-adds of the second pass want them.

// Byte permutes of whole vectors and dot products that accumulate.
#define HWY_WANT_AVX3_DL
#include "PixelKernels.h"
#include "PlanarWeights.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "TwoPassResample.cc"
#include "hwy/foreach_target.h"

// After the line above, which includes this file again.
#include "PlanarTaps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kMaxPlanes = 3;

// The source rows that a strip of `rows` output rows weighs.
struct RowRange {
  int32_t first, last;
};

template <class Kernel>
HWY_INLINE RowRange RowsOfStrip(int64_t y, int64_t step, const Lanes &lanes, size_t rows) {
  const int32_t top = Place<Kernel>(y);
  const int32_t bottom = Place<Kernel>(y + static_cast<int64_t>(rows - 1) * step);
  const int32_t low = HWY_MIN(top, bottom), high = HWY_MAX(top, bottom);
  return {
      HWY_MIN(lanes.Sample(low, 0), lanes.Sample(low, kLanes - 1)) - Kernel::kBefore,
      HWY_MAX(lanes.Sample(high, 0), lanes.Sample(high, kLanes - 1)) - Kernel::kBefore + Kernel::kTaps - 1};
}

// How one row is sampled: the same for planes that lie alike.
template <class Kernel>
struct RowSampling {
  TapPlaces<Kernel> taps;
  TapWeights<Kernel::kTaps> weights;

  HWY_INLINE RowSampling(const PlanarWeights &table, const Lanes &lanes, int32_t place)
      : taps(TapsAt<Kernel>(lanes.Places(place), lanes, place)),
        weights(Kernel::WeightsAt(table, lanes.Places(place))) {}

  HWY_INLINE V32 Weigh(const sl_plane &plane, ptrdiff_t row) const {
    return WeighRow<Kernel>(plane.window + row * static_cast<ptrdiff_t>(plane.row_bytes), taps, weights);
  }
};

// Weighs rows first, first + 1, … of `kPlanes` planes that lie alike; two of them to a vector of `sums`.
template <class Kernel, int kPlanes>
HWY_INLINE void WeighColumns(const PlanarWeights &table, const sl_plane *planes, const Lanes &lanes, size_t i,
                             RowRange rows, size_t pairs, int16_t *const *sums) {
  const D16 d16;
  const sl_axis &x = planes[0].x;
  int64_t place = x.start + static_cast<int64_t>(i) * x.column + rows.first * x.row;
  ptrdiff_t row = rows.first;
  for (size_t pair = 0; pair < pairs; pair++, row += 2, place += 2 * x.row) {
    const RowSampling<Kernel> even(table, lanes, Place<Kernel>(place));
    const RowSampling<Kernel> odd(table, lanes, Place<Kernel>(place + x.row));
    for (int p = 0; p < kPlanes; p++) {
      const V16 joined = JoinRows(even.Weigh(planes[p], row), odd.Weigh(planes[p], row + 1));
      hn::Store(joined, d16, sums[p] + pair * 2 * kLanes);
    }
  }
  // The second pass weighs what lies behind the last row with zero.
  for (int p = 0; p < kPlanes; p++) hn::Store(hn::Zero(d16), d16, sums[p] + pairs * 2 * kLanes);
}

HWY_INLINE bool LieAlike(const sl_plane &a, const sl_plane &b) {
  return a.x.start == b.x.start && a.x.column == b.x.column && a.x.row == b.x.row;
}

template <class Kernel>
void ResampleTile(const sl_plane *planes, size_t count, const sl_axis &y, int16_t *memory, size_t columns,
                  size_t rows) {
  constexpr int kPairs = Kernel::kTaps / 2 + 1;
  const D32 d;
  const D16 d16;
  const PlanarWeights &table = PlanarWeights::Shared();
  const Lanes x_lanes[kMaxPlanes] = {Lanes(planes[0].x.column), Lanes(planes[count > 1 ? 1 : 0].x.column),
                                     Lanes(planes[count - 1].x.column)};
  const Lanes y_lanes(y.column);
  for (size_t i = 0; i < columns; i += kLanes) {
    const int64_t top = y.start + static_cast<int64_t>(i) * y.column;
    const RowRange range = RowsOfStrip<Kernel>(top, y.row, y_lanes, rows);
    const size_t pairs = static_cast<size_t>(range.last - range.first + 2) / 2;
    int16_t *sums[kMaxPlanes];
    for (size_t p = 0; p < count; p++) sums[p] = memory + p * (pairs + 1) * 2 * kLanes;
    for (size_t p = 0; p < count;) {
      size_t alike = 1;
      while (p + alike < count && LieAlike(planes[p], planes[p + alike])) alike++;
      if (alike == 3) {
        WeighColumns<Kernel, 3>(table, planes + p, x_lanes[p], i, range, pairs, sums + p);
      } else if (alike == 2) {
        WeighColumns<Kernel, 2>(table, planes + p, x_lanes[p], i, range, pairs, sums + p);
      } else {
        WeighColumns<Kernel, 1>(table, planes + p, x_lanes[p], i, range, pairs, sums + p);
      }
      p += alike;
    }
    for (size_t j = 0; j < rows; j++) {
      const int32_t place = Place<Kernel>(top + static_cast<int64_t>(j) * y.row);
      const int32_t begin = y_lanes.Sample(place, 0) - Kernel::kBefore - range.first;
      const int32_t end = y_lanes.Sample(place, kLanes - 1) - Kernel::kBefore - range.first;
      const int32_t first = HWY_MIN(begin, end) >> 1, last = HWY_MAX(begin, end) >> 1;
      const V32 places = y_lanes.Places(place);
      const V32 row = hn::Sub(hn::ShiftRight<16>(places), hn::Set(d, Kernel::kBefore + range.first));
      const auto is_late =
          hn::MaskFromVec(hn::BitCast(d16, hn::VecFromMask(d, hn::TestBit(row, hn::Set(d, 1)))));
      const RowWeights<Kernel::kTaps> weights = Kernel::RowPairs(Kernel::WeightsAt(table, places), is_late);
      if (HWY_LIKELY(first == last)) {
        for (size_t p = 0; p < count; p++) {
          V32 sum = hn::Zero(d);
          const int16_t *from = sums[p] + first * 2 * kLanes;
          for (int k = 0; k < kPairs; k++) {
            sum = Dot(sum, hn::Load(d16, from + k * 2 * kLanes), weights.pair[k]);
          }
          StoreSums(sum, planes[p].dst + j * planes[p].dst_stride + i);
        }
        continue;
      }
      const V32 pair = hn::ShiftRight<1>(row);
      for (size_t p = 0; p < count; p++) {
        V32 sum = hn::Zero(d);
        for (int32_t start = first; start <= last; start++) {
          const V32 begins = hn::VecFromMask(d, hn::Eq(pair, hn::Set(d, start)));
          V32 part = hn::Zero(d);
          const int16_t *from = sums[p] + start * 2 * kLanes;
          for (int k = 0; k < kPairs; k++) {
            part = Dot(part, hn::Load(d16, from + k * 2 * kLanes), weights.pair[k]);
          }
          sum = hn::Or(sum, hn::And(part, begins));
        }
        StoreSums(sum, planes[p].dst + j * planes[p].dst_stride + i);
      }
    }
  }
}

void ResampleInTwoPasses(const sl_plane *planes, size_t count, sl_kernel kernel, const sl_axis *y,
                         int16_t *memory, size_t columns, size_t rows) {
  if (kernel == SL_KERNEL_BILINEAR) {
    ResampleTile<Bilinear>(planes, count, *y, memory, columns, rows);
  } else {
    ResampleTile<Sharp>(planes, count, *y, memory, columns, rows);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ResampleInTwoPasses);
}
extern "C" void sl_resample_in_two_passes(const sl_plane *planes, size_t count, sl_kernel kernel,
                                          const sl_axis *y, int16_t *memory, size_t columns, size_t rows) {
  SL_KERNEL(safelight::ResampleInTwoPasses)(planes, count, kernel, y, memory, columns, rows);
}
#endif
