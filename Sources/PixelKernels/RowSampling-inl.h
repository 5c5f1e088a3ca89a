// The first of two passes: the pixels of a strip along a row of samples. Included only by TwoPassResample.cc,
// once for every instruction set.
#if defined(SAFELIGHT_ROW_SAMPLING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_ROW_SAMPLING_INL_H
#undef SAFELIGHT_ROW_SAMPLING_INL_H
#else
#define SAFELIGHT_ROW_SAMPLING_INL_H
#endif

#include "LaneTables.h"
#include "WholeVectorPermutes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if SL_WHOLE_VECTOR_PERMUTES
using D32 = hn::CappedTag<int32_t, 16>;
#else
// Wider vectors would only need more loads: byte tables are looked up within 16 bytes.
using D32 = hn::CappedTag<int32_t, 8>;
#endif
using V32 = hn::Vec<D32>;
using D16 = hn::Repartition<int16_t, D32>;
using V16 = hn::Vec<D16>;
using D8 = hn::Repartition<uint8_t, D32>;
using V8 = hn::Vec<D8>;

constexpr size_t kLanes = hn::MaxLanes(D32());
constexpr size_t kVectors = kStripColumns / kLanes;

// A position in Q16 as used with a table.
struct Place {
  int32_t whole;
  uint32_t node;
  int16_t part;      // of the way to the next node, in Q15
  int32_t fraction;  // Q16

  explicit HWY_INLINE Place(int64_t q32)
      : whole(static_cast<int32_t>(q32 >> 32)),
        node(static_cast<uint32_t>(q32) >> 26),
        part(static_cast<int16_t>((static_cast<uint32_t>(q32) >> 11) & 0x7fff)),
        fraction(static_cast<int32_t>(static_cast<uint32_t>(q32) >> 16)) {}
};

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

// The low halves of `low` and the high halves of `high`.
HWY_INLINE V16 Halves(V32 low, V16 high) {
#if HWY_TARGET == HWY_AVX2
  return V16{_mm256_blend_epi16(low.raw, high.raw, 0xaa)};
#else
  return hn::OddEven(high, hn::BitCast(D16(), low));
#endif
}

// The bytes of a pair of taps among the samples, derived from those of the kernel's ends.
HWY_INLINE V8 Taps(V32 ends, int pair) {
  const D32 d;
  // One step nearer to the middle from both ends.
  const V32 taps = hn::Add(ends, hn::Set(d, pair * (1 - 0x10000)));
#if HWY_TARGET <= HWY_SSE4 && HWY_ARCH_X86
  return hn::BitCast(D8(), taps);
#else
  // Within 16 samples; x86 ignores the bits masked here.
  return hn::BitCast(D8(), hn::And(taps, hn::Set(d, static_cast<int32_t>(0x8f8f8f8fu))));
#endif
}

// How the pixels of a strip are sampled along a row: shared by planes with the same positions.
template <int kTaps>
struct RowSampling {
  static constexpr int kPairs = kTaps / 2;
  V16 weights[kVectors][kPairs];
  V8 taps[kVectors][kPairs];
  ptrdiff_t first[2];

  HWY_INLINE RowSampling(const LaneTable &table, int64_t q32) {
    if constexpr (kTaps == 2) {
      SetBilinear(table, Place(q32));
    } else {
      SetSharp(table, Place(q32));
    }
  }

  // The weighted sums of a row, at 64 per level; the truncated part stays below that.
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
    _mm256_storeu_si256(
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
      hn::StoreU(hn::ReorderDemote2To(d16, weigh(0, samples), weigh(1, samples)), d16, to);
    } else {
      const V8 low = hn::LoadU(D8(), row + first[0]), high = hn::LoadU(D8(), row + first[1]);
      hn::StoreU(hn::ReorderDemote2To(d16, weigh(0, low), weigh(2, low)), d16, to);
      hn::StoreU(hn::ReorderDemote2To(d16, weigh(1, high), weigh(3, high)), d16, to + kStripColumns / 2);
    }
#endif
  }

 private:
  HWY_INLINE void SetSharp(const LaneTable &table, const Place &place) {
    const D32 d;
    const D16 d16;
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
        taps[v][k] = Taps(ends, k);
      }
    }
    for (int half = 0; half < 2; half++) first[half] = place.whole + node.first[half];
  }

  HWY_INLINE void SetBilinear(const LaneTable &table, const Place &place) {
    const D32 d;
    for (size_t v = 0; v < kVectors; v++) {
      const V32 places = hn::Add(hn::Set(d, place.fraction), hn::Load(d, table.across_places + v * kLanes));
      const V32 f = hn::And(hn::ShiftRight<2>(places), hn::Set(d, 0x3fff));
      weights[v][0] = hn::BitCast(D16(), hn::Add(hn::Sub(hn::ShiftLeft<16>(f), f), hn::Set(d, 1 << 14)));
      const V32 whole = hn::ShiftRight<16>(places);
      const V32 both = hn::Or(whole, hn::ShiftLeft<16>(whole));
      // Odd bytes select zero; the second tap is one sample after the first.
      taps[v][0] =
          Taps(hn::Or(hn::Add(both, hn::Set(d, 0x10000)), hn::Set(d, static_cast<int32_t>(0x80008000u))), 0);
    }
    for (int half = 0; half < 2; half++) first[half] = place.whole + table.start[half];
  }
};

constexpr size_t kMaxPlanes = 3;

// The source rows that a strip uses, and the first pass's result for them.
struct Strip {
  int32_t first;
  uint32_t count;
  int16_t *sums[kMaxPlanes];
  size_t stride[kMaxPlanes];  // from one row of sums to the next
};

// Without shear every row of a strip has the same weights.
template <int kTaps, int kPlanes>
HWY_INLINE void WeighUprightColumns(const LaneTable &table, const sl_plane *planes, const Strip *strips,
                                    size_t strip_count, int64_t place, int first_plane) {
  for (size_t s = 0; s < strip_count; s++, place += kStripColumns * planes[0].x.column) {
    const RowSampling<kTaps> sampling(table, place);
    for (int p = 0; p < kPlanes; p++) {
      const sl_plane &plane = planes[p];
      const auto row_bytes = static_cast<ptrdiff_t>(plane.row_bytes);
      const uint8_t *from = plane.window + strips[s].first * row_bytes;
      int16_t *to = strips[s].sums[first_plane + p];
      const size_t stride = strips[s].stride[first_plane + p];
      for (uint32_t row = 0; row < strips[s].count; row++, from += row_bytes, to += stride) {
        sampling.Weigh(from, to);
      }
    }
  }
}

// Samples the rows of neighbouring strips, the first beginning at column `i`, of planes with the same
// positions.
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
  // Copies, since stored vectors might alias anything.
  const int64_t row_step = x.row, strip_step = kStripColumns * x.column;
  const uint8_t *from[kPlanes];
  ptrdiff_t row_bytes[kPlanes];
  for (int p = 0; p < kPlanes; p++) {
    row_bytes[p] = static_cast<ptrdiff_t>(planes[p].row_bytes);
    from[p] = planes[p].window + first * row_bytes[p];
  }
  if (row_step == 0)
    return WeighUprightColumns<kTaps, kPlanes>(table, planes, strips, strip_count, place, first_plane);
  for (int32_t row = first; row < end; row++, place += row_step) {
    int64_t strip_place = place;
    for (size_t s = 0; s < strip_count; s++, strip_place += strip_step) {
      const auto at = static_cast<uint32_t>(row - strips[s].first);
      if (at >= strips[s].count) continue;
      const RowSampling<kTaps> sampling(table, strip_place);
      for (int p = 0; p < kPlanes; p++) {
        sampling.Weigh(from[p], strips[s].sums[first_plane + p] + at * strips[s].stride[first_plane + p]);
      }
    }
    for (int p = 0; p < kPlanes; p++) from[p] += row_bytes[p];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
