// Tetrahedral interpolation in baked 3D tables, 8-bit output.
//
//   out = n0 + fmax·(nA - n0) + fmid·(nB - nA) + fmin·(n7 - nB)
//
// n0 and n7 are the corners of the cell nearest to and farthest from the origin, A is reached from n0 along
// the axis with the largest fraction, B from A along the middle one.
// Source: Kasson, Nin, Plouffe, Hafner, "Performing color space conversions with three-dimensional linear
// interpolation", J. Electronic Imaging 4(3), 1995.
//
// A block of pixels is located first, a vector of pixels at a time; then each pixel's two slots of 16 bytes
// are loaded by plain loads, which cost less than gathers, and multiplied with its weights. Tables that were
// prepared have the slots of each tetrahedron side by side (BakedLut.h); else four nodes make them. Products
// are exact and rounded once, so both ways give the same colours.
#include "BakedLut.h"

#include <type_traits>

// Byte permutes of whole vectors and dot products that accumulate.
#define HWY_WANT_AVX3_DL
#include "InstructionSet.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "BakedLut.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "BakedLutPlaces-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// sum + a·b, of the two 16-bit halves of each lane.
HWY_INLINE VI Dot(VI sum, V16 a, V16 b) {
#if HWY_TARGET == HWY_AVX3_DL
  return VI{_mm512_dpwssd_epi32(sum.raw, a.raw, b.raw)};
#else
  return hn::Add(sum, MultiplyPairs(a, b));
#endif
}

// Clipped to bytes, the even and the odd blocks of 8 bytes coming from `low` and `high`.
HWY_INLINE hn::Vec<D8> PackBytes(V16 low, V16 high) {
#if HWY_TARGET <= HWY_AVX3
  return hn::Vec<D8>{_mm512_packus_epi16(low.raw, high.raw)};
#elif HWY_TARGET == HWY_AVX2
  return hn::Vec<D8>{_mm256_packus_epi16(low.raw, high.raw)};
#else
  const hn::Half<D8> half;
  return hn::Combine(D8(), hn::DemoteTo(half, high), hn::DemoteTo(half, low));
#endif
}

// Two slots for each block of 16 bytes of a vector, each block another pixel's.
struct Slots {
  V16 first, second;
};

// One pixel's slot in each block: pixels 0, 4, 8 and 12 from the one that `slot` calls 0.
template <class Slot>
HWY_INLINE V16 Blocks(const Slot &slot) {
  const D16 d;
  if constexpr (kLanes == 16) {
    const hn::Half<D16> half;
    return hn::Combine(d, hn::Combine(half, slot(12), slot(8)), hn::Combine(half, slot(4), slot(0)));
  } else if constexpr (kLanes == 8) {
    return hn::Combine(d, slot(4), slot(0));
  } else {
    return slot(0);
  }
}

template <bool kHasCells>
HWY_INLINE Slots LoadSlots(const char *table, ptrdiff_t n7, const Places &places, size_t i) {
  const hn::FixedTag<int16_t, 8> d;
  if constexpr (kHasCells) {
#if HWY_TARGET <= HWY_AVX3
    const auto both = [&](size_t k) HWY_ATTR {
      return _mm256_load_si256(reinterpret_cast<const __m256i *>(table + places.first[i + k]));
    };
    const auto pair = [&](size_t k) HWY_ATTR {
      return _mm512_inserti64x4(_mm512_castsi256_si512(both(k)), both(k + 4), 1);
    };
    const __m512i low = pair(0), high = pair(8);
    return {V16{_mm512_shuffle_i64x2(low, high, 0x88)}, V16{_mm512_shuffle_i64x2(low, high, 0xdd)}};
#else
    const auto slot = [&](size_t k, int32_t offset) HWY_ATTR {
      return hn::Load(d, reinterpret_cast<const int16_t *>(table + places.first[i + k] + offset));
    };
    return {Blocks([&](size_t k) HWY_ATTR { return slot(k, 0); }),
            Blocks([&](size_t k) HWY_ATTR { return slot(k, kSlotBytes); })};
#endif
  } else {
    const hn::FixedTag<int16_t, 4> dn;
    const auto join = [&](const char *x, const char *y) HWY_ATTR {
      const auto node = [&](const char *p) HWY_ATTR {
        return hn::ZeroExtendVector(d, hn::LoadU(dn, reinterpret_cast<const int16_t *>(p)));
      };
      return hn::InterleaveLower(d, node(x), node(y));
    };
    return {
        Blocks([&](size_t k) HWY_ATTR {
          const char *n0 = table + places.first[i + k];
          return join(n0, n0 + n7);
        }),
        Blocks([&](size_t k) HWY_ATTR { return join(table + places.a[i + k], table + places.b[i + k]); })};
  }
}

// The colours of a vector of located pixels.
template <bool kHasCells>
HWY_INLINE void Interpolate(const char *table, ptrdiff_t n7, const Places &places, size_t i, uint32_t *dst) {
  const DI d;
  const DU du;
  const D16 d16;
  const VI first = hn::Load(d, places.weights[0] + i), second = hn::Load(d, places.weights[1] + i);
  // Sums are 32 codes a level, in Q15. Cells bring the half level that rounds with them.
  static_assert(kLevel == 1 << 5);
  const auto levels = [&](size_t k, VI w0, VI w1) HWY_ATTR {
    const Slots slots = LoadSlots<kHasCells>(table, n7, places, i + k);
    const VI sum =
        Dot(Dot(hn::Zero(d), slots.first, hn::BitCast(d16, w0)), slots.second, hn::BitCast(d16, w1));
    return hn::ShiftRight<20>(kHasCells ? sum : hn::Sub(hn::Set(d, 1 << 19), sum));
  };
  const VI v0 = levels(0, hn::Broadcast<0>(first), hn::Broadcast<0>(second));
  const VI v1 = levels(1, hn::Broadcast<1>(first), hn::Broadcast<1>(second));
  const VI v2 = levels(2, hn::Broadcast<2>(first), hn::Broadcast<2>(second));
  const VI v3 = levels(3, hn::Broadcast<3>(first), hn::Broadcast<3>(second));
  // Within blocks of 16 bytes, so that pixels come out in their order.
  const auto colour = PackBytes(hn::ReorderDemote2To(d16, v0, v1), hn::ReorderDemote2To(d16, v2, v3));
  const auto alpha = hn::And(hn::Load(du, places.alpha + i), hn::Set(du, 0xff000000u));
  hn::StoreU(hn::Or(hn::BitCast(du, colour), alpha), du, dst);
}

// Any block whose count is a multiple of the vector's.
template <bool kHasCells, class Source>
HWY_INLINE void ApplyToBlock(const sl_baked_lut &lut, const LutAxis &axis, const Source &source, size_t at,
                             size_t count, Places *places, uint32_t *dst) {
  const auto *prepared = static_cast<const PreparedLut *>(lut.prepared);
#if HWY_TARGET == HWY_AVX3_DL
  if constexpr (kHasCells && std::is_same_v<Source, Pixels8>) {
    LocateBytes(lut, *prepared, source.src + at, count, places);
  } else
#endif
  {
    for (size_t i = 0; i < count; i += kLanes)
      source.template LocateAt<kHasCells>(lut, axis, at + i, places, i);
  }
  const int16_t *table = kHasCells ? prepared->Cells() : lut.nodes;
  const ptrdiff_t size = lut.size;
  const ptrdiff_t n7 = 8 * (1 + size + size * size);
  for (size_t i = 0; i < count; i += kLanes) {
    Interpolate<kHasCells>(reinterpret_cast<const char *>(table), n7, *places, i, dst + i);
  }
}

template <bool kHasCells, class Source>
void ApplyToAll(const sl_baked_lut &lut, const Source &source, uint32_t *dst, size_t n) {
  const LutAxis axis(lut, Source::kFull);
  Places places;
  const size_t whole = n - n % kLanes;
  for (size_t i = 0; i < whole; i += kBlock) {
    ApplyToBlock<kHasCells>(lut, axis, source, i, HWY_MIN(kBlock, whole - i), &places, dst + i);
  }
  if (whole < n) {
    typename Source::Copy copy;
    uint32_t out[kLanes];
    ApplyToBlock<kHasCells>(lut, axis, source.Last(whole, n - whole, &copy), 0, kLanes, &places, out);
    for (size_t k = whole; k < n; k++) dst[k] = out[k - whole];
  }
}

template <class Source>
void Apply(const sl_baked_lut &lut, const Source &source, uint8_t *dst, size_t n) {
  auto *pixels = reinterpret_cast<uint32_t *>(dst);
  if (lut.prepared != nullptr) {
    ApplyToAll<true>(lut, source, pixels, n);
  } else {
    ApplyToAll<false>(lut, source, pixels, n);
  }
}

void ApplyBakedLut(const sl_baked_lut *lut, const void *src, sl_sample type, uint8_t *dst, size_t n) {
  if (type == SL_U8) {
    Apply(*lut, Pixels8{static_cast<const uint32_t *>(src)}, dst, n);
  } else {
    Apply(*lut, Pixels16{static_cast<const uint64_t *>(src)}, dst, n);
  }
}

void ApplyBakedLutPlanar(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g, const uint16_t *b,
                         uint8_t *dst, size_t n) {
  Apply(*lut, Planes16{r, g, b}, dst, n);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ApplyBakedLut);
HWY_EXPORT(ApplyBakedLutPlanar);
}  // namespace safelight
extern "C" void sl_apply_baked_lut(const sl_baked_lut *lut, const void *src, sl_sample type, uint8_t *dst,
                                   size_t n) {
  safelight::ChooseInstructionSetOnce();
  HWY_DYNAMIC_DISPATCH(safelight::ApplyBakedLut)(lut, src, type, dst, n);
}

extern "C" void sl_apply_baked_lut_planar(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g,
                                          const uint16_t *b, uint8_t *dst, size_t n) {
  safelight::ChooseInstructionSetOnce();
  HWY_DYNAMIC_DISPATCH(safelight::ApplyBakedLutPlanar)(lut, r, g, b, dst, n);
}
#endif
