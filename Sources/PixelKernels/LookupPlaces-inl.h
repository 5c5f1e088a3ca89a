// Shapers and positions in files' look-up tables, for each instruction set: included by Lookup.cc and
// LookupPixels.cc.
#if defined(SAFELIGHT_LOOKUP_PLACES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_LOOKUP_PLACES_INL_H
#undef SAFELIGHT_LOOKUP_PLACES_INL_H
#else
#define SAFELIGHT_LOOKUP_PLACES_INL_H
#endif

#include "PixelKernels.h"
#include "PlainCode-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

constexpr size_t kLanes = hn::MaxLanes(DF());
constexpr size_t kBlock = 256;

struct Rgb {
  VF r, g, b;
};

// The lower and the higher of non-negative numbers, which are ordered like integers: any execution unit of
// the processor can compare integers, only half of them floats.
HWY_INLINE VF Lower(VF x, VF y) {
  const DI d;
  return hn::BitCast(DF(), hn::Min(hn::BitCast(d, x), hn::BitCast(d, y)));
}
HWY_INLINE VF Higher(VF x, VF y) {
  const DI d;
  return hn::BitCast(DF(), hn::Max(hn::BitCast(d, x), hn::BitCast(d, y)));
}

HWY_INLINE VF Clip(VF x, VF top) { return Lower(hn::Max(x, hn::Zero(DF())), top); }

HWY_INLINE VF Shape(const sl_lookup &t, int channel, VF x) {
  const DF d;
  const DI di;
  const float *samples = t.shaper + channel * t.shaper_count;
  const VF index =
      Clip(hn::MulAdd(x, hn::Set(d, t.shaper_scale[channel]), hn::Set(d, t.shaper_bias[channel])),
           hn::Set(d, static_cast<float>(t.shaper_count - 1)));
  const VF floor = hn::Min(hn::Floor(index), hn::Set(d, static_cast<float>(t.shaper_count - 2)));
  const auto i = hn::ConvertTo(di, floor);
  const VF low = hn::GatherIndex(d, samples, i);
  const VF high = hn::GatherIndex(d, samples, hn::Add(i, hn::Set(di, 1)));
  return hn::MulAdd(hn::Sub(index, floor), hn::Sub(high, low), low);
}

SL_SHARED Rgb Shaped(const sl_lookup &t, const Rgb &v) {
  if (t.shaper == nullptr) return v;
  return {Shape(t, 0, v.r), Shape(t, 1, v.g), Shape(t, 2, v.b)};
}

HWY_INLINE Rgb Faded(const sl_lookup &t, const Rgb &from, const Rgb &to) {
  // At full strength nothing is blended: inputs that are infinite or far outside the domain would distort the
  // result. NaN propagates.
  const auto keep = [](VF x, VF y) HWY_ATTR { return hn::IfThenElse(hn::Eq(x, x), y, x); };
  if (t.strength == 1) return {keep(from.r, to.r), keep(from.g, to.g), keep(from.b, to.b)};
  const VF strength = hn::Set(DF(), t.strength);
  const auto fade = [&](VF x, VF y) HWY_ATTR { return hn::MulAdd(strength, hn::Sub(y, x), x); };
  return {fade(from.r, to.r), fade(from.g, to.g), fade(from.b, to.b)};
}

// The vertices of the tetrahedra of a block of pixels, as float offsets from the first node, and their
// weights: the corner nearest to the origin, A, B, and the farthest corner, at a fixed distance from the
// nearest.
struct LookupPlaces {
  alignas(64) int32_t nearest[kBlock], a[kBlock], b[kBlock];
  alignas(64) float weights[4][kBlock];
};

// The vertices and weights of a vector of pixels, in the same order.
struct Located {
  VI nearest, a, b;
  VF weights[4];
};

// Rounds to nearest. On x86, NaN and values that are too large become the lowest integer, which Highway would
// correct.
HWY_INLINE VI Integers(VF x) {
#if HWY_TARGET <= HWY_AVX3
  return VI{_mm512_cvtps_epi32(x.raw)};
#elif HWY_TARGET == HWY_AVX2
  return VI{_mm256_cvtps_epi32(x.raw)};
#elif HWY_TARGET == HWY_SSE4
  return VI{_mm_cvtps_epi32(x.raw)};
#else
  return hn::NearestInt(x);
#endif
}

SL_SHARED Located Locate(const sl_lookup &lut, const Rgb &v) {
  const DF d;
  const DI di;
  const VF top = hn::Set(d, static_cast<float>(lut.size - 1));
  const VF last_cell = hn::Set(d, static_cast<float>(lut.size - 2));
  const auto axis = [&](VF x, int c) HWY_ATTR {
    return Clip(hn::MulAdd(x, hn::Set(d, lut.scale[c]), hn::Set(d, lut.bias[c])), top);
  };
  const VF pr = axis(v.r, 0), pg = axis(v.g, 1), pb = axis(v.b, 2);
  const VF cr = Lower(hn::Floor(pr), last_cell), cg = Lower(hn::Floor(pg), last_cell),
           cb = Lower(hn::Floor(pb), last_cell);
  const VF fr = hn::Sub(pr, cr), fg = hn::Sub(pg, cg), fb = hn::Sub(pb, cb);
  const VF low = Lower(fr, fg), high = Higher(fr, fg);
  const VF largest = Higher(high, fb), smallest = Lower(low, fb), middle = Higher(low, Lower(high, fb));

  // Four floats per node; products of integers below 2^24 are exact.
  const float size = static_cast<float>(lut.size);
  const VF place = hn::MulAdd(cb, hn::Set(d, 4 * size * size),
                              hn::MulAdd(cg, hn::Set(d, 4 * size), hn::Mul(cr, hn::Set(d, 4.0f))));
  const VI nearest = Integers(place);
  const VI red = hn::Set(di, 4), green = hn::Set(di, 4 * lut.size),
           blue = hn::Set(di, 4 * lut.size * lut.size);
  const auto if_equal = [&](VF x, VF y, VI yes, VI no) HWY_ATTR {
    return hn::IfThenElse(hn::Eq(hn::BitCast(di, x), hn::BitCast(di, y)), yes, no);
  };
  // Ties allow any order: the weights between tied vertices are zero.
  const VI to_a = if_equal(fr, largest, red, if_equal(fg, largest, green, blue));
  const VI from_b = if_equal(fb, smallest, blue, if_equal(fg, smallest, green, red));
  const VI far = hn::Add(nearest, hn::Add(red, hn::Add(green, blue)));
  return {
      nearest,
      hn::Add(nearest, to_a),
      hn::Sub(far, from_b),
      {hn::Sub(hn::Set(d, 1.0f), largest), hn::Sub(largest, middle), hn::Sub(middle, smallest), smallest}};
}

HWY_INLINE void StorePlaces(const Located &at, LookupPlaces *out, size_t i) {
  const DI di;
  hn::Store(at.nearest, di, out->nearest + i);
  hn::Store(at.a, di, out->a + i);
  hn::Store(at.b, di, out->b + i);
  for (int k = 0; k < 4; k++) hn::Store(at.weights[k], DF(), out->weights[k] + i);
}

// Loads one node into each block of 16 bytes, for every fourth lane from the start of `places`.
template <class D>
HWY_INLINE hn::Vec<D> LoadNodes(D d, const float *nodes, const int32_t *places) {
  const hn::FixedTag<float, 4> dn;
  const auto node = [&](size_t block) HWY_ATTR { return hn::LoadU(dn, nodes + places[4 * block]); };
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> half;
    return hn::Combine(d, hn::Combine(half, node(3), node(2)), hn::Combine(half, node(1), node(0)));
  } else if constexpr (hn::MaxLanes(D()) == 8) {
    return hn::Combine(d, node(1), node(0));
  } else {
    return node(0);
  }
}

// Transposes 4×4 matrices, one in each block of 16 bytes, whose columns are the four vectors.
SL_SHARED void Transpose(VF v[4]) {
  const DF d;
  const hn::Repartition<double, DF> dd;
  const auto pairs = [&](VF x) HWY_ATTR { return hn::BitCast(dd, x); };
  const auto low01 = pairs(hn::InterleaveLower(d, v[0], v[1])),
             low23 = pairs(hn::InterleaveLower(d, v[2], v[3]));
  const auto up01 = pairs(hn::InterleaveUpper(d, v[0], v[1])),
             up23 = pairs(hn::InterleaveUpper(d, v[2], v[3]));
  v[0] = hn::BitCast(d, hn::InterleaveLower(dd, low01, low23));
  v[1] = hn::BitCast(d, hn::InterleaveUpper(dd, low01, low23));
  v[2] = hn::BitCast(d, hn::InterleaveLower(dd, up01, up23));
  v[3] = hn::BitCast(d, hn::InterleaveUpper(dd, up01, up23));
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
