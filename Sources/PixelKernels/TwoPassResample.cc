// Sampling a tile of planes of 8-bit samples in two passes, for small turns: each source row once, at the
// places where the output's columns cross it, then those columns.
//
//   I(i, r) = Σ K(k - X(i, r)) · source(k, r)        X(i, r) = x.start + i·x.column + r·x.row
//   O(i, j) = Σ K(r - Y(i, j)) · I(i, r)             Y(i, j) = y.start + i·y.column + j·y.row
//
// A source row is weighed once and not for each of the six output rows that it is part of.
// Source: Catmull, Smith, "3-D transformations of images in scanline order", SIGGRAPH 1980.
//
// The tile is cut in strips of sixteen columns, whose weights come from tables (LaneTables.h). Along rows,
// byte permutes bring each pixel its taps in pairs, and multiply-adds weigh them: weights are Q14 and add up
// to exactly 1. Four strips are sampled row by row, since neighbouring strips need nearly the same part of
// the table; what that makes stays in the caches. Down columns the differences from one row are weighed, in
// 16 bit: so flat areas stay exactly as they are. What products are rounded by stays below 0.05 of a level.
//
// All is integer arithmetic, so instruction sets agree to the bit.

// Byte permutes of whole vectors and dot products that accumulate.
#define HWY_WANT_AVX3_DL
#include "LaneTables.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "TwoPassResample.cc"
#include "hwy/foreach_target.h"

// After the line above, which includes this file again.
#include "WholeVectorPermutes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kMaxPlanes = 3;
constexpr size_t kStrips = 4;  // that are sampled together

#if SL_WHOLE_VECTOR_PERMUTES
using D32 = hn::CappedTag<int32_t, 16>;
#else
// Wider vectors would only take more loads to fill: tables of bytes are looked up within 16.
using D32 = hn::CappedTag<int32_t, 8>;
#endif
using V32 = hn::Vec<D32>;
using D16 = hn::Repartition<int16_t, D32>;
using V16 = hn::Vec<D16>;
using D8 = hn::Repartition<uint8_t, D32>;
using V8 = hn::Vec<D8>;

constexpr size_t kLanes = hn::MaxLanes(D32());
constexpr size_t kVectors = kStripColumns / kLanes;

// A place in Q16 as a table knows it.
struct Place {
  int32_t whole;
  uint32_t node;
  int16_t part;  // of the way to the next node, in Q15

  explicit HWY_INLINE Place(int64_t q32)
      : whole(static_cast<int32_t>(q32 >> 32)),
        node(static_cast<uint32_t>(q32) >> 26),
        part(static_cast<int16_t>((static_cast<uint32_t>(q32) >> 11) & 0x7fff)) {}
};

// MARK: Along rows

#if SL_WHOLE_VECTOR_PERMUTES
HWY_INLINE V32 Dot(V32 acc, V16 a, V16 b) { return V32{_mm512_dpwssd_epi32(acc.raw, a.raw, b.raw)}; }
#else
HWY_INLINE V32 Dot(V32 acc, V16 a, V16 b) {
  const D32 d;
  V32 odd = hn::Zero(d);
  const V32 even = hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), odd);
  return hn::Add(acc, hn::RearrangeToOddPlusEven(even, odd));
}
#endif

// The low halves of `low` beside the high halves of `high`.
HWY_INLINE V16 Halves(V32 low, V16 high) {
#if HWY_TARGET == HWY_AVX2
  return V16{_mm256_blend_epi16(low.raw, high.raw, 0xaa)};
#else
  return hn::OddEven(high, hn::BitCast(D16(), low));
#endif
}

// How the pixels of a strip are sampled along a row: the same for planes that lie alike.
template <int kTaps>
struct RowSampling {
  static constexpr int kPairs = kTaps / 2;
  V16 weights[kVectors][kPairs];
  V8 taps[kVectors][kPairs];
  ptrdiff_t first[2];

  HWY_INLINE RowSampling(const LaneTable &table, int64_t q32) {
    const D32 d;
    const D16 d16;
    const Place place(q32);
    const AcrossNode &node = table.across[place.node];
    const V16 part = hn::Set(d16, place.part);
    for (size_t v = 0; v < kVectors; v++) {
      const size_t at = v * 2 * kLanes;
      V16 *w = weights[v];
      for (int k = 0; k < kPairs; k++) {
        w[k] = hn::Add(hn::MulFixedPoint15(part, hn::Load(d16, node.step[k] + at)),
                       hn::Load(d16, node.value[k] + at));
      }
      V16 sum = w[0];
      for (int k = 1; k < kPairs; k++) sum = hn::Add(sum, w[k]);
      const V32 rest = Dot(hn::Set(d, 1 << 14), sum, hn::Set(d16, int16_t{-1}));
      w[kPairs - 1] = Halves(rest, w[kPairs - 1]);
      const V32 ends = hn::BitCast(d, hn::Load(hn::RebindToUnsigned<D32>(), node.taps + v * kLanes));
      for (int k = 0; k < kPairs; k++) {
        // A step nearer to the middle from both ends.
        const V32 pair = hn::Add(ends, hn::Set(d, k * (1 - 0x10000)));
#if HWY_TARGET <= HWY_SSE4 && HWY_ARCH_X86
        taps[v][k] = hn::BitCast(D8(), pair);
#else
        // Within 16 samples; x86 does not look at what is left out here.
        taps[v][k] = hn::BitCast(D8(), hn::And(pair, hn::Set(d, static_cast<int32_t>(0x8f8f8f8fu))));
#endif
      }
    }
    for (int half = 0; half < 2; half++) first[half] = place.whole + node.first[half];
  }

  // The weighted sums of a row, 64 a level; what is cut off stays below that.
  HWY_INLINE void Weigh(const uint8_t *row, int16_t *to) const {
    const D32 d;
    const D16 d16;
#if SL_WHOLE_VECTOR_PERMUTES
    const auto piece = [&](int half) HWY_ATTR {
      return _mm_loadu_si128(reinterpret_cast<const __m128i *>(row + first[half]));
    };
    const __m512i samples = _mm512_mask_broadcast_i32x4(_mm512_broadcast_i32x4(piece(0)), 0xf0f0, piece(1));
    V32 sum = hn::Zero(d);
    for (int k = 0; k < kPairs; k++) {
      const V16 pair{_mm512_shuffle_epi8(samples, taps[0][k].raw)};
      sum = Dot(sum, pair, weights[0][k]);
    }
    sum = hn::ShiftRight<8>(sum);
    (void)d16;
    _mm256_store_si256(
        reinterpret_cast<__m256i *>(to),
        _mm256_packs_epi32(_mm512_castsi512_si256(sum.raw), _mm512_extracti64x4_epi64(sum.raw, 1)));
#else
    const auto weigh = [&](size_t v, V8 samples) HWY_ATTR {
      V32 sum =
          Dot(hn::Zero(d), hn::BitCast(d16, hn::TableLookupBytesOr0(samples, taps[v][0])), weights[v][0]);
      for (int k = 1; k < kPairs; k++) {
        sum = Dot(sum, hn::BitCast(d16, hn::TableLookupBytesOr0(samples, taps[v][k])), weights[v][k]);
      }
      return hn::ShiftRight<8>(sum);
    };
    if constexpr (kVectors == 2) {
      const hn::Half<D8> half;
      const V8 samples = hn::Combine(D8(), hn::LoadU(half, row + first[1]), hn::LoadU(half, row + first[0]));
      hn::Store(hn::ReorderDemote2To(d16, weigh(0, samples), weigh(1, samples)), d16, to);
    } else {
      const V8 low = hn::LoadU(D8(), row + first[0]), high = hn::LoadU(D8(), row + first[1]);
      hn::Store(hn::ReorderDemote2To(d16, weigh(0, low), weigh(2, low)), d16, to);
      hn::Store(hn::ReorderDemote2To(d16, weigh(1, high), weigh(3, high)), d16, to + kStripColumns / 2);
    }
#endif
  }
};

// The source rows that a strip weighs, and what the first pass makes of them.
struct Strip {
  int32_t first;
  uint32_t count;
  int16_t *sums[kMaxPlanes];
};

// Samples the rows of neighbouring strips, the first one beginning at column `i`, of planes that lie alike.
template <int kTaps, int kPlanes>
HWY_INLINE void WeighColumns(const LaneTable &table, const sl_plane *planes, const Strip *strips,
                             size_t strip_count, size_t i, int first_plane) {
  const sl_axis &x = planes[0].x;
  int32_t first = strips[0].first, end = first + static_cast<int32_t>(strips[0].count);
  for (size_t s = 1; s < strip_count; s++) {
    first = HWY_MIN(first, strips[s].first);
    end = HWY_MAX(end, strips[s].first + static_cast<int32_t>(strips[s].count));
  }
  int64_t place = x.start + static_cast<int64_t>(i) * x.column + first * x.row;
  for (int32_t row = first; row < end; row++, place += x.row) {
    for (size_t s = 0; s < strip_count; s++) {
      const auto at = static_cast<uint32_t>(row - strips[s].first);
      if (at >= strips[s].count) continue;
      const RowSampling<kTaps> sampling(table, place + static_cast<int64_t>(s) * kStripColumns * x.column);
      for (int p = 0; p < kPlanes; p++) {
        sampling.Weigh(planes[p].window + row * static_cast<ptrdiff_t>(planes[p].row_bytes),
                       strips[s].sums[first_plane + p] + at * kStripColumns);
      }
    }
  }
}

// MARK: Down columns

using DC = hn::CappedTag<int16_t, kStripColumns>;
using VC = hn::Vec<DC>;
constexpr size_t kColumnLanes = hn::MaxLanes(DC());

// One output row of a strip. `kRows` is how many rows the table weighs, or 0: as many as it says.
template <int kRows>
HWY_INLINE void WeighRows(const LaneTable &table, const Strip &strip, const Place &place, size_t planes,
                          int16_t *const *to) {
  const DC d;
  const int rows = kRows > 0 ? kRows : table.rows;
  const int centre = LaneTable::CentreOf(rows);
  const int16_t *weights = table.Down(place.node);
  const VC part = hn::Set(d, place.part);
  const size_t first = static_cast<size_t>(place.whole + table.first[place.node] - strip.first);
  for (size_t half = 0; half < kStripColumns; half += kColumnLanes) {
    VC w[kMaxDownRows - 1];
    for (int k = 0; k < rows - 1; k++) {
      const int16_t *at = weights + k * 2 * kStripColumns + half;
      w[k] = hn::Add(hn::MulFixedPoint15(part, hn::Load(d, at + kStripColumns)), hn::Load(d, at));
    }
    for (size_t p = 0; p < planes; p++) {
      const int16_t *from = strip.sums[p] + first * kStripColumns + half;
      const VC middle = hn::Load(d, from + centre * kStripColumns);
      const auto weigh = [&](int row, VC weight) HWY_ATTR {
        return hn::MulFixedPoint15(hn::Sub(middle, hn::Load(d, from + row * kStripColumns)), weight);
      };
      VC sum = middle;
      for (int row = 0; row < centre; row++) sum = hn::Add(sum, weigh(row, w[row]));
      for (int row = centre + 1; row < rows; row++) sum = hn::Add(sum, weigh(row, w[row - 1]));
      hn::StoreU(sum, d, to[p] + half);
    }
  }
}

template <int kRows>
HWY_INLINE void WeighStrip(const LaneTable &table, const Strip &strip, int64_t top, int64_t step,
                           const sl_plane *planes, size_t count, size_t i, size_t rows) {
  int16_t *to[kMaxPlanes];
  for (size_t p = 0; p < count; p++) to[p] = planes[p].dst + i;
  for (size_t j = 0; j < rows; j++, top += step) {
    WeighRows<kRows>(table, strip, Place(top), count, to);
    for (size_t p = 0; p < count; p++) to[p] += planes[p].dst_stride;
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
  for (size_t i = 0; i < columns; i += kStrips * kStripColumns) {
    const size_t strip_count = HWY_MIN(kStrips, (columns - i) / kStripColumns);
    Strip strips[kStrips];
    int16_t *sums = memory;
    for (size_t s = 0; s < strip_count; s++) {
      const int64_t top = y.start + static_cast<int64_t>(i + s * kStripColumns) * y.column;
      const Place begin(top), end(top + static_cast<int64_t>(rows - 1) * y.row);
      const int32_t first = begin.whole + down.first[begin.node], last = end.whole + down.first[end.node];
      strips[s].first = HWY_MIN(first, last);
      strips[s].count = static_cast<uint32_t>(HWY_MAX(first, last) - strips[s].first + down.rows);
      for (size_t p = 0; p < count; p++, sums += strips[s].count * kStripColumns) strips[s].sums[p] = sums;
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
    for (size_t s = 0; s < strip_count; s++) {
      const size_t column = i + s * kStripColumns;
      const int64_t top = y.start + static_cast<int64_t>(column) * y.column;
      // Small turns, whose strips climb by less than a row.
      if (down.rows == kTaps) {
        WeighStrip<kTaps>(down, strips[s], top, y.row, planes, count, column, rows);
      } else if (down.rows == kTaps + 1) {
        WeighStrip<kTaps + 1>(down, strips[s], top, y.row, planes, count, column, rows);
      } else {
        WeighStrip<0>(down, strips[s], top, y.row, planes, count, column, rows);
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
}
extern "C" void sl_resample_in_two_passes(const sl_plane *planes, size_t count, sl_kernel kernel,
                                          const sl_axis *y, void *tables, int16_t *memory, size_t columns,
                                          size_t rows) {
  SL_KERNEL(safelight::ResampleInTwoPasses)
  (planes, count, kernel, y, static_cast<safelight::LaneTables *>(tables), memory, columns, rows);
}
#endif
