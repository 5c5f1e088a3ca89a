// Two baked 3D tables in sequence, 8-bit or 16-bit output: the result of the first is not rounded to 8 bits.
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

// The even or odd lanes of `low`, then of `high`, of each block of 16 bytes.
HWY_INLINE VI EvenLanes(VI low, VI high) {
#if HWY_TARGET <= HWY_AVX3
  return VI{_mm512_castps_si512(
      _mm512_shuffle_ps(_mm512_castsi512_ps(low.raw), _mm512_castsi512_ps(high.raw), 0x88))};
#elif HWY_TARGET == HWY_AVX2
  return VI{_mm256_castps_si256(
      _mm256_shuffle_ps(_mm256_castsi256_ps(low.raw), _mm256_castsi256_ps(high.raw), 0x88))};
#else
  return hn::ConcatEven(DI(), high, low);
#endif
}
HWY_INLINE VI OddLanes(VI low, VI high) {
#if HWY_TARGET <= HWY_AVX3
  return VI{_mm512_castps_si512(
      _mm512_shuffle_ps(_mm512_castsi512_ps(low.raw), _mm512_castsi512_ps(high.raw), 0xdd))};
#elif HWY_TARGET == HWY_AVX2
  return VI{_mm256_castps_si256(
      _mm256_shuffle_ps(_mm256_castsi256_ps(low.raw), _mm256_castsi256_ps(high.raw), 0xdd))};
#else
  return hn::ConcatOdd(DI(), high, low);
#endif
}

// What the second table's continuation adds to the colours of a block, in codes.
struct Continuation {
  alignas(64) int16_t low[2 * kBlock], high[2 * kBlock];
};

struct Pair {
  const sl_baked_lut &first, &second;
  LutAxis first_axis, second_axis;
  int16_t slope;  // Q15; 1 is a code less per 32768

  Pair(const sl_baked_lut &first, const sl_baked_lut &second, float slope_outside, float full)
      : first(first),
        second(second),
        first_axis(first, full),
        second_axis(second, SL_NODE_UNIT),
        slope(static_cast<int16_t>(HWY_MIN(slope_outside * 32768.0f + 0.5f, 32767.0f))) {}
};

// Locates what the first table makes of a vector of pixels in the second one, in place of their places in the
// first.
template <bool kHasCells, bool kContinues>
HWY_INLINE void LocateNext(const Halves &codes, const Grid<kHasCells> &grid, V16 slope, Places *places,
                           Continuation *added, size_t i) {
  const DI d;
  const D16 d16;
  const auto clip = [&](V16 v, int16_t *to) HWY_ATTR {
    const V16 clipped = hn::Min(hn::Max(v, hn::Zero(d16)), hn::Set(d16, SL_NODE_UNIT));
    if (kContinues) hn::Store(hn::MulFixedPoint15(hn::Sub(v, clipped), slope), d16, to + 2 * i);
    return hn::BitCast(d, clipped);
  };
  const VI low = clip(codes.low, added->low), high = clip(codes.high, added->high);
  const VI red_green = EvenLanes(low, high);
  Locate(grid, Low16(red_green), High16(red_green), OddLanes(low, high), places, i);
}

template <bool kContinues, class Source, typename Pixel>
HWY_INLINE void StoreColours(const Sums &sums, const Continuation &added, const Places &places, size_t i,
                             Pixel *dst) {
  if constexpr (kContinues) {
    const D16 d16;
    const Halves codes = Shifted<15>(sums);
    static_assert(kLevel == 1 << 5);
    const auto rounded = [&](V16 v, const int16_t *from) HWY_ATTR {
      return hn::ShiftRight<kRoundedBits<Pixel> - 15>(hn::SaturatedAdd(v, hn::Load(d16, from + 2 * i)));
    };
    StoreRounded<Source>({rounded(codes.low, added.low), rounded(codes.high, added.high)}, places, i, dst);
  } else {
    StoreRounded<Source>(Shifted<kRoundedBits<Pixel>>(sums), places, i, dst);
  }
}

// Not inlined: it is called for blocks and for what is left, and compiling it twice takes long.
template <bool kHasCells, bool kContinues, class Source, typename Pixel>
HWY_NOINLINE void ApplyPairToBlock(const Pair &pair, const Source &source, size_t at, size_t count,
                                   Places *places, Continuation *added, Pixel *dst) {
  LocateBlock<kHasCells>(pair.first, pair.first_axis, source, at, count, places);
  const char *first = TableOf<kHasCells>(pair.first), *second = TableOf<kHasCells>(pair.second);
  const ptrdiff_t first_far = FarCorner(pair.first), second_far = FarCorner(pair.second);
  const Grid<kHasCells> grid(pair.second, pair.second_axis);
  const V16 slope = hn::Set(D16(), pair.slope);
  for (size_t i = 0; i < count; i += kLanes) {
    // To the nearest code, without the half level.
    const Sums sums = Interpolate<kHasCells>(first, first_far, *places, i, (1 << 14) - kHalfLevel);
    LocateNext<kHasCells, kContinues>(Shifted<15>(sums), grid, slope, places, added, i);
  }
  for (size_t i = 0; i < count; i += kLanes) {
    const Sums sums = Interpolate<kHasCells>(second, second_far, *places, i, kRounding<Pixel>);
    StoreColours<kContinues, Source>(sums, *added, *places, i, dst + i);
  }
}

template <bool kHasCells, bool kContinues, class Source, typename Pixel>
HWY_INLINE void ApplyPairToAll(const Pair &pair, const Source &source, Pixel *dst, size_t n) {
  Places places;
  Continuation added;
  const size_t whole = n - n % kLanes;
  for (size_t i = 0; i < whole; i += kBlock) {
    ApplyPairToBlock<kHasCells, kContinues>(pair, source, i, HWY_MIN(kBlock, whole - i), &places, &added,
                                            dst + i);
  }
  if (whole < n) {
    typename Source::Copy copy;
    Pixel out[kLanes];
    ApplyPairToBlock<kHasCells, kContinues>(pair, source.Last(whole, n - whole, &copy), 0, kLanes, &places,
                                            &added, out);
    for (size_t k = whole; k < n; k++) dst[k] = out[k - whole];
  }
}

template <bool kHasCells, class Source, typename Pixel>
HWY_INLINE void ApplyPairWithCells(const Pair &pair, const Source &source, Pixel *dst, size_t n) {
  if (pair.slope != 0) {
    ApplyPairToAll<kHasCells, true>(pair, source, dst, n);
  } else {
    ApplyPairToAll<kHasCells, false>(pair, source, dst, n);
  }
}

template <class Source, typename Sample>
void ApplyPair(const sl_baked_lut &first, const sl_baked_lut &second, float slope_outside,
               const Source &source, Sample *dst, size_t n) {
  const Pair pair(first, second, slope_outside, Source::kFull);
  using Pixel = std::conditional_t<sizeof(Sample) == 1, Pixel8, Pixel16>;
  auto *pixels = reinterpret_cast<Pixel *>(dst);
  if (first.prepared != nullptr && second.prepared != nullptr) {
    ApplyPairWithCells<true>(pair, source, pixels, n);
  } else {
    ApplyPairWithCells<false>(pair, source, pixels, n);
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

void ApplyBakedPairCamera(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                          const sl_ycbcr_matrix *matrix, const int16_t *y, const int16_t *cb,
                          const int16_t *cr, uint8_t *dst, size_t n) {
  ApplyPair(*first, *second, slope_outside, CameraPlanes{*matrix, y, cb, cr}, dst, n);
}

void ApplyBakedPair16(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                      const void *src, sl_sample type, uint16_t *dst, size_t n) {
  if (type == SL_U8) {
    ApplyPair(*first, *second, slope_outside, Pixels8{static_cast<const uint32_t *>(src)}, dst, n);
  } else {
    ApplyPair(*first, *second, slope_outside, Pixels16{static_cast<const uint64_t *>(src)}, dst, n);
  }
}

void ApplyBakedPairPlanar16(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                            const uint16_t *r, const uint16_t *g, const uint16_t *b, uint16_t *dst,
                            size_t n) {
  ApplyPair(*first, *second, slope_outside, Planes16{r, g, b}, dst, n);
}

void ApplyBakedPairCamera16(const sl_baked_lut *first, const sl_baked_lut *second, float slope_outside,
                            const sl_ycbcr_matrix *matrix, const int16_t *y, const int16_t *cb,
                            const int16_t *cr, uint16_t *dst, size_t n) {
  ApplyPair(*first, *second, slope_outside, CameraPlanes{*matrix, y, cb, cr}, dst, n);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ApplyBakedPair);
HWY_EXPORT(ApplyBakedPairPlanar);
HWY_EXPORT(ApplyBakedPairCamera);
HWY_EXPORT(ApplyBakedPair16);
HWY_EXPORT(ApplyBakedPairPlanar16);
HWY_EXPORT(ApplyBakedPairCamera16);
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

extern "C" void sl_apply_baked_pair_camera(const sl_baked_lut *first, const sl_baked_lut *second,
                                           float slope_outside, const sl_ycbcr_matrix *matrix,
                                           const int16_t *y, const int16_t *cb, const int16_t *cr,
                                           uint8_t *dst, size_t n) {
  SL_KERNEL(safelight::ApplyBakedPairCamera)(first, second, slope_outside, matrix, y, cb, cr, dst, n);
}

extern "C" void sl_apply_baked_pair_16(const sl_baked_lut *first, const sl_baked_lut *second,
                                       float slope_outside, const void *src, sl_sample type, uint16_t *dst,
                                       size_t n) {
  SL_KERNEL(safelight::ApplyBakedPair16)(first, second, slope_outside, src, type, dst, n);
}

extern "C" void sl_apply_baked_pair_planar_16(const sl_baked_lut *first, const sl_baked_lut *second,
                                              float slope_outside, const uint16_t *r, const uint16_t *g,
                                              const uint16_t *b, uint16_t *dst, size_t n) {
  SL_KERNEL(safelight::ApplyBakedPairPlanar16)(first, second, slope_outside, r, g, b, dst, n);
}

extern "C" void sl_apply_baked_pair_camera_16(const sl_baked_lut *first, const sl_baked_lut *second,
                                              float slope_outside, const sl_ycbcr_matrix *matrix,
                                              const int16_t *y, const int16_t *cb, const int16_t *cr,
                                              uint16_t *dst, size_t n) {
  SL_KERNEL(safelight::ApplyBakedPairCamera16)(first, second, slope_outside, matrix, y, cb, cr, dst, n);
}
#endif
