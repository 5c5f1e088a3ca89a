// Sampling a tile of planes of 8-bit samples in two passes, for small rotations: each source row once, at the
// positions where the output's columns cross it, then those columns.
//
//   I(i, r) = Σ K(k - X(i, r)) · source(k, r)        X(i, r) = x.start + i·x.column + r·x.row
//   O(i, j) = Σ K(r - Y(i, j)) · I(i, r)             Y(i, j) = y.start + i·y.column + j·y.row
//
// A source row is weighted once instead of for each of the six output rows that use it. Source: Catmull,
// Smith, "3-D transformations of images in scanline order", SIGGRAPH 1980.
//
// The tile is cut into strips of sixteen columns, whose weights come from tables (LaneTables.h). Along rows,
// byte permutes give each pixel its taps in pairs, and multiply-adds weight them: weights are Q14 and sum to
// exactly 1. Four strips are sampled row by row, since neighbouring strips need nearly the same part of the
// table; the result stays in the caches. Down columns the differences from one row are weighted, in 16 bits,
// so that flat areas stay exactly unchanged. The rounding error of products stays below 0.05 of a level.
//
// All arithmetic is in integers, so instruction sets agree to the bit.

// Byte permutes of whole vectors and dot products that accumulate.
#define HWY_WANT_AVX3_DL
#include "LaneTables.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "TwoPassResample.cc"
#include "hwy/foreach_target.h"

// Must follow the line above, which includes this file again.
#include "RowSampling-inl.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kStrips = 4;  // that are sampled together

// MARK: Down columns

using DC = hn::CappedTag<int16_t, kStripColumns>;
using VC = hn::Vec<DC>;
constexpr size_t kColumnLanes = hn::MaxLanes(DC());

// The first row that a strip uses.
template <int kTaps>
HWY_INLINE int32_t FirstRow(const LaneTable &table, const Place &place) {
  return place.whole + (kTaps == 2 ? table.start[0] : table.first[place.node]);
}

// The negated weights of all rows except the centre.
template <int kTaps>
HWY_INLINE void WeightsOfRows(const LaneTable &table, const Place &place, int rows, size_t half, VC *w) {
  const DC d;
  if constexpr (kTaps == 2) {
    const int bits = rows <= 3 ? 14 : 12;
    const VC one = hn::Set(d, static_cast<int16_t>(1 << bits));
    const VC at = hn::Add(hn::Set(d, static_cast<int16_t>(place.fraction >> (16 - bits))),
                          hn::Load(d, table.down_places + half));
    if (rows == 3) {
      w[0] = hn::ShiftLeft<1>(hn::Min(hn::Sub(at, one), hn::Zero(d)));
      w[1] = hn::ShiftLeft<1>(hn::Min(hn::Sub(one, at), hn::Zero(d)));
      return;
    }
    for (int row = 0; row < rows; row++) {
      if (row == LaneTable::CentreOf(rows)) continue;
      const VC away = hn::Abs(hn::Sub(at, hn::Set(d, static_cast<int16_t>(row << bits))));
      const VC weight = hn::Min(hn::Sub(away, one), hn::Zero(d));
      *w++ = bits == 14 ? hn::ShiftLeft<1>(weight) : hn::ShiftLeft<3>(weight);
    }
  } else {
    const VC part = hn::Set(d, place.part);
    const int16_t *weights = table.Down(place.node) + half;
    for (int k = 0; k < rows - 1; k++, weights += 2 * kStripColumns) {
      w[k] = hn::Add(hn::MulFixedPoint15(part, hn::Load(d, weights + kStripColumns)), hn::Load(d, weights));
    }
  }
}

// The output rows of strips that have the same positions, the first beginning at column `i`. `kRows` is the
// number of rows that the table uses, or 0 to read it from the table.
template <int kTaps, int kRows, int kPlanes>
HWY_INLINE void WeighStripsOf(const LaneTable &table, const Strip *strips, size_t strip_count, int64_t y,
                              int64_t step, const sl_plane *planes, size_t i, size_t height) {
  const DC d;
  int16_t *to[kPlanes];
  size_t stride[kPlanes];
  for (int p = 0; p < kPlanes; p++) {
    to[p] = planes[p].dst + i;
    stride[p] = planes[p].dst_stride;
  }
  const int rows = kRows > 0 ? kRows : table.rows;
  const int centre = LaneTable::CentreOf(rows);
  for (size_t j = 0; j < height; j++, y += step) {
    const Place place(y);
    const auto first = static_cast<size_t>(FirstRow<kTaps>(table, place) - strips[0].first);
    for (size_t half = 0; half < kStripColumns; half += kColumnLanes) {
      VC w[kMaxDownRows - 1];
      WeightsOfRows<kTaps>(table, place, rows, half, w);
      for (size_t s = 0; s < strip_count; s++) {
        for (int p = 0; p < kPlanes; p++) {
          const int16_t *from = strips[s].sums[p] + first * kStripColumns + half;
          const VC middle = hn::Load(d, from + centre * kStripColumns);
          const auto weigh = [&](int row, VC weight) HWY_ATTR {
            return hn::MulFixedPoint15(hn::Sub(middle, hn::Load(d, from + row * kStripColumns)), weight);
          };
          VC sum = middle;
          for (int row = 0; row < centre; row++) sum = hn::Add(sum, weigh(row, w[row]));
          for (int row = centre + 1; row < rows; row++) sum = hn::Add(sum, weigh(row, w[row - 1]));
          hn::StoreU(sum, d, to[p] + s * kStripColumns + half);
        }
      }
    }
    for (int p = 0; p < kPlanes; p++) to[p] += stride[p];
  }
}

template <int kTaps, int kRows>
HWY_INLINE void WeighStrips(const LaneTable &table, const Strip *strips, size_t strip_count, int64_t y,
                            int64_t step, const sl_plane *planes, size_t count, size_t i, size_t height) {
  if (count == 3) {
    WeighStripsOf<kTaps, kRows, 3>(table, strips, strip_count, y, step, planes, i, height);
  } else if (count == 2) {
    WeighStripsOf<kTaps, kRows, 2>(table, strips, strip_count, y, step, planes, i, height);
  } else {
    WeighStripsOf<kTaps, kRows, 1>(table, strips, strip_count, y, step, planes, i, height);
  }
}

// MARK: Tiles

HWY_INLINE bool LieAlike(const sl_plane &a, const sl_plane &b) {
  return a.x.start == b.x.start && a.x.column == b.x.column && a.x.row == b.x.row;
}

template <int kTaps>
void ResampleTile(const sl_plane *planes, size_t count, sl_kernel kernel, const sl_axis &y,
                  LaneTables *tables, int16_t *memory, size_t columns, size_t rows) {
  const LaneTable *across[kMaxPlanes] = {};
  for (size_t p = 0; p < count; p++) across[p] = &tables->Across(planes[p].x.column, kernel);
  const LaneTable &down = tables->Down(y.column, kernel);
  // Rows that lie on rows of the source are those of the first pass, as which the second would leave them.
  const bool keeps_rows = y.column == 0 && y.row == int64_t{1} << 32 && static_cast<uint32_t>(y.start) == 0;
  for (size_t i = 0; i < columns; i += kStrips * kStripColumns) {
    const size_t strip_count = HWY_MIN(kStrips, (columns - i) / kStripColumns);
    Strip strips[kStrips];
    int16_t *sums = memory;
    for (size_t s = 0; s < strip_count; s++) {
      const int64_t top = y.start + static_cast<int64_t>(i + s * kStripColumns) * y.column;
      const Place begin(top), end(top + static_cast<int64_t>(rows - 1) * y.row);
      const int32_t first = FirstRow<kTaps>(down, begin), last = FirstRow<kTaps>(down, end);
      strips[s].first = HWY_MIN(first, last);
      strips[s].count = static_cast<uint32_t>(HWY_MAX(first, last) - strips[s].first + down.rows);
      for (size_t p = 0; p < count; p++, sums += strips[s].count * kStripColumns) {
        strips[s].sums[p] = sums;
        strips[s].stride[p] = kStripColumns;
      }
      if (keeps_rows) {
        strips[s].first = begin.whole;
        strips[s].count = static_cast<uint32_t>(rows);
        for (size_t p = 0; p < count; p++) {
          strips[s].sums[p] = planes[p].dst + i + s * kStripColumns;
          strips[s].stride[p] = planes[p].dst_stride;
        }
      }
    }
    for (size_t p = 0; p < count;) {
      size_t alike = 1;
      while (p + alike < count && LieAlike(planes[p], planes[p + alike])) alike++;
      const int plane = static_cast<int>(p);
      if (alike == 3) {
        WeighColumns<kTaps, 3>(*across[p], planes + p, strips, strip_count, i, plane);
      } else if (alike == 2) {
        WeighColumns<kTaps, 2>(*across[p], planes + p, strips, strip_count, i, plane);
      } else {
        WeighColumns<kTaps, 1>(*across[p], planes + p, strips, strip_count, i, plane);
      }
      p += alike;
    }
    if (keeps_rows) continue;
    // Strips that do not climb have the same weights.
    const size_t together = y.column == 0 ? strip_count : 1;
    for (size_t s = 0; s < strip_count; s += together) {
      const size_t column = i + s * kStripColumns;
      const int64_t top = y.start + static_cast<int64_t>(column) * y.column;
      const Strip *alike = strips + s;
      // Small rotations, whose strips climb by less than a row.
      if (down.rows == kTaps) {
        WeighStrips<kTaps, kTaps>(down, alike, together, top, y.row, planes, count, column, rows);
      } else if (down.rows == kTaps + 1) {
        WeighStrips<kTaps, kTaps + 1>(down, alike, together, top, y.row, planes, count, column, rows);
      } else {
        WeighStrips<kTaps, 0>(down, alike, together, top, y.row, planes, count, column, rows);
      }
    }
  }
}

void ResampleInTwoPasses(const sl_plane *planes, size_t count, sl_kernel kernel, const sl_axis *y,
                         LaneTables *tables, int16_t *memory, size_t columns, size_t rows) {
  if (kernel == SL_KERNEL_BILINEAR) {
    ResampleTile<2>(planes, count, kernel, *y, tables, memory, columns, rows);
  } else {
    ResampleTile<6>(planes, count, kernel, *y, tables, memory, columns, rows);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ResampleInTwoPasses);

namespace {
// The limit of `LaneTables`: it holds the rows that sixteen columns of this climb reach, and no more.
constexpr auto kMaxClimb = static_cast<int64_t>(SL_PLANAR_MAX_CLIMB * 4294967296.0);

// The product of two Q32 numbers.
int64_t Times(int64_t a, int64_t b) {
  return static_cast<int64_t>((static_cast<__int128>(a) * b + (int64_t{1} << 31)) >> 32);
}

// The same positions, row by row of the output.
void ResampleDirectly(const sl_plane &plane, sl_kernel kernel, const sl_axis &y, size_t columns,
                      size_t rows) {
  sl_line line = {0, y.start, plane.x.column + Times(y.column, plane.x.row), y.column};
  for (size_t j = 0; j < rows; j++, line.y += y.row) {
    line.x = plane.x.start + Times(line.y, plane.x.row);
    int16_t *to = plane.dst + j * plane.dst_stride;
    sl_resample_planes(&plane.window, 1, plane.row_bytes, kernel, &line, &to, columns);
  }
}
}  // namespace
}  // namespace safelight
extern "C" void sl_resample_in_two_passes(const sl_plane *planes, size_t count, sl_kernel kernel,
                                          const sl_axis *y, void *tables, int16_t *memory, size_t columns,
                                          size_t rows) {
  if (y->column > safelight::kMaxClimb || y->column < -safelight::kMaxClimb) {
    for (size_t p = 0; p < count; p++) {
      safelight::ResampleDirectly(planes[p], kernel, *y, columns, rows);
    }
    return;
  }
  SL_KERNEL(safelight::ResampleInTwoPasses)
  (planes, count, kernel, y, static_cast<safelight::LaneTables *>(tables), memory, columns, rows);
}
#endif
