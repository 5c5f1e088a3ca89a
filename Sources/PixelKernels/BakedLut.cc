// Tetrahedral interpolation in baked 3D tables, 8-bit output.
//
//   out = n0 + fmax·(nA - n0) + fmid·(nB - nA) + fmin·(n7 - nB)
//
// n0 and n7 are the corners of the cell nearest to and farthest from the origin, A is reached from n0 along
// the axis with the largest fraction, B from A along the middle one. Choosing A and B by comparing fractions
// needs no branch and four gathers a vector.
// Source: Kasson, Nin, Plouffe, Hafner, "Performing color space conversions with three-dimensional linear
// interpolation", J. Electronic Imaging 4(3), 1995.
#include "InstructionSet.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "BakedLut.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DI = hn::CappedTag<int32_t, 16>;
using DF = hn::RebindToFloat<DI>;
using VI = hn::Vec<DI>;

// Where a vector of colours lies in the table: vertex indices and Q15 weights.
struct Cell {
  VI i0, iA, iB, i7;
  VI largest, middle, smallest;
};

// Axis positions in Q15 node units; x is the sample as stored.
struct Axis {
  float steep, gentle, offset;

  HWY_INLINE VI operator()(VI x) const {
    const DI di;
    const DF df;
    const auto v = hn::ConvertTo(df, x);
    return hn::ConvertTo(
        di, hn::Min(hn::Mul(v, hn::Set(df, steep)), hn::MulAdd(v, hn::Set(df, gentle), hn::Set(df, offset))));
  }
};

HWY_INLINE Cell Locate(VI pr, VI pg, VI pb, int32_t size) {
  const DI d;
  const VI fraction = hn::Set(d, 0x7fff);
  const VI one = hn::Set(d, 1), row = hn::Set(d, size), plane = hn::Set(d, size * size);
  const VI fr = hn::And(pr, fraction), fg = hn::And(pg, fraction), fb = hn::And(pb, fraction);
  Cell c;
  c.largest = hn::Max(hn::Max(fr, fg), fb);
  c.smallest = hn::Min(hn::Min(fr, fg), fb);
  c.middle = hn::Sub(hn::Add(hn::Add(fr, fg), fb), hn::Add(c.largest, c.smallest));
  c.i0 = hn::Add(hn::ShiftRight<15>(pr),
                 hn::Add(hn::Mul(hn::ShiftRight<15>(pg), row), hn::Mul(hn::ShiftRight<15>(pb), plane)));
  c.i7 = hn::Add(c.i0, hn::Add(one, hn::Add(row, plane)));
  // Ties choose any order: the weights between tied vertices are zero.
  const VI toA =
      hn::IfThenElse(hn::Eq(fr, c.largest), one, hn::IfThenElse(hn::Eq(fg, c.largest), row, plane));
  const VI fromB =
      hn::IfThenElse(hn::Eq(fb, c.smallest), plane, hn::IfThenElse(hn::Eq(fg, c.smallest), row, one));
  c.iA = hn::Add(c.i0, toA);
  c.iB = hn::Sub(c.i7, fromB);
  return c;
}

template <class V>
HWY_INLINE V Interpolate(V n0, V nA, V nB, V n7, V largest, V middle, V smallest) {
  return hn::Add(
      hn::Add(n0, hn::MulFixedPoint15(hn::Sub(nA, n0), largest)),
      hn::Add(hn::MulFixedPoint15(hn::Sub(nB, nA), middle), hn::MulFixedPoint15(hn::Sub(n7, nB), smallest)));
}

// The colours of half a vector of cells, as R, G, B, 0 bytes in 32-bit lanes.
template <class VH>
HWY_INLINE VH HalfColour(const int64_t *nodes, VH i0, VH iA, VH iB, VH i7, VH largest, VH middle,
                         VH smallest) {
  const hn::Half<DI> dh;
  const hn::Repartition<int64_t, DI> d64;
  const hn::Repartition<int16_t, DI> d16;
  const hn::Half<hn::Repartition<uint8_t, DI>> d8;
  const auto node = [&](VH i) HWY_ATTR {
    return hn::BitCast(d16, hn::GatherIndex(d64, nodes, hn::PromoteTo(d64, i)));
  };
  // A Q15 weight on all four channels of its pixel: its two low bytes, four times.
  const hn::Repartition<uint8_t, DI> bytes;
  alignas(16) static constexpr uint8_t kSpread[16] = {0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9};
  const auto spread = hn::LoadDup128(bytes, kSpread);
  const auto weight = [&](VH w) HWY_ATTR {
    return hn::BitCast(d16, hn::TableLookupBytes(hn::BitCast(bytes, hn::PromoteTo(d64, w)), spread));
  };
  const auto v =
      Interpolate(node(i0), node(iA), node(iB), node(i7), weight(largest), weight(middle), weight(smallest));
  // 32 codes a level of 255.
  static_assert(SL_NODE_UNIT == 32 * 255);
  const auto levels = hn::ShiftRight<5>(hn::Add(v, hn::Set(d16, 16)));
  return hn::BitCast(dh, hn::DemoteTo(d8, levels));
}

HWY_INLINE VI Colour(const int16_t *nodes, const Cell &c) {
  const DI d;
  const hn::Half<DI> dh;
  const int64_t *base = reinterpret_cast<const int64_t *>(nodes);
  const auto low = [&](VI v) HWY_ATTR { return hn::LowerHalf(dh, v); };
  const auto high = [&](VI v) HWY_ATTR { return hn::UpperHalf(dh, v); };
  return hn::Combine(d,
                     HalfColour(base, high(c.i0), high(c.iA), high(c.iB), high(c.i7), high(c.largest),
                                high(c.middle), high(c.smallest)),
                     HalfColour(base, low(c.i0), low(c.iA), low(c.iB), low(c.i7), low(c.largest),
                                low(c.middle), low(c.smallest)));
}

HWY_INLINE void ApplyToVector(const sl_baked_lut &lut, const Axis &axis, const uint32_t *src, uint32_t *dst) {
  const DI d;
  const hn::RebindToUnsigned<DI> du;
  const VI byte = hn::Set(d, 0xff);
  const VI p = hn::BitCast(d, hn::LoadU(du, src));
  const VI r = hn::And(p, byte), g = hn::And(hn::ShiftRight<8>(p), byte),
           b = hn::And(hn::ShiftRight<16>(p), byte);
  const VI colour = Colour(lut.nodes, Locate(axis(r), axis(g), axis(b), lut.size));
  const VI alpha = hn::And(p, hn::Set(d, static_cast<int32_t>(0xff000000u)));
  hn::StoreU(hn::BitCast(du, hn::Or(colour, alpha)), du, dst);
}

HWY_INLINE void ApplyToVector(const sl_baked_lut &lut, const Axis &axis, const uint64_t *src, uint32_t *dst) {
  const DI d;
  const hn::RebindToUnsigned<DI> du;
  const hn::Rebind<uint16_t, DI> d16;
  hn::Vec<decltype(d16)> r, g, b, a;
  hn::LoadInterleaved4(d16, reinterpret_cast<const uint16_t *>(src), r, g, b, a);
  const VI colour = Colour(lut.nodes, Locate(axis(hn::PromoteTo(d, r)), axis(hn::PromoteTo(d, g)),
                                             axis(hn::PromoteTo(d, b)), lut.size));
  const VI a16 = hn::PromoteTo(d, a);
  // The nearest of 8 bit: a / 257, rounded.
  const VI a8 = hn::ShiftRight<16>(hn::Add(hn::Mul(a16, hn::Set(d, 255)), hn::Set(d, 32895)));
  hn::StoreU(hn::BitCast(du, hn::Or(colour, hn::ShiftLeft<24>(a8))), du, dst);
}

// The axis of samples whose full scale is `full`.
HWY_INLINE Axis AxisOf(const sl_baked_lut &lut, float full) {
  // A hair under the top keeps the far corner of the last cell inside the table; the error is 1/32768 cell.
  const float top = 32768.0f * (1.0f - 0.75f / (32768.0f * static_cast<float>(lut.size - 1)));
  return {lut.steep * top / full, lut.gentle * top / full, lut.offset * top};
}

template <typename Pixel>
void Apply(const sl_baked_lut &lut, const Pixel *src, uint32_t *dst, size_t n) {
  const size_t lanes = hn::Lanes(DI());
  const Axis axis = AxisOf(lut, sizeof(Pixel) == 4 ? 255.0f : 65535.0f);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) ApplyToVector(lut, axis, src + i, dst + i);
  if (i < n) {
    Pixel in[16] = {};
    uint32_t out[16];
    for (size_t k = i; k < n; k++) in[k - i] = src[k];
    ApplyToVector(lut, axis, in, out);
    for (size_t k = i; k < n; k++) dst[k] = out[k - i];
  }
}

void ApplyBakedLut(const sl_baked_lut *lut, const void *src, sl_sample type, uint8_t *dst8, size_t n) {
  uint32_t *dst = reinterpret_cast<uint32_t *>(dst8);
  if (type == SL_U8) {
    Apply(*lut, static_cast<const uint32_t *>(src), dst, n);
  } else {
    Apply(*lut, static_cast<const uint64_t *>(src), dst, n);
  }
}

HWY_INLINE void ApplyToPlanarVector(const sl_baked_lut &lut, const Axis &axis, const uint16_t *r,
                                    const uint16_t *g, const uint16_t *b, uint32_t *dst) {
  const DI d;
  const hn::RebindToUnsigned<DI> du;
  const hn::Rebind<uint16_t, DI> d16;
  const auto position = [&](const uint16_t *p)
                            HWY_ATTR { return axis(hn::PromoteTo(d, hn::LoadU(d16, p))); };
  const VI colour = Colour(lut.nodes, Locate(position(r), position(g), position(b), lut.size));
  const VI alpha = hn::Set(d, static_cast<int32_t>(0xff000000u));
  hn::StoreU(hn::BitCast(du, hn::Or(colour, alpha)), du, dst);
}

void ApplyBakedLutPlanar(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g, const uint16_t *b,
                         uint8_t *dst8, size_t n) {
  const size_t lanes = hn::Lanes(DI());
  const Axis axis = AxisOf(*lut, 65535.0f);
  uint32_t *dst = reinterpret_cast<uint32_t *>(dst8);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) ApplyToPlanarVector(*lut, axis, r + i, g + i, b + i, dst + i);
  if (i < n) {
    uint16_t in[3][16] = {};
    uint32_t out[16];
    for (size_t k = i; k < n; k++) in[0][k - i] = r[k], in[1][k - i] = g[k], in[2][k - i] = b[k];
    ApplyToPlanarVector(*lut, axis, in[0], in[1], in[2], out);
    for (size_t k = i; k < n; k++) dst[k] = out[k - i];
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(ApplyBakedLut);
HWY_EXPORT(ApplyBakedLutPlanar);
}
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
