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
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_AVX3_DL
// Highway asks the processor for AVX-512 VNNI before it chooses this target, but does not tell the compiler.
#undef HWY_TARGET_STR
#define HWY_TARGET_STR \
  HWY_TARGET_STR_AVX3  \
  ",vpclmulqdq,avx512vbmi,avx512vbmi2,vaes,avxvnni,avx512vnni,avx512bitalg,avx512vpopcntdq"
#endif

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
using V16 = hn::Vec<D16>;

constexpr size_t kLanes = hn::MaxLanes(DI());
// Pixels that are located at once: their places stay in the first-level cache.
constexpr size_t kBlock = 512;

// What locating a block of pixels leaves for interpolating it.
struct Places {
  // Bytes from the table's beginning: to the slots of the tetrahedron, or to n0, A and B.
  alignas(64) uint32_t first[kBlock], a[kBlock], b[kBlock];
  // Pairs of weights, the first of a pair in the low half: (fr, fg) and (fb, -1), or those of (n0, n7) and
  // (A, B), negated since 1 in Q15 is no int16.
  alignas(64) int32_t weights[2][kBlock];
  alignas(64) uint32_t alpha[kBlock];  // in the highest byte
};

// MARK: Locating

HWY_INLINE VI Low16(VI v) { return hn::And(v, hn::Set(DI(), 0xffff)); }
HWY_INLINE VI High16(VI v) { return hn::BitCast(DI(), hn::ShiftRight<16>(hn::BitCast(DU(), v))); }
HWY_INLINE V16 Pairs(VI low, VI high) { return hn::BitCast(D16(), hn::Or(low, hn::ShiftLeft<16>(high))); }
HWY_INLINE V16 PairOf(int32_t low, int32_t high) {
  return hn::BitCast(D16(), hn::Set(DI(), static_cast<int32_t>(static_cast<uint32_t>(high) << 16) | low));
}

// a·b of the two 16-bit halves of each lane, added.
HWY_INLINE VI MultiplyPairs(V16 a, V16 b) {
  const DI d;
  VI odd = hn::Zero(d);
  const VI even = hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), odd);
  return hn::RearrangeToOddPlusEven(even, odd);
}

// Positions in Q15, above which other bits are set. No fused multiply-add: then all instruction sets, and the
// positions that were prepared, agree.
HWY_INLINE VI Position(const LutAxis &axis, VI x) {
  const DF df;
  const auto v = hn::ConvertTo(df, x);
  auto position = hn::Mul(v, hn::Set(df, axis.steep));
  if (!axis.is_uniform) {
    position = hn::Min(position, hn::Add(hn::Mul(v, hn::Set(df, axis.gentle)), hn::Set(df, axis.offset)));
  }
  return hn::BitCast(DI(), hn::Add(position, hn::Set(df, kRoundingUnit)));
}

// Locates a vector of pixels by their samples.
template <bool kHasCells>
HWY_INLINE void Locate(const sl_baked_lut &lut, const LutAxis &axis, VI r, VI g, VI b, Places *out,
                       size_t i) {
  const DI d;
  const DU du;
  const D16 d16;
  const VI pr = Position(axis, r), pg = Position(axis, g), pb = Position(axis, b);
  const auto fraction = [&](VI p) HWY_ATTR { return hn::And(p, hn::Set(d, 0x7fff)); };
  const VI fr = fraction(pr), fg = fraction(pg), fb = fraction(pb);
  // Below 2^8, as positions are below 2^23.
  const auto cell = [&](VI p) HWY_ATTR { return hn::And(hn::ShiftRight<15>(p), hn::Set(d, 0xff)); };
  const V16 red_green = Pairs(cell(pr), cell(pg));
  const VI blue = cell(pb);
  if constexpr (kHasCells) {
    const auto if_greater = [&](VI x, VI y) HWY_ATTR { return hn::VecFromMask(d, hn::Gt(x, y)); };
    // See Tetrahedron.
    const VI tetrahedron = hn::Add(hn::Add(hn::Set(d, 1), if_greater(fr, fg)),
                                   hn::Sub(hn::And(if_greater(fg, fb), hn::Set(d, 3)), if_greater(fb, fr)));
    const int32_t row = lut.size - 1;
    const VI place = hn::Add(MultiplyPairs(red_green, PairOf(kTetrahedra, kTetrahedra * row)),
                             MultiplyPairs(Pairs(blue, tetrahedron), PairOf(kTetrahedra * row * row, 1)));
    static_assert(kTetrahedronBytes == 1 << 5);
    hn::Store(hn::BitCast(du, hn::ShiftLeft<5>(place)), du, out->first + i);
    hn::Store(hn::BitCast(d, Pairs(fr, fg)), d, out->weights[0] + i);
    hn::Store(hn::Or(fb, hn::Set(d, static_cast<int32_t>(0x80000000u))), d, out->weights[1] + i);
  } else {
    const VI largest = hn::Max(hn::Max(fr, fg), fb), smallest = hn::Min(hn::Min(fr, fg), fb);
    const VI middle = hn::Sub(hn::Add(hn::Add(fr, fg), fb), hn::Add(largest, smallest));
    static_assert(sizeof(int16_t[4]) == 1 << 3);
    const int32_t size = lut.size;
    const VI n0 = hn::ShiftLeft<3>(hn::Add(MultiplyPairs(red_green, PairOf(1, size)),
                                           MultiplyPairs(hn::BitCast(d16, blue), PairOf(size * size, 0))));
    const VI red_step = hn::Set(d, 8), green_step = hn::Set(d, 8 * size),
             blue_step = hn::Set(d, 8 * size * size);
    // Ties choose any order: the weights between tied vertices are zero.
    const VI to_a = hn::IfThenElse(hn::Eq(fr, largest), red_step,
                                   hn::IfThenElse(hn::Eq(fg, largest), green_step, blue_step));
    const VI from_b = hn::IfThenElse(hn::Eq(fb, smallest), blue_step,
                                     hn::IfThenElse(hn::Eq(fg, smallest), green_step, red_step));
    const VI n7 = hn::Add(n0, hn::Add(red_step, hn::Add(green_step, blue_step)));
    hn::Store(hn::BitCast(du, n0), du, out->first + i);
    hn::Store(hn::BitCast(du, hn::Add(n0, to_a)), du, out->a + i);
    hn::Store(hn::BitCast(du, hn::Sub(n7, from_b)), du, out->b + i);
    // -(1 - largest), which is 15 bits and the sign, and so on.
    const VI of_n0 = hn::Or(largest, hn::Set(d, 0x8000));
    hn::Store(hn::BitCast(d, Pairs(of_n0, hn::Neg(smallest))), d, out->weights[0] + i);
    hn::Store(hn::BitCast(d, hn::Sub(Pairs(middle, smallest), Pairs(largest, middle))), d,
              out->weights[1] + i);
  }
}

// RGBA8.
struct Pixels8 {
  static constexpr float kFull = 255.0f;
  const uint32_t *src;

  // The pixels `from`… alone, `n` of them and zeros up to a vector.
  struct Copy {
    uint32_t pixels[kLanes] = {};
  };
  HWY_INLINE Pixels8 Last(size_t from, size_t n, Copy *copy) const {
    for (size_t k = 0; k < n; k++) copy->pixels[k] = src[from + k];
    return {copy->pixels};
  }

  template <bool kHasCells>
  HWY_INLINE void LocateAt(const sl_baked_lut &lut, const LutAxis &axis, size_t at, Places *out,
                           size_t i) const {
    const DI d;
    const VI p = hn::BitCast(d, hn::LoadU(DU(), src + at));
    const VI byte = hn::Set(d, 0xff);
    hn::Store(hn::BitCast(DU(), p), DU(), out->alpha + i);
    Locate<kHasCells>(lut, axis, hn::And(p, byte), hn::And(hn::ShiftRight<8>(p), byte),
                      hn::And(hn::ShiftRight<16>(p), byte), out, i);
  }
};

// RGBA16.
struct Pixels16 {
  static constexpr float kFull = 65535.0f;
  const uint64_t *src;

  struct Copy {
    uint64_t pixels[kLanes] = {};
  };
  HWY_INLINE Pixels16 Last(size_t from, size_t n, Copy *copy) const {
    for (size_t k = 0; k < n; k++) copy->pixels[k] = src[from + k];
    return {copy->pixels};
  }

  template <bool kHasCells>
  HWY_INLINE void LocateAt(const sl_baked_lut &lut, const LutAxis &axis, size_t at, Places *out,
                           size_t i) const {
    const DI d;
    const DU du;
    const auto *words = reinterpret_cast<const uint32_t *>(src + at);
    const VI low = hn::BitCast(d, hn::LoadU(du, words)), high = hn::BitCast(d, hn::LoadU(du, words + kLanes));
    const VI red_green = hn::ConcatEven(d, high, low), blue_alpha = hn::ConcatOdd(d, high, low);
    // The nearest of 8 bit: a / 257, rounded.
    const VI alpha =
        hn::ShiftRight<16>(hn::Add(hn::Mul(High16(blue_alpha), hn::Set(d, 255)), hn::Set(d, 32895)));
    hn::Store(hn::BitCast(du, hn::ShiftLeft<24>(alpha)), du, out->alpha + i);
    Locate<kHasCells>(lut, axis, Low16(red_green), High16(red_green), Low16(blue_alpha), out, i);
  }
};

// Planes of 16 bit.
struct Planes16 {
  static constexpr float kFull = 65535.0f;
  const uint16_t *r, *g, *b;

  struct Copy {
    uint16_t r[kLanes] = {}, g[kLanes] = {}, b[kLanes] = {};
  };
  HWY_INLINE Planes16 Last(size_t from, size_t n, Copy *copy) const {
    for (size_t k = 0; k < n; k++) {
      copy->r[k] = r[from + k], copy->g[k] = g[from + k], copy->b[k] = b[from + k];
    }
    return {copy->r, copy->g, copy->b};
  }

  template <bool kHasCells>
  HWY_INLINE void LocateAt(const sl_baked_lut &lut, const LutAxis &axis, size_t at, Places *out,
                           size_t i) const {
    const DI d;
    const hn::Rebind<uint16_t, DI> dh;
    const auto load = [&](const uint16_t *p) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(dh, p + at)); };
    hn::Store(hn::Set(DU(), 0xff000000u), DU(), out->alpha + i);
    Locate<kHasCells>(lut, axis, load(r), load(g), load(b), out, i);
  }
};

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

// `count` pixels of RGBA8, a multiple of 16, by looking all their samples up.
HWY_INLINE void LocateBytes(const sl_baked_lut &lut, const PreparedLut &prepared, const uint32_t *src,
                            size_t count, Places *out) {
  const ByteTable low(prepared.low), high(prepared.high), cell(prepared.cell), rank(prepared.rank);
  // Of low bytes (0…) and high bytes (64…): R and G as two words, and B as the first of two.
  const __m512i lanes = _mm512_mullo_epi32(
      _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), _mm512_set1_epi32(0x04040404));
  const __m512i red_green = _mm512_add_epi32(lanes, _mm512_set1_epi32(0x41014000));
  const __m512i blue = _mm512_add_epi32(lanes, _mm512_set1_epi32(0x00004202));
  const __m512i minus_one = _mm512_set1_epi32(static_cast<int>(0x80000000u));
  // G, B, R beside R, G, B.
  const __m512i next_channel =
      _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 0, 3, 5, 6, 4, 7, 9, 10, 8, 11, 13, 14, 12, 15));
  const __m512i choice = _mm512_set1_epi32(0x000103ff), ones = _mm512_set1_epi32(0x00010101);
  const int32_t row = lut.size - 1;
  const __m512i rows = _mm512_set1_epi32(1 | row << 8 | 1 << 16);
  const __m512i planes = _mm512_set1_epi32(kTetrahedra | (kTetrahedra * row * row) << 16);
  for (size_t i = 0; i < count; i += 16) {
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

// MARK: Interpolating

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
