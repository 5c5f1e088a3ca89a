// Tetrahedral interpolation of 8-bit samples in tables laid out by sl_compact_lut: see CompactLut.h.
//
// The weight of a corner is how far the fractions on whose far side it lies exceed the others:
//
//   w(c) = max(0, min of the fractions of axes where c is far - max of those where it is near)
//
// with 1 for no far axis and 0 for no near one. Only the corners on the path of descending fractions, which
// are the tetrahedron's, have weights above 0, so no order has to be determined. (BakedLut.cc cites the
// source of the method.) All arithmetic is in integers, so instruction sets agree to the bit.
#include "CompactLut.h"

// Byte permutes of whole vectors and dot products that accumulate.
#define HWY_WANT_AVX3_DL
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "CompactLut.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "PlainCode-inl.h"
#include "BakedLutPlaces-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DW = hn::RebindToUnsigned<D16>;
using VU = hn::Vec<DU>;
using V8 = hn::Vec<D8>;
using VW = hn::Vec<DW>;

// The number of pixels located at once: their positions stay in the first-level cache.
constexpr size_t kCompactBlock = 512;

struct CompactPlaces {
  alignas(64) uint32_t cell[kCompactBlock];  // bytes from the first cell
  // The weights of corners 0…3 and 4…7, one byte each.
  alignas(64) uint32_t weights[2][kCompactBlock];
};

// Copies one byte of each lane to all its bytes.
template <int kByte>
HWY_INLINE V8 Spread(V8 v) {
  const D8 d;
  alignas(16) static constexpr uint8_t kIndex[16] = {
      kByte,     kByte,     kByte,     kByte,     kByte + 4,  kByte + 4,  kByte + 4,  kByte + 4,
      kByte + 8, kByte + 8, kByte + 8, kByte + 8, kByte + 12, kByte + 12, kByte + 12, kByte + 12};
  return hn::TableLookupBytes(v, hn::LoadDup128(d, kIndex));
}

HWY_INLINE V8 Bytes(uint32_t four) { return hn::BitCast(D8(), hn::Set(DU(), four)); }

// Stores the weights of the corners for a vector of pixels whose fractions are in bytes 0…2 of each lane.
SL_SHARED void StoreWeights(V8 fractions, CompactPlaces *out, size_t i) {
  const DU du;
  const V8 red = Spread<0>(fractions), green = Spread<1>(fractions), blue = Spread<2>(fractions);
  // Corners, from the lowest byte on: neither axis far, red, green, both.
  const V8 if_red = Bytes(0xff00ff00u), if_green = Bytes(0xffff0000u);
  const V8 far = hn::Min(hn::Or(red, hn::Not(if_red)), hn::Or(green, hn::Not(if_green)));
  const V8 near = hn::Max(hn::AndNot(if_red, red), hn::AndNot(if_green, green));
  hn::Store(hn::BitCast(du, hn::SaturatedSub(far, hn::Max(near, blue))), du, out->weights[0] + i);
  hn::Store(hn::BitCast(du, hn::SaturatedSub(hn::Min(far, blue), near)), du, out->weights[1] + i);
}

// `row` is the number of cells along an axis.
HWY_INLINE void LocateCompact(int32_t row, const uint32_t *src, size_t count, CompactPlaces *out) {
  const DU du;
  const DW dw;
  const VW last_cells = hn::Set(dw, static_cast<uint16_t>(row)), byte = hn::Set(dw, 0xff);
  // Cells per sample, slightly less: the last node of a cell belongs to it.
  const VW cells = hn::Set(dw, static_cast<uint16_t>((row * 65536 + kPart - 1) / kPart - 1));
  struct Axis {
    VW cell, position;  // the low byte of the position is the fraction
  };
  const auto locate = [&](VW x) HWY_ATTR {
    const VW cell = hn::MulHigh(x, cells);
    // x·row - 255·cell, modulo 256.
    return Axis{cell, hn::Add(hn::Mul(x, last_cells), cell)};
  };
  const V16 of_red_blue = PairOf(1, row * row), of_green = PairOf(row, 0);
  for (size_t i = 0; i < count; i += kLanes) {
    PrefetchAhead(src + i);
    const VW p = hn::BitCast(dw, hn::LoadU(du, src + i));
    const Axis red_blue = locate(hn::And(p, byte)), green = locate(hn::ShiftRight<8>(p));
    const VI place = hn::Add(MultiplyPairs(hn::BitCast(D16(), red_blue.cell), of_red_blue),
                             MultiplyPairs(hn::BitCast(D16(), green.cell), of_green));
    static_assert(kCompactCellBytes == 1 << 5);
    hn::Store(hn::BitCast(du, hn::ShiftLeft<5>(place)), du, out->cell + i);
    const VW fractions = hn::Or(hn::And(red_blue.position, byte), hn::ShiftLeft<8>(green.position));
    StoreWeights(hn::BitCast(D8(), fractions), out, i);
  }
}

// Sums of the products of four unsigned and four signed bytes of each lane, in both slots.
HWY_INLINE VI DotBytes(V8 w0, V8 x0, V8 w1, V8 x1) {
#if HWY_TARGET == HWY_AVX3_DL
  return VI{_mm512_dpbusd_epi32(_mm512_dpbusd_epi32(_mm512_setzero_si512(), w0.raw, x0.raw), w1.raw, x1.raw)};
#else
  const D16 d16;
  // No sum of pairs saturates: all weights sum to 255.
#if HWY_TARGET <= HWY_AVX3
  const auto pairs = [](V8 w, V8 x) HWY_ATTR { return V16{_mm512_maddubs_epi16(w.raw, x.raw)}; };
#elif HWY_TARGET == HWY_AVX2
  const auto pairs = [](V8 w, V8 x) HWY_ATTR { return V16{_mm256_maddubs_epi16(w.raw, x.raw)}; };
#elif HWY_TARGET == HWY_SSE4
  const auto pairs = [](V8 w, V8 x) HWY_ATTR { return V16{_mm_maddubs_epi16(w.raw, x.raw)}; };
#else
  const auto pairs = [&](V8 w, V8 x) HWY_ATTR {
    const DW dw;
    const V16 low = hn::BitCast(d16, hn::And(hn::BitCast(dw, w), hn::Set(dw, 0xff)));
    const V16 high = hn::BitCast(d16, hn::ShiftRight<8>(hn::BitCast(dw, w)));
    const V16 both = hn::BitCast(d16, x);
    return hn::Add(hn::Mul(low, hn::ShiftRight<8>(hn::ShiftLeft<8>(both))),
                   hn::Mul(high, hn::ShiftRight<8>(both)));
  };
#endif
  return MultiplyPairs(hn::Add(pairs(w0, x0), pairs(w1, x1)), hn::Set(d16, 1));
#endif
}

struct CompactSlots {
  V8 near, far;
};

// Loads the cells of pixels 0, 4, 8 and 12 from the start of `places`, one into each block of 16 bytes.
HWY_INLINE CompactSlots LoadCells(const int8_t *cells, const uint32_t *places) {
#if HWY_TARGET <= HWY_AVX3
  const auto both = [&](size_t k) HWY_ATTR {
    return _mm256_load_si256(reinterpret_cast<const __m256i *>(cells + places[k]));
  };
  const auto pair = [&](size_t k) HWY_ATTR {
    return _mm512_inserti64x4(_mm512_castsi256_si512(both(k)), both(k + 4), 1);
  };
  const __m512i low = pair(0), high = pair(8);
  return {V8{_mm512_shuffle_i64x2(low, high, 0x88)}, V8{_mm512_shuffle_i64x2(low, high, 0xdd)}};
#elif HWY_TARGET == HWY_AVX2
  const auto slot = [&](size_t k, int32_t offset) HWY_ATTR {
    return _mm_load_si128(reinterpret_cast<const __m128i *>(cells + places[k] + offset));
  };
  const auto join = [&](int32_t offset) HWY_ATTR {
    return V8{_mm256_inserti128_si256(_mm256_castsi128_si256(slot(0, offset)), slot(4, offset), 1)};
  };
  return {join(0), join(16)};
#else
  const D8 d;
  const auto *cell = reinterpret_cast<const uint8_t *>(cells + places[0]);
  return {hn::Load(d, cell), hn::Load(d, cell + 16)};
#endif
}

struct CompactColours {
  VU pixels;  // whose highest byte is undefined
  bool has_steep;
};

// Interpolates a vector of located pixels; those in steep cells come out wrong.
template <bool kHasSteepCells>
SL_SHARED CompactColours InterpolateCompact(const int8_t *cells, const CompactPlaces &places, size_t i) {
  const DI d;
  const DU du;
  const D8 d8;
  const D16 d16;
  const DW dw;
  const hn::Repartition<uint64_t, DU> d64;
  const VI near = hn::BitCast(d, hn::Load(du, places.weights[0] + i));
  const VI far = hn::BitCast(d, hn::Load(du, places.weights[1] + i));
  struct Pixel {
    VI sums;
    VU lowest;  // in the upper half of each block
  };
  const auto pixel = [&](size_t k, VI w_near, VI w_far) HWY_ATTR {
    const CompactSlots cell = LoadCells(cells, places.cell + i + k);
    return Pixel{DotBytes(hn::BitCast(d8, w_near), cell.near, hn::BitCast(d8, w_far), cell.far),
                 hn::InterleaveUpper(du, hn::BitCast(du, cell.near), hn::BitCast(du, cell.far))};
  };
  alignas(16) static constexpr uint8_t kSteps[16] = {6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15};
  const V8 to_steps = hn::LoadDup128(d8, kSteps);
  struct Levels {
    V16 levels;
    VW steps;
  };
  const auto levels = [&](const Pixel &a, const Pixel &b) HWY_ATTR {
    const V16 sums = hn::ReorderDemote2To(d16, a.sums, b.sums);
    const auto lowest = hn::InterleaveUpper(d64, hn::BitCast(d64, a.lowest), hn::BitCast(d64, b.lowest));
    const VW steps = hn::BitCast(dw, hn::TableLookupBytes(hn::BitCast(d8, lowest), to_steps));
    // x·step / 255 of the sum x without the bias, which is 0…65280, is (x + 1)·257·step / 65536: too large by
    // less than a hundredth of a level, and exact if x is a multiple of 255.
    const VW above = hn::BitCast(dw, hn::Add(sums, hn::Set(d16, kCornerBias * kPart + 1)));
    const V16 codes = hn::Add(hn::BitCast(d16, hn::MulHigh(above, steps)), hn::BitCast(d16, lowest));
    static_assert(kLevel == 1 << 5);
    return Levels{hn::ShiftRight<5>(codes), steps};
  };
  const Pixel p0 = pixel(0, hn::Broadcast<0>(near), hn::Broadcast<0>(far));
  const Pixel p1 = pixel(1, hn::Broadcast<1>(near), hn::Broadcast<1>(far));
  const Pixel p2 = pixel(2, hn::Broadcast<2>(near), hn::Broadcast<2>(far));
  const Pixel p3 = pixel(3, hn::Broadcast<3>(near), hn::Broadcast<3>(far));
  const Levels low = levels(p0, p1), high = levels(p2, p3);
  return {hn::BitCast(du, PackBytes(low.levels, high.levels)),
          kHasSteepCells && !hn::AllFalse(dw, hn::Eq(hn::Min(low.steps, high.steps), hn::Zero(dw)))};
}

// A block's pixels in steep cells, collected until the block is done: one by one they would take far longer.
struct SteepPixels {
  size_t count = 0;
  uint16_t at[kCompactBlock];
  uint32_t pixels[kCompactBlock];

  // Adds those of a vector, the block's pixels from `i` on. Adds no others, whose colours would depend on the
  // vector length.
  HWY_INLINE void Add(const CompactLut &lut, const CompactPlaces &places, const uint32_t *src, size_t i) {
    for (size_t k = i; k < i + kLanes; k++) {
      at[count] = static_cast<uint16_t>(k);
      pixels[count] = src[k];
      count += lut.IsSteep(places.cell[k]) ? 1 : 0;
    }
  }

  // Looks them up in the nodes themselves.
  HWY_INLINE void LookUp(const sl_baked_lut &lut, uint32_t *dst) {
    if (count == 0) return;
    sl_baked_lut nodes = lut;
    nodes.prepared = nodes.compact = nullptr;
    sl_apply_baked_lut(&nodes, pixels, SL_U8, reinterpret_cast<uint8_t *>(pixels), count);
    for (size_t k = 0; k < count; k++) dst[at[k]] = pixels[k];
  }
};

template <bool kHasSteepCells>
HWY_INLINE void ApplyCompactToBlock(const sl_baked_lut &lut, const uint32_t *src, size_t count,
                                    CompactPlaces *places, uint32_t *dst) {
  const DU du;
  const CompactLut &compact = *static_cast<const CompactLut *>(lut.compact);
  const VU alpha = hn::Set(du, 0xff000000u);
  SteepPixels steep;
  LocateCompact(lut.size - 1, src, count, places);
  for (size_t i = 0; i < count; i += kLanes) {
    const CompactColours colours = InterpolateCompact<kHasSteepCells>(compact.Cells(), *places, i);
    const VU pixels = hn::Or(hn::AndNot(alpha, colours.pixels), hn::And(hn::LoadU(du, src + i), alpha));
    if (kHasSteepCells && HWY_UNLIKELY(colours.has_steep)) steep.Add(compact, *places, src, i);
    PrefetchAhead(dst + i);
    hn::StoreU(pixels, du, dst + i);
  }
  if (kHasSteepCells) steep.LookUp(lut, dst);
}

template <bool kHasSteepCells>
void ApplyCompactToAll(const sl_baked_lut &lut, const uint32_t *src, uint32_t *dst, size_t n) {
  CompactPlaces places;
  const size_t whole = n - n % kLanes;
  for (size_t i = 0; i < whole; i += kCompactBlock) {
    ApplyCompactToBlock<kHasSteepCells>(lut, src + i, HWY_MIN(kCompactBlock, whole - i), &places, dst + i);
  }
  if (whole < n) {
    uint32_t in[kLanes] = {}, out[kLanes];
    for (size_t k = whole; k < n; k++) in[k - whole] = src[k];
    ApplyCompactToBlock<kHasSteepCells>(lut, in, kLanes, &places, out);
    for (size_t k = whole; k < n; k++) dst[k] = out[k - whole];
  }
}

void ApplyCompactLut(const sl_baked_lut &lut, const uint32_t *src, uint32_t *dst, size_t n) {
  if (static_cast<const CompactLut *>(lut.compact)->has_steep_cells) {
    ApplyCompactToAll<true>(lut, src, dst, n);
  } else {
    ApplyCompactToAll<false>(lut, src, dst, n);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
namespace {
HWY_EXPORT(ApplyCompactLut);
}

void ApplyCompactLut(const sl_baked_lut &lut, const uint32_t *src, uint32_t *dst, size_t n) {
  SL_KERNEL(ApplyCompactLut)(lut, src, dst, n);
}
}  // namespace safelight
#endif
