// Look-up tables on interleaved pixels: as Lookup.cc, but without intermediate planes.
//
// Vertices are loaded and weighted as in Lookup.cc, one pixel in each block of 16 bytes; weighted blocks of
// consecutive pixels are stored.
//
// Located pixels are in the lane order that takes the fewest steps from memory: lane k of the blocks holds
// the pixels of the k-th weighted vector, and those vectors are stored unchanged, or in pairs that packing
// within blocks restores to order. So nothing has to cross blocks.
#include <string.h>

#include "PixelKernels.h"
#include "PrefetchAhead.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "LookupPixels.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "LookupPlaces-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE VF Fade(VF strength, VF from, VF to) { return hn::MulAdd(strength, hn::Sub(to, from), from); }

// `kLanes` pixels of `Sample`s in memory order.
template <typename Sample>
struct Pixels;

// Lane 4·b + v is block b of vector v.
template <>
struct Pixels<float> {
  static HWY_INLINE Rgb Load(const float *src) {
    const DF d;
    VF v[4];
    for (size_t k = 0; k < 4; k++) v[k] = hn::LoadU(d, src + k * kLanes);
    Transpose(v);
    return {v[0], v[1], v[2]};
  }
  template <bool kFades>
  static HWY_INLINE void Store(VF strength, VF colours, const float *src, float *dst) {
    const DF d;
    const DI di;
    const auto is_alpha = hn::RebindMask(d, hn::Eq(hn::And(hn::Iota(di, 0), hn::Set(di, 3)), hn::Set(di, 3)));
    const VF from = hn::LoadU(d, src);
    if constexpr (kFades) {
      hn::StoreU(hn::IfThenElse(is_alpha, from, Fade(strength, from, colours)), d, dst);
    } else {
      hn::StoreU(hn::IfThenElse(hn::AndNot(is_alpha, hn::Eq(from, from)), colours, from), d, dst);
    }
  }
  template <bool kFades>
  static HWY_INLINE void StorePair(VF strength, VF low, VF high, size_t pair, const float *src, float *dst) {
    const size_t i = 2 * pair * kLanes;
    Store<kFades>(strength, low, src + i, dst + i);
    Store<kFades>(strength, high, src + i + kLanes, dst + i + kLanes);
  }
};

// Blocks of two pixels: lanes 4·b and 4·b + 1 are block b of the lower half, the next two of the upper.
template <>
struct Pixels<uint16_t> {
  using DW = hn::Repartition<uint16_t, DF>;
  using DU = hn::Repartition<uint32_t, DF>;
  using VU = hn::Vec<DU>;
  using VW = hn::Vec<DW>;

  static HWY_INLINE VF Scaled(VU v) {
    const DF d;
    return hn::Mul(hn::ConvertTo(d, hn::BitCast(DI(), v)), hn::Set(d, 1.0f / 65535.0f));
  }
  static HWY_INLINE Rgb Load(const uint16_t *src) {
    const DU du;
    const DW dw;
    const VU low = hn::BitCast(du, hn::LoadU(dw, src)),
             high = hn::BitCast(du, hn::LoadU(dw, src + 2 * kLanes));
#if HWY_TARGET <= HWY_AVX3
    const VU red_green{_mm512_castps_si512(
        _mm512_shuffle_ps(_mm512_castsi512_ps(low.raw), _mm512_castsi512_ps(high.raw), 0x88))};
    const VU blue_alpha{_mm512_castps_si512(
        _mm512_shuffle_ps(_mm512_castsi512_ps(low.raw), _mm512_castsi512_ps(high.raw), 0xdd))};
#elif HWY_TARGET == HWY_AVX2
    const VU red_green{_mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(low.raw), _mm256_castsi256_ps(high.raw), 0x88))};
    const VU blue_alpha{_mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(low.raw), _mm256_castsi256_ps(high.raw), 0xdd))};
#else
    const VU red_green = hn::ConcatEven(du, high, low), blue_alpha = hn::ConcatOdd(du, high, low);
#endif
    const VU word = hn::Set(du, 0xffff);
    return {Scaled(hn::And(red_green, word)), Scaled(hn::ShiftRight<16>(red_green)),
            Scaled(hn::And(blue_alpha, word))};
  }
  // Full-scale integers, rounded and clipped; NaN becomes 0.
  static HWY_INLINE VW Codes(VF low, VF high) {
    const DF d;
    const VF full = hn::Set(d, 65535.0f);
#if HWY_TARGET <= HWY_SSE4
    // If one is NaN, Min returns the second operand; Integers turns it into the lowest integer, which packing
    // clips.
    const VI i0 = Integers(hn::Min(full, hn::Mul(low, full))),
             i1 = Integers(hn::Min(full, hn::Mul(high, full)));
#if HWY_TARGET <= HWY_AVX3
    return VW{_mm512_packus_epi32(i0.raw, i1.raw)};
#elif HWY_TARGET == HWY_AVX2
    return VW{_mm256_packus_epi32(i0.raw, i1.raw)};
#else
    return VW{_mm_packus_epi32(i0.raw, i1.raw)};
#endif
#else
    const auto codes = [&](VF v) HWY_ATTR {
      return hn::NearestInt(hn::Min(hn::Max(hn::Mul(v, full), hn::Zero(d)), full));
    };
    const hn::Half<DW> half;
    return hn::Combine(DW(), hn::DemoteTo(half, codes(high)), hn::DemoteTo(half, codes(low)));
#endif
  }
  template <bool kFades>
  static HWY_INLINE void StorePair(VF strength, VF low, VF high, size_t pair, const uint16_t *src,
                                   uint16_t *dst) {
    const DW dw;
    const DU du;
    const hn::Repartition<uint64_t, DF> d64;
    const auto is_alpha = hn::BitCast(dw, hn::Set(d64, 0xffff000000000000u));
    const size_t i = 2 * pair * kLanes;
    const VW from = hn::LoadU(dw, src + i);
    if constexpr (kFades) {
      const VW zero = hn::Zero(dw);
      low = Fade(strength, Scaled(hn::BitCast(du, hn::InterleaveLower(dw, from, zero))), low);
      high = Fade(strength, Scaled(hn::BitCast(du, hn::InterleaveUpper(dw, from, zero))), high);
    }
    hn::StoreU(hn::Or(hn::AndNot(is_alpha, Codes(low, high)), hn::And(from, is_alpha)), dw, dst + i);
  }
};

// Weights the pixels in lanes `kVector` of the blocks of a located vector.
template <int kVector>
SL_SHARED VF WeighNodes(const float *nodes, ptrdiff_t to_farthest, const LookupPlaces &places, size_t i) {
  const DF d;
  const size_t at = i + kVector;
  const auto weight = [&](int k)
                          HWY_ATTR { return hn::Broadcast<kVector>(hn::Load(d, places.weights[k] + i)); };
  const VF near = hn::MulAdd(weight(1), LoadNodes(d, nodes, places.a + at),
                             hn::Mul(weight(0), LoadNodes(d, nodes, places.nearest + at)));
  return hn::MulAdd(weight(3), LoadNodes(d, nodes + to_farthest, places.nearest + at),
                    hn::MulAdd(weight(2), LoadNodes(d, nodes, places.b + at), near));
}

// Prefetches a vector of pixels.
template <typename Sample>
HWY_INLINE void PrefetchPixels(const Sample *pixels) {
  for (size_t at = 0; at < 4 * kLanes; at += 64 / sizeof(Sample)) PrefetchAhead(pixels + at);
}

// The number of pixels located at once: less than a block, so that more nodes stay in the first-level cache.
constexpr size_t kPixels = HWY_MAX(64, 8 * kLanes);

// At most `kPixels`, and a multiple of the vector length.
template <typename Sample, bool kFades>
HWY_INLINE void LookUpPixels(const sl_lookup &t, const Sample *src, Sample *dst, size_t count,
                             LookupPlaces *places) {
  using P = Pixels<Sample>;
  const VF strength = hn::Set(DF(), t.strength);
  for (size_t i = 0; i < count; i += kLanes) {
    PrefetchPixels(src + 4 * i);
    StorePlaces(Locate(t, Shaped(t, P::Load(src + 4 * i))), places, i);
  }
  const ptrdiff_t size = t.size, to_farthest = 4 * (1 + size + size * size);
  const float *nodes = t.nodes;
  for (size_t i = 0; i < count; i += kLanes) {
    PrefetchPixels(dst + 4 * i);
    P::template StorePair<kFades>(strength, WeighNodes<0>(nodes, to_farthest, *places, i),
                                  WeighNodes<1>(nodes, to_farthest, *places, i), 0, src + 4 * i, dst + 4 * i);
    P::template StorePair<kFades>(strength, WeighNodes<2>(nodes, to_farthest, *places, i),
                                  WeighNodes<3>(nodes, to_farthest, *places, i), 1, src + 4 * i, dst + 4 * i);
  }
}

template <typename Sample, bool kFades>
void LookUpRow(const sl_lookup &t, const Sample *src, Sample *dst, size_t n) {
  LookupPlaces places;
  const size_t whole = n - n % kLanes;
  for (size_t i = 0; i < whole; i += kPixels) {
    LookUpPixels<Sample, kFades>(t, src + 4 * i, dst + 4 * i, HWY_MIN(kPixels, whole - i), &places);
  }
  if (whole < n) {
    Sample last[4 * kLanes] = {};
    const size_t bytes = 4 * (n - whole) * sizeof(Sample);
    memcpy(last, src + 4 * whole, bytes);
    LookUpPixels<Sample, kFades>(t, last, last, kLanes, &places);
    memcpy(dst + 4 * whole, last, bytes);
  }
}

template <typename Sample>
void LookUp(const sl_lookup &t, const void *src, void *dst, size_t n) {
  const auto *from = static_cast<const Sample *>(src);
  auto *to = static_cast<Sample *>(dst);
  if (t.strength == 1) return LookUpRow<Sample, false>(t, from, to, n);
  LookUpRow<Sample, true>(t, from, to, n);
}

void LookUpPixelsOf(const sl_lookup *t, const void *src, void *dst, sl_sample type, size_t n) {
  if (type == SL_U16) return LookUp<uint16_t>(*t, src, dst, n);
  LookUp<float>(*t, src, dst, n);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
namespace {
HWY_EXPORT(LookUpPixelsOf);
}
}  // namespace safelight
extern "C" void sl_look_up_pixels(const sl_lookup *table, const void *src, void *dst, sl_sample type,
                                  size_t n) {
  SL_KERNEL(safelight::LookUpPixelsOf)(table, src, dst, type, n);
}
#endif
