// Interpolation in baked tables, for each instruction set: included by BakedLut.cc and BakedPair.cc.
#if defined(SAFELIGHT_BAKED_LUT_SUMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_BAKED_LUT_SUMS_INL_H
#undef SAFELIGHT_BAKED_LUT_SUMS_INL_H
#else
#define SAFELIGHT_BAKED_LUT_SUMS_INL_H
#endif

#include <type_traits>

#include "BakedLutPlaces-inl.h"
#include "BakedLutSources-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Two slots for each block of 16 bytes of a vector; each block belongs to another pixel.
struct Slots {
  V16 first, second;
};

// One pixel's slot in each block: pixels 0, 4, 8 and 12, counted from the one that `slot` calls 0.
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

// Sums of a vector of located pixels, at 32 codes per level in Q15 and including the half level for rounding:
// vector k has pixels k, 4 + k, 8 + k and 12 + k in its blocks, as R, G, B, 0.
struct Sums {
  VI v[4];
};

constexpr int32_t kHalfLevel = 1 << 19;

// Adds `start` to every sum.
template <bool kHasCells>
SL_SHARED Sums Interpolate(const char *table, ptrdiff_t n7, const Places &places, size_t i,
                           int32_t start = 0) {
  const DI d;
  const D16 d16;
  const VI first = hn::Load(d, places.weights[0] + i), second = hn::Load(d, places.weights[1] + i);
  static_assert(kLevel == 1 << 5);
  const auto sum = [&](size_t k, VI w0, VI w1) HWY_ATTR {
    const Slots slots = LoadSlots<kHasCells>(table, n7, places, i + k);
    const VI from = hn::Set(d, kHasCells ? start : 0);
    const VI sum = Dot(Dot(from, slots.first, hn::BitCast(d16, w0)), slots.second, hn::BitCast(d16, w1));
    // Cells already include the half level.
    return kHasCells ? sum : hn::Sub(hn::Set(d, start + kHalfLevel), sum);
  };
  return {{sum(0, hn::Broadcast<0>(first), hn::Broadcast<0>(second)),
           sum(1, hn::Broadcast<1>(first), hn::Broadcast<1>(second)),
           sum(2, hn::Broadcast<2>(first), hn::Broadcast<2>(second)),
           sum(3, hn::Broadcast<3>(first), hn::Broadcast<3>(second))}};
}

// Two of a vector's four pixels in each block of 16 bytes, in order: 16-bit R, G, B, 0.
struct Halves {
  V16 low, high;
};

template <int kBits>
HWY_INLINE Halves Shifted(const Sums &sums) {
  const D16 d16;
  const auto value = [&](int k) HWY_ATTR { return hn::ShiftRight<kBits>(sums.v[k]); };
  return {hn::ReorderDemote2To(d16, value(0), value(1)), hn::ReorderDemote2To(d16, value(2), value(3))};
}

// The pixels that are stored, RGBA of 8 or of 16 bits, and how their sums are rounded: to levels, or to codes
// of SL_NODE_UNIT, 32 a level.
using Pixel8 = uint32_t;
using Pixel16 = uint64_t;
template <typename Pixel>
constexpr int kRoundedBits = sizeof(Pixel) == 4 ? 20 : 15;
// Added to sums, which include half a level, before they are rounded.
template <typename Pixel>
constexpr int32_t kRounding = sizeof(Pixel) == 4 ? 0 : (1 << 14) - kHalfLevel;

// Stores levels of 8 bits, clipped, and the alpha of their places.
template <class Source>
HWY_INLINE void StoreRounded(const Halves &levels, const Places &places, size_t i, Pixel8 *dst) {
  const DU du;
  PrefetchAhead(dst);
  auto alpha = hn::Set(du, 0xff000000u);
  if (!Source::kIsOpaque) alpha = hn::And(hn::Load(du, places.alpha + i), alpha);
  hn::StoreU(hn::Or(hn::BitCast(du, PackBytes(levels.low, levels.high)), alpha), du, dst);
}

// The same for codes of SL_NODE_UNIT, which become samples of 16 bits: 65535 / 8160 = 8 + 1/32.
template <class Source>
HWY_INLINE void StoreRounded(const Halves &codes, const Places &places, size_t i, Pixel16 *dst) {
  const hn::Repartition<uint16_t, DI> d;
  const hn::Repartition<uint64_t, DI> dp;
  const auto pixels = [&](V16 v) HWY_ATTR {
    const V16 clipped = hn::Min(hn::Max(v, hn::Zero(D16())), hn::Set(D16(), SL_NODE_UNIT));
    const auto code = hn::BitCast(d, clipped);
    const auto sample = hn::Add(hn::ShiftLeft<3>(code), hn::ShiftRight<5>(code));
    return hn::Or(hn::BitCast(dp, sample), hn::Set(dp, 0xffff000000000000u));
  };
  const auto low = pixels(codes.low), high = pixels(codes.high);
  // Each block of 16 bytes has two of four pixels.
  constexpr size_t kHalf = kLanes / 2;
  if constexpr (kLanes == 4) {
    hn::StoreU(low, dp, dst);
    hn::StoreU(high, dp, dst + kHalf);
  } else {
    const auto even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high), low);
    const auto odd = hn::OddEvenBlocks(high, hn::SwapAdjacentBlocks(low));
    if constexpr (kLanes == 8) {
      hn::StoreU(even, dp, dst);
      hn::StoreU(odd, dp, dst + kHalf);
    } else {
      hn::StoreU(hn::ConcatLowerLower(dp, odd, even), dp, dst);
      hn::StoreU(hn::ConcatUpperUpper(dp, odd, even), dp, dst + kHalf);
    }
  }
  if (!Source::kIsOpaque) {
    for (size_t k = 0; k < kLanes; k++) {
      const uint64_t alpha = (places.alpha[i + k] >> 24) * 257;
      dst[k] = (dst[k] & 0xffffffffffffu) | alpha << 48;
    }
  }
}

// Locates a block of pixels, whose number is a multiple of the vector's.
template <bool kHasCells, class Source>
HWY_INLINE void LocateBlock(const sl_baked_lut &lut, const LutAxis &axis, const Source &source, size_t at,
                            size_t count, Places *places) {
#if HWY_TARGET == HWY_AVX3_DL
  if constexpr (kHasCells && std::is_same_v<Source, Pixels8>) {
    LocateBytes(lut, *static_cast<const PreparedLut *>(lut.prepared), source.src + at, count, places);
    return;
  }
#endif
  const Grid<kHasCells> grid(lut, axis);
  for (size_t i = 0; i < count; i += kLanes) source.LocateAt(grid, at + i, places, i);
}

// The base of positions in a table, and the bytes from a cell's nearest corner to its farthest.
template <bool kHasCells>
HWY_INLINE const char *TableOf(const sl_baked_lut &lut) {
  return reinterpret_cast<const char *>(kHasCells ? static_cast<const PreparedLut *>(lut.prepared)->Cells()
                                                  : lut.nodes);
}
HWY_INLINE ptrdiff_t FarCorner(const sl_baked_lut &lut) {
  const ptrdiff_t size = lut.size;
  return 8 * (1 + size + size * size);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
