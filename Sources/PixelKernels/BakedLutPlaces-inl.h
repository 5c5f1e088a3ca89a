// The positions of pixels in a baked table, for each instruction set: included only by BakedLutSums-inl.h.
#if defined(SAFELIGHT_BAKED_LUT_PLACES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_BAKED_LUT_PLACES_INL_H
#undef SAFELIGHT_BAKED_LUT_PLACES_INL_H
#else
#define SAFELIGHT_BAKED_LUT_PLACES_INL_H
#endif

#include "BakedLut.h"
#include "PlainCode-inl.h"
#include "PrefetchAhead.h"
#include "WholeVectorPermutes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DI = hn::CappedTag<int32_t, 16>;
using DF = hn::RebindToFloat<DI>;
using DU = hn::RebindToUnsigned<DI>;
using D16 = hn::Repartition<int16_t, DI>;
using D8 = hn::Repartition<uint8_t, DI>;
using VI = hn::Vec<DI>;
using VF = hn::Vec<DF>;
using V16 = hn::Vec<D16>;

constexpr size_t kLanes = hn::MaxLanes(DI());
// The number of pixels located at once: their positions stay in the first-level cache.
constexpr size_t kBlock = 512;

// The result of locating a block of pixels, for interpolating it.
struct Places {
  // Byte offsets in the table: to the slots of the tetrahedron, or to n0, A and B.
  alignas(64) uint32_t first[kBlock], a[kBlock], b[kBlock];
  // Pairs of weights, the first of a pair in the low half: (fr, fg) and (fb, -1), or those of (n0, n7) and
  // (A, B), negated because 1 in Q15 is not an int16.
  alignas(64) int32_t weights[2][kBlock];
  alignas(64) uint32_t alpha[kBlock];  // in the highest byte
};

HWY_INLINE VI Low16(VI v) { return hn::And(v, hn::Set(DI(), 0xffff)); }
HWY_INLINE VI High16(VI v) { return hn::BitCast(DI(), hn::ShiftRight<16>(hn::BitCast(DU(), v))); }
HWY_INLINE V16 Pairs(VI low, VI high) { return hn::BitCast(D16(), hn::Or(low, hn::ShiftLeft<16>(high))); }
HWY_INLINE V16 PairOf(int32_t low, int32_t high) {
  return hn::BitCast(D16(), hn::Set(DI(), static_cast<int32_t>(static_cast<uint32_t>(high) << 16 |
                                                               static_cast<uint16_t>(low))));
}

// Clips to bytes; the even and the odd blocks of 8 bytes come from `low` and `high`.
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

// The sum of a·b over the two 16-bit halves of each lane.
HWY_INLINE VI MultiplyPairs(V16 a, V16 b) {
  const DI d;
  VI odd = hn::Zero(d);
  const VI even = hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), odd);
  return hn::RearrangeToOddPlusEven(even, odd);
}

// sum + a·b, over the two 16-bit halves of each lane.
HWY_INLINE VI Dot(VI sum, V16 a, V16 b) {
#if HWY_TARGET == HWY_AVX3_DL
  return VI{_mm512_dpwssd_epi32(sum.raw, a.raw, b.raw)};
#else
  return hn::Add(sum, MultiplyPairs(a, b));
#endif
}

// How pixels are located in a table, in registers: what a loop reads from memory, it reads again after every
// vector that it stores.
template <bool kHasCells>
struct Grid {
  VF steep, gentle, offset;
  bool is_uniform;
  // Steps from cell to cell, in tetrahedra or nodes: of red and green, and of blue in the high half.
  V16 red_green, blue;
  // What cells of zero add to a place because of the bits above them.
  VI origin;
  VI green_step, blue_step;

  HWY_INLINE Grid(const sl_baked_lut &lut, const LutAxis &axis)
      : steep(hn::Set(DF(), axis.steep)),
        gentle(hn::Set(DF(), axis.gentle)),
        offset(hn::Set(DF(), axis.offset)),
        is_uniform(axis.IsUniform()) {
    const int32_t size = kHasCells ? lut.size - 1 : lut.size, step = kHasCells ? kTetrahedra : 1;
    red_green = PairOf(step, step * size);
    blue = PairOf(kHasCells ? -1 : 0, step * size * size);
    origin = hn::Set(DI(), (kHasCells ? 1 : 0) - kAboveCells * step * (1 + size + size * size));
    green_step = hn::Set(DI(), 8 * size);
    blue_step = hn::Set(DI(), 8 * size * size);
  }

  // Positions in Q15, with other bits set above them. No fused multiply-add, so that all instruction sets and
  // the prepared positions agree.
  HWY_INLINE VI Position(VF v) const {
    auto position = hn::Mul(v, steep);
    if (!is_uniform) position = hn::Min(position, hn::Add(hn::Mul(v, gentle), offset));
    return hn::BitCast(DI(), hn::Add(position, hn::Set(DF(), kRoundingUnit)));
  }

 private:
  // The bits that kRoundingUnit sets above the cell, as a 16-bit number with it.
  static constexpr int32_t kAboveCells = 0x9600 - 0x10000;
};

HWY_INLINE VI LowHalves(VI low, VI high) { return hn::Or(Low16(low), hn::ShiftLeft<16>(high)); }
HWY_INLINE VI HighOver(VI low, VI high) {
  return hn::Or(low, hn::And(high, hn::Set(DI(), static_cast<int32_t>(0xffff0000u))));
}

// Locates a vector of pixels by their samples.
template <bool kHasCells>
SL_SHARED void Locate(const Grid<kHasCells> &grid, VF r, VF g, VF b, Places *out, size_t i) {
  const DI d;
  const DU du;
  const D16 d16;
  const VI pr = grid.Position(r), pg = grid.Position(g), pb = grid.Position(b);
  const VI frg = hn::And(LowHalves(pr, pg), hn::Set(d, 0x7fff7fff)), fb = hn::And(pb, hn::Set(d, 0x7fff));
  // The cell is the low byte of what a position has above its fraction.
  const VI red_green = HighOver(High16(hn::Add(pr, pr)), hn::Add(pg, pg));
  const VI near = Dot(grid.origin, hn::BitCast(d16, red_green), grid.red_green);
  if constexpr (kHasCells) {
    const V16 pair = hn::BitCast(d16, frg);
    const auto if_greater = [&](V16 x, V16 y) HWY_ATTR { return hn::VecFromMask(d16, hn::Gt(x, y)); };
    // -[r > g], -[g > b] and -[b > r]: see Tetrahedron.
    const V16 falling = if_greater(pair, hn::BitCast(d16, HighOver(High16(frg), hn::ShiftLeft<16>(fb))));
    const V16 rising = if_greater(hn::BitCast(d16, fb), pair);
    const VI place = Dot(Dot(near, falling, PairOf(1, -3)),
                         hn::BitCast(d16, HighOver(hn::BitCast(d, rising), hn::Add(pb, pb))), grid.blue);
    static_assert(kTetrahedronBytes == 1 << 5);
    hn::Store(hn::BitCast(du, hn::ShiftLeft<5>(place)), du, out->first + i);
    hn::Store(frg, d, out->weights[0] + i);
    hn::Store(hn::Or(fb, hn::Set(d, static_cast<int32_t>(0x80000000u))), d, out->weights[1] + i);
  } else {
    const VI fr = Low16(frg), fg = High16(frg);
    const VI largest = hn::Max(hn::Max(fr, fg), fb), smallest = hn::Min(hn::Min(fr, fg), fb);
    const VI middle = hn::Sub(hn::Add(hn::Add(fr, fg), fb), hn::Add(largest, smallest));
    static_assert(sizeof(int16_t[4]) == 1 << 3);
    const VI n0 = hn::ShiftLeft<3>(Dot(near, hn::BitCast(d16, hn::Add(pb, pb)), grid.blue));
    const VI red_step = hn::Set(d, 8);
    // Ties allow any order: the weights between tied vertices are zero.
    const VI to_a = hn::IfThenElse(hn::Eq(fr, largest), red_step,
                                   hn::IfThenElse(hn::Eq(fg, largest), grid.green_step, grid.blue_step));
    const VI from_b = hn::IfThenElse(hn::Eq(fb, smallest), grid.blue_step,
                                     hn::IfThenElse(hn::Eq(fg, smallest), grid.green_step, red_step));
    const VI n7 = hn::Add(n0, hn::Add(red_step, hn::Add(grid.green_step, grid.blue_step)));
    hn::Store(hn::BitCast(du, n0), du, out->first + i);
    hn::Store(hn::BitCast(du, hn::Add(n0, to_a)), du, out->a + i);
    hn::Store(hn::BitCast(du, hn::Sub(n7, from_b)), du, out->b + i);
    // -(1 - largest), which is 15 bits and the sign; likewise below.
    const VI of_n0 = hn::Or(largest, hn::Set(d, 0x8000));
    hn::Store(hn::BitCast(d, Pairs(of_n0, hn::Neg(smallest))), d, out->weights[0] + i);
    hn::Store(hn::BitCast(d, hn::Sub(Pairs(middle, smallest), Pairs(largest, middle))), d,
              out->weights[1] + i);
  }
}

template <bool kHasCells>
HWY_INLINE void Locate(const Grid<kHasCells> &grid, VI r, VI g, VI b, Places *out, size_t i) {
  const DF df;
  Locate(grid, hn::ConvertTo(df, r), hn::ConvertTo(df, g), hn::ConvertTo(df, b), out, i);
}

#if HWY_TARGET == HWY_AVX3_DL
// A table of 256 bytes in registers.
struct ByteTable {
  __m512i part[4];

  explicit HWY_INLINE ByteTable(const uint8_t *table) {
    for (int k = 0; k < 4; k++) part[k] = _mm512_load_si512(table + 64 * k);
  }
  HWY_INLINE __m512i operator()(__m512i index, __mmask64 is_upper) const {
    return _mm512_mask_blend_epi8(is_upper, _mm512_permutex2var_epi8(part[0], index, part[1]),
                                  _mm512_permutex2var_epi8(part[2], index, part[3]));
  }
};

// Locates `count` pixels of RGBA8, a multiple of 16, by looking up all their samples.
HWY_INLINE void LocateBytes(const sl_baked_lut &lut, const PreparedLut &prepared, const uint32_t *src,
                            size_t count, Places *out) {
  const ByteTable low(prepared.low), high(prepared.high), cell(prepared.cell), rank(prepared.rank);
  // From low bytes (0…) and high bytes (64…): R and G as two words, and B as the first of two.
  const __m512i lanes = _mm512_mullo_epi32(
      _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), _mm512_set1_epi32(0x04040404));
  const __m512i red_green = _mm512_add_epi32(lanes, _mm512_set1_epi32(0x41014000));
  const __m512i blue = _mm512_add_epi32(lanes, _mm512_set1_epi32(0x00004202));
  const __m512i minus_one = _mm512_set1_epi32(static_cast<int>(0x80000000u));
  // G, B, R next to R, G, B.
  const __m512i next_channel =
      _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 0, 3, 5, 6, 4, 7, 9, 10, 8, 11, 13, 14, 12, 15));
  const __m512i choice = _mm512_set1_epi32(0x000103ff), ones = _mm512_set1_epi32(0x00010101);
  const int32_t row = lut.size - 1;
  const __m512i rows = _mm512_set1_epi32(1 | row << 8 | 1 << 16);
  const __m512i planes = _mm512_set1_epi32(kTetrahedra | (kTetrahedra * row * row) << 16);
  for (size_t i = 0; i < count; i += 16) {
    PrefetchAhead(src + i);
    const __m512i p = _mm512_loadu_si512(src + i);
    const __mmask64 is_upper = _mm512_movepi8_mask(p);
    const __m512i l = low(p, is_upper), h = high(p, is_upper), order = rank(p, is_upper);
    _mm512_store_si512(out->weights[0] + i, _mm512_permutex2var_epi8(l, red_green, h));
    _mm512_store_si512(out->weights[1] + i, _mm512_or_si512(minus_one, _mm512_maskz_permutex2var_epi8(
                                                                           0x3333333333333333, l, blue, h)));
    const __mmask64 is_greater = _mm512_cmpgt_epu8_mask(order, _mm512_shuffle_epi8(order, next_channel));
    __m512i place =
        _mm512_dpbusd_epi32(_mm512_set1_epi32(1), ones, _mm512_maskz_mov_epi8(is_greater, choice));
    place = _mm512_dpwssd_epi32(place, _mm512_maddubs_epi16(cell(p, is_upper), rows), planes);
    _mm512_store_si512(out->first + i, _mm512_slli_epi32(place, 5));
    _mm512_store_si512(out->alpha + i, p);
  }
}
#endif
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
