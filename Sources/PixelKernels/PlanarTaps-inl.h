// Weights for a vector of positions, and the weighted sums of one row of samples. Included only by
// PlanarResample.cc, once for every instruction set.
//
// Lanes are output pixels. One load contains the samples of a row that a vector of pixels reaches; byte
// permutes give each lane its taps in pairs, and multiply-adds weight them. Taps are paired from the ends to
// the middle (0 with 5, 1 with 4, 2 with 3), because the weights of such a pair are the same function of the
// position, read from both ends.
//
// Weights are Q14 and sum to exactly 1, so flat areas are unchanged. Sums of a row are kept at 64 per level;
// the rounding error stays below 0.1 of a level.
#if defined(SAFELIGHT_PLANAR_TAPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_PLANAR_TAPS_INL_H
#undef SAFELIGHT_PLANAR_TAPS_INL_H
#else
#define SAFELIGHT_PLANAR_TAPS_INL_H
#endif

#include "PixelKernels.h"
#include "PlanarWeights.h"
#include "WholeVectorPermutes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if SL_WHOLE_VECTOR_PERMUTES
constexpr size_t kMaxLanes = 16;
#else
// Wider vectors would only need more loads: byte tables are looked up within 16 bytes.
constexpr size_t kMaxLanes = 8;
#endif

using D32 = hn::CappedTag<int32_t, kMaxLanes>;
using V32 = hn::Vec<D32>;
using D16 = hn::Repartition<int16_t, D32>;
using V16 = hn::Vec<D16>;
using D8 = hn::Repartition<uint8_t, D32>;
using V8 = hn::Vec<D8>;

constexpr int kLanes = static_cast<int>(hn::MaxLanes(D32()));

// acc + a·b, over the two 16-bit halves of each lane.
HWY_INLINE V32 Dot(V32 acc, V16 a, V16 b) {
#if SL_WHOLE_VECTOR_PERMUTES
  return V32{_mm512_dpwssd_epi32(acc.raw, a.raw, b.raw)};
#else
  const D32 d;
  V32 odd = hn::Zero(d);
  const V32 even = hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), odd);
  return hn::Add(acc, hn::RearrangeToOddPlusEven(even, odd));
#endif
}

// The low halves of `low` and the high halves of `high`.
HWY_INLINE V16 Halves(V16 low, V16 high) { return hn::OddEven(high, low); }
HWY_INLINE V16 ToHigh(V16 v) { return hn::BitCast(D16(), hn::ShiftLeft<16>(hn::BitCast(D32(), v))); }
HWY_INLINE V16 ToLow(V16 v) {
  const hn::RebindToUnsigned<D32> du;
  return hn::BitCast(D16(), hn::ShiftRight<16>(hn::BitCast(du, v)));
}

// The weights of one lane's taps, in pairs from the ends to the middle, and of its rows, in pairs from the
// first on.
template <int kTaps>
struct TapWeights {
  V16 pair[kTaps / 2];
};
template <int kTaps>
struct RowWeights {
  V16 pair[kTaps / 2 + 1];
};

// The Kaiser-windowed sinc of six taps.
struct Sharp {
  static constexpr int kTaps = 6;
  static constexpr int kBefore = 2;  // taps before the sample's own position

// Half of the smallest difference that WeightsAt distinguishes, in Q16.
#if SL_WHOLE_VECTOR_PERMUTES
  static constexpr int64_t kHalfPhase = 0;
#else
  static constexpr int64_t kHalfPhase = 32;
#endif

  // Weights at positions in Q16; only the fraction matters.
  static HWY_INLINE TapWeights<kTaps> WeightsAt(const PlanarWeights &table, V32 position) {
    const D32 d;
    const D16 d16;
    TapWeights<kTaps> w;
#if SL_WHOLE_VECTOR_PERMUTES
    // The fraction f in Q15 in the low half, 1 - f (minus one) in the high half: tap 5 - t has the weight at
    // f that tap t has at 1 - f. Weights are interpolated between 65 nodes, 64 of which fill two vectors.
    const V32 f = hn::And(hn::ShiftRight<1>(position), hn::Set(d, 0x7fff));
    const V16 both = hn::BitCast(d16, hn::Or(f, hn::ShiftLeft<16>(hn::Xor(f, hn::Set(d, 0x7fff)))));
    const V16 node = hn::ShiftRight<9>(both);
    const V16 part =
        hn::ShiftLeft<5>(hn::Add(hn::And(both, hn::Set(d16, 511)), hn::BitCast(d16, hn::Set(d, 0x10000))));
    for (int k = 0; k < kTaps / 2; k++) {
      const V16 value{_mm512_permutex2var_epi16(hn::Load(d16, table.node[k]).raw, node.raw,
                                                hn::Load(d16, table.node[k] + 32).raw)};
      const V16 step{_mm512_permutex2var_epi16(hn::Load(d16, table.step[k]).raw, node.raw,
                                               hn::Load(d16, table.step[k] + 32).raw)};
      w.pair[k] = hn::Add(value, hn::MulFixedPoint15(step, part));
    }
    // The rounding remainder goes to tap 2.
    const V16 sum = hn::Add(hn::Add(w.pair[0], w.pair[1]), w.pair[2]);
    const V32 rest = hn::Sub(hn::Set(d, 1 << 14), Dot(hn::Zero(d), sum, hn::Set(d16, int16_t{1})));
    w.pair[2] = hn::Add(w.pair[2], hn::BitCast(d16, hn::And(rest, hn::Set(d, 0xffff))));
#else
    const V32 phase = hn::And(hn::ShiftRight<6>(position), hn::Set(d, SL_KERNEL_PHASES - 1));
    const V32 index = hn::ShiftLeft<2>(phase);
    for (int k = 0; k < kTaps / 2; k++) {
      w.pair[k] = hn::BitCast(d16, hn::GatherIndex(d, table.phase + k, index));
    }
#endif
    return w;
  }

  // Pairs of rows from an even one on, for lanes whose first row is that one or, if `is_late`, the next.
  template <class Mask>
  static HWY_INLINE RowWeights<kTaps> RowPairs(const TapWeights<kTaps> &w, Mask is_late) {
    const V16 a = w.pair[0], b = w.pair[1], c = w.pair[2];  // 0 5, 1 4, 2 3
    return {{hn::IfThenElse(is_late, ToHigh(a), Halves(a, ToHigh(b))),
             hn::IfThenElse(is_late, Halves(b, ToHigh(c)), c),
             hn::IfThenElse(is_late, Halves(ToLow(c), b), Halves(ToLow(b), a)),
             hn::IfThenElseZero(is_late, ToLow(a))}};
  }
};

// The two samples around a position, weighted by proximity.
struct Bilinear {
  static constexpr int kTaps = 2;
  static constexpr int kBefore = 0;
  static constexpr int64_t kHalfPhase = 2;

  static HWY_INLINE TapWeights<kTaps> WeightsAt(const PlanarWeights &, V32 position) {
    const D32 d;
    const V32 f = hn::And(hn::ShiftRight<2>(position), hn::Set(d, 0x3fff));
    return {{hn::BitCast(D16(), hn::Or(hn::Sub(hn::Set(d, 1 << 14), f), hn::ShiftLeft<16>(f)))}};
  }

  template <class Mask>
  static HWY_INLINE RowWeights<kTaps> RowPairs(const TapWeights<kTaps> &w, Mask is_late) {
    const V16 a = w.pair[0];
    return {{hn::IfThenElse(is_late, ToHigh(a), a), hn::IfThenElseZero(is_late, ToLow(a))}};
  }
};

// The positions of each lane's taps in the loaded samples of a row.
template <class Kernel>
struct TapPlaces {
  V8 pair[Kernel::kTaps / 2];
  // The first sample of each block of lanes that is loaded at once, from the start of the row.
  ptrdiff_t block[2];

  // `first` holds the first columns of lanes 0, 3, 4 and the last, matching `column`.
  HWY_INLINE TapPlaces(V32 column, const int32_t *first) {
    const D32 d;
    V32 offset;
#if SL_WHOLE_VECTOR_PERMUTES
    block[0] = block[1] = HWY_MIN(first[0], first[kLanes - 1]);
    offset = hn::Sub(column, hn::Set(d, static_cast<int32_t>(block[0])));
#else
    HWY_ALIGN int32_t start[kLanes];
    for (int b = 0; b < 2; b++) {
      const int lane = b * 4 < kLanes ? b * 4 : 0;
      block[b] = HWY_MIN(first[lane], first[lane + 3]);
    }
    for (int i = 0; i < kLanes; i++) start[i] = static_cast<int32_t>(block[i / 4]);
    offset = hn::Sub(column, hn::Load(d, start));
#endif
    const V32 halves = hn::Or(offset, hn::ShiftLeft<16>(offset));
    // Odd bytes select zero.
    for (int k = 0; k < Kernel::kTaps / 2; k++) {
      const int32_t taps = k | (Kernel::kTaps - 1 - k) << 16;
      pair[k] = hn::BitCast(D8(), hn::Add(halves, hn::Set(d, static_cast<int32_t>(taps | 0x80008000))));
    }
  }
};

// The weighted sums of one row, at 64 · 256 per level.
template <class Kernel>
HWY_INLINE V32 WeighRow(const uint8_t *row, const TapPlaces<Kernel> &taps,
                        const TapWeights<Kernel::kTaps> &w) {
  const D32 d;
  const D16 d16;
  V32 sum = hn::Set(d, 128);  // rounds the following shift by 8
#if SL_WHOLE_VECTOR_PERMUTES
  const __m512i samples =
      _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(row + taps.block[0])));
  for (int k = 0; k < Kernel::kTaps / 2; k++) {
    const V16 pair{_mm512_maskz_permutexvar_epi8(0x5555555555555555, taps.pair[k].raw, samples)};
    sum = Dot(sum, pair, w.pair[k]);
  }
#else
  V8 samples;
  if constexpr (kLanes == 8) {
    const hn::Half<D8> half;
    samples = hn::Combine(D8(), hn::LoadU(half, row + taps.block[1]), hn::LoadU(half, row + taps.block[0]));
  } else {
    samples = hn::LoadU(D8(), row + taps.block[0]);
  }
  for (int k = 0; k < Kernel::kTaps / 2; k++) {
    sum = Dot(sum, hn::BitCast(d16, hn::TableLookupBytesOr0(samples, taps.pair[k])), w.pair[k]);
  }
#endif
  return sum;
}

// The sums of two rows at 64 per level, in the low and the high halves.
HWY_INLINE V16 JoinRows(V32 even, V32 odd) {
  const D16 d16;
  return Halves(hn::BitCast(d16, hn::ShiftRight<8>(even)), hn::BitCast(d16, hn::ShiftLeft<8>(odd)));
}

HWY_INLINE void StoreSums(V32 sum, int16_t *dst) {
  const D32 d;
  const hn::Rebind<int16_t, D32> dh;
  hn::StoreU(hn::DemoteTo(dh, hn::ShiftRight<14>(hn::Add(sum, hn::Set(d, 1 << 13)))), dh, dst);
}

// The positions of a vector of pixels along one axis: lane i is at `first` + steps[i], in Q16 samples.
class Lanes {
 public:
  // `step` in Q32.
  explicit HWY_INLINE Lanes(int64_t step) {
    for (int i = 0; i < kLanes; i++) steps_[i] = static_cast<int32_t>((i * step) >> 16);
  }

  HWY_INLINE V32 Places(int32_t first) const {
    const D32 d;
    return hn::Add(hn::Set(d, first), hn::Load(d, steps_));
  }
  // The whole part of a lane's position.
  HWY_INLINE int32_t Sample(int32_t first, int lane) const { return (first + steps_[lane]) >> 16; }

 private:
  HWY_ALIGN int32_t steps_[kLanes];
};

// The taps of a row at Q16 positions.
template <class Kernel>
HWY_INLINE TapPlaces<Kernel> TapsAt(V32 places, const Lanes &lanes, int32_t first) {
  HWY_ALIGN int32_t columns[kLanes];
  for (int lane : {0, 3, 4, kLanes - 1}) {
    if (lane < kLanes) columns[lane] = lanes.Sample(first, lane) - Kernel::kBefore;
  }
  return TapPlaces<Kernel>(hn::Sub(hn::ShiftRight<16>(places), hn::Set(D32(), Kernel::kBefore)), columns);
}

// Converts a position in Q32 samples to Q16, ready to have its fraction truncated.
template <class Kernel>
HWY_INLINE int32_t Place(int64_t q32) {
  return static_cast<int32_t>((q32 >> 16) + Kernel::kHalfPhase);
}

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
