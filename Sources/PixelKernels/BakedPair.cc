// Two baked 3D tables in sequence, 8-bit output: the result of the first is not rounded to 8 bits.
//
// Between the tables, colours are kept at SL_NODE_UNIT per unit, 32 codes per level.
#include "BakedLut.h"

// Byte permutes of whole vectors and dot products that accumulate.
#define HWY_WANT_AVX3_DL
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "BakedPair.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "BakedLutSums-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct Codes {
  VI r, g, b;
};

HWY_INLINE Codes CodesOf(const Sums &sums) {
  const DI d;
  const hn::Repartition<int64_t, DI> d64;
  // The nearest code, without the half level.
  const auto codes = [&](int k) HWY_ATTR {
    return hn::ShiftRight<15>(hn::Sub(sums.v[k], hn::Set(d, (1 << 19) - (1 << 14))));
  };
  const VI v0 = codes(0), v1 = codes(1), v2 = codes(2), v3 = codes(3);
  const auto red_green = [&](VI x, VI y) HWY_ATTR { return hn::BitCast(d64, hn::InterleaveLower(d, x, y)); };
  const auto blue = [&](VI x, VI y) HWY_ATTR { return hn::BitCast(d64, hn::InterleaveUpper(d, x, y)); };
  const auto low = red_green(v0, v1), high = red_green(v2, v3);
  return {hn::BitCast(d, hn::InterleaveLower(d64, low, high)),
          hn::BitCast(d, hn::InterleaveUpper(d64, low, high)),
          hn::BitCast(d, hn::InterleaveLower(d64, blue(v0, v1), blue(v2, v3)))};
}

HWY_INLINE VI Clip(VI code) {
  const DI d;
  return hn::Min(hn::Max(code, hn::Zero(d)), hn::Set(d, SL_NODE_UNIT));
}

// The unclipped output of the first table for a block; the second table's source.
struct Middle {
  static constexpr float kFull = SL_NODE_UNIT;
  alignas(64) int32_t r[kBlock], g[kBlock], b[kBlock];

  HWY_INLINE void Store(const Codes &codes, size_t i) {
    const DI d;
    hn::Store(codes.r, d, r + i);
    hn::Store(codes.g, d, g + i);
    hn::Store(codes.b, d, b + i);
  }

  // Alpha stays as set from the first table's source.
  template <bool kHasCells>
  HWY_INLINE void LocateAt(const sl_baked_lut &lut, const LutAxis &axis, size_t at, Places *out,
                           size_t i) const {
    const DI d;
    Locate<kHasCells>(lut, axis, Clip(hn::Load(d, r + at)), Clip(hn::Load(d, g + at)),
                      Clip(hn::Load(d, b + at)), out, i);
  }
};

struct Pair {
  const sl_baked_lut &first, &second;
  LutAxis first_axis, second_axis;
  int32_t slope;  // Q15

  Pair(const sl_baked_lut &first, const sl_baked_lut &second, float slope_outside, float full)
      : first(first),
        second(second),
        first_axis(first, full),
        second_axis(second, Middle::kFull),
        slope(static_cast<int32_t>(slope_outside * 32768.0f + 0.5f)) {}

  // Converts codes of one channel to levels, adding the continuation outside the second table.
  HWY_INLINE VI Levels(VI code, const int32_t *unclipped) const {
    const DI d;
    const VI x = hn::Load(d, unclipped);
    const VI outside = hn::ShiftRight<15>(hn::Mul(hn::Sub(x, Clip(x)), hn::Set(d, slope)));
    const VI level = hn::ShiftRight<5>(hn::Add(hn::Add(code, outside), hn::Set(d, kLevel / 2)));
    return hn::Min(hn::Max(level, hn::Zero(d)), hn::Set(d, 255));
  }

  HWY_INLINE void Store(const Codes &codes, const Middle &middle, const Places &places, size_t i,
                        uint32_t *dst) const {
    const DU du;
    PrefetchAhead(dst);
    const VI red = Levels(codes.r, middle.r + i), green = Levels(codes.g, middle.g + i),
             blue = Levels(codes.b, middle.b + i);
    const VI colour = hn::Or(red, hn::Or(hn::ShiftLeft<8>(green), hn::ShiftLeft<16>(blue)));
    const auto alpha = hn::And(hn::Load(du, places.alpha + i), hn::Set(du, 0xff000000u));
    hn::StoreU(hn::Or(hn::BitCast(du, colour), alpha), du, dst);
  }
};

template <bool kHasCells, class Source>
HWY_INLINE void ApplyPairToBlock(const Pair &pair, const Source &source, size_t at, size_t count,
                                 Places *places, Middle *middle, uint32_t *dst) {
  LocateBlock<kHasCells>(pair.first, pair.first_axis, source, at, count, places);
  const char *first = TableOf<kHasCells>(pair.first), *second = TableOf<kHasCells>(pair.second);
  const ptrdiff_t first_far = FarCorner(pair.first), second_far = FarCorner(pair.second);
  for (size_t i = 0; i < count; i += kLanes) {
    middle->Store(CodesOf(Interpolate<kHasCells>(first, first_far, *places, i)), i);
  }
  LocateBlock<kHasCells>(pair.second, pair.second_axis, *middle, 0, count, places);
  for (size_t i = 0; i < count; i += kLanes) {
    pair.Store(CodesOf(Interpolate<kHasCells>(second, second_far, *places, i)), *middle, *places, i, dst + i);
  }
}

template <bool kHasCells, class Source>
void ApplyPairToAll(const Pair &pair, const Source &source, uint32_t *dst, size_t n) {
  Places places;
  Middle middle;
  const size_t whole = n - n % kLanes;
  for (size_t i = 0; i < whole; i += kBlock) {
    ApplyPairToBlock<kHasCells>(pair, source, i, HWY_MIN(kBlock, whole - i), &places, &middle, dst + i);
  }
  if (whole < n) {
    typename Source::Copy copy;
    uint32_t out[kLanes];
    ApplyPairToBlock<kHasCells>(pair, source.Last(whole, n - whole, &copy), 0, kLanes, &places, &middle, out);
    for (size_t k = whole; k < n; k++) dst[k] = out[k - whole];
  }
}

template <class Source>
void ApplyPair(const sl_baked_lut &first, const sl_baked_lut &second, float slope_outside,
               const Source &source, uint8_t *dst, size_t n) {
  const Pair pair(first, second, slope_outside, Source::kFull);
  auto *pixels = reinterpret_cast<uint32_t *>(dst);
  if (first.prepared != nullptr && second.prepared != nullptr) {
    ApplyPairToAll<true>(pair, source, pixels, n);
  } else {
    ApplyPairToAll<false>(pair, source, pixels, n);
  }
}

void ApplyBakedPair(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                    const void *src, sl_sample type, uint8_t *dst, size_t n) {
  if (type == SL_U8) {
    ApplyPair(*first, *second, slope_outside, Pixels8{static_cast<const uint32_t *>(src)}, dst, n);
  } else {
    ApplyPair(*first, *second, slope_outside, Pixels16{static_cast<const uint64_t *>(src)}, dst, n);
  }
}

void ApplyBakedPairPlanar(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                          const uint16_t *r, const uint16_t *g, const uint16_t *b, uint8_t *dst, size_t n) {
  ApplyPair(*first, *second, slope_outside, Planes16{r, g, b}, dst, n);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ApplyBakedPair);
HWY_EXPORT(ApplyBakedPairPlanar);
}  // namespace safelight
extern "C" void sl_apply_baked_pair(const sl_baked_lut *first, const sl_baked_lut *second,
                                    float slope_outside, const void *src, sl_sample type, uint8_t *dst,
                                    size_t n) {
  SL_KERNEL(safelight::ApplyBakedPair)(first, second, slope_outside, src, type, dst, n);
}

extern "C" void sl_apply_baked_pair_planar(const sl_baked_lut *first, const sl_baked_lut *second,
                                           float slope_outside, const uint16_t *r, const uint16_t *g,
                                           const uint16_t *b, uint8_t *dst, size_t n) {
  SL_KERNEL(safelight::ApplyBakedPairPlanar)(first, second, slope_outside, r, g, b, dst, n);
}
#endif
