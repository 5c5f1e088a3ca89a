// Fields on rows of samples as they come from a camera or a photo, for the table that follows: what RunField
// does, in less precision, without other rows in between.
#include <string.h>

#include "LocalLight.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "LightRows.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "StageCurves-inl.h"
#include "Brightness-inl.h"
#include "Field-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DU16 = hn::Rebind<uint16_t, DF>;

HWY_INLINE VF Reciprocal(VF x) {
  const VF y = hn::ApproximateReciprocal(x);
  return hn::Mul(y, hn::NegMulAdd(x, y, hn::Set(DF(), 2.0f)));
}

HWY_INLINE VF ReciprocalRoot(VF x) {
  const DF d;
  const VF y = hn::ApproximateReciprocalSqrt(x);
  return hn::Mul(y, hn::NegMulAdd(hn::Mul(hn::Set(d, 0.5f), x), hn::Mul(y, y), hn::Set(d, 1.5f)));
}

// log2 of positive normal numbers within 5e-6.
HWY_INLINE VF NearLog2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // x = (1 + t) · 2^e, 1 + t in √½…√2; a polynomial through the Chebyshev nodes of log2(1 + t) / t.
  const auto bits = hn::BitCast(di, x);
  const auto e = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f3504f3)));
  const VF t = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(e))), hn::Set(d, 1.0f));
  VF p = hn::MulAdd(t, hn::Set(d, -0.202289264f), hn::Set(d, 0.316898187f));
  p = hn::MulAdd(t, p, hn::Set(d, -0.366925771f));
  p = hn::MulAdd(t, p, hn::Set(d, 0.479925573f));
  p = hn::MulAdd(t, p, hn::Set(d, -0.721195752f));
  p = hn::MulAdd(t, p, hn::Set(d, 1.44270044f));
  return hn::MulAdd(t, p, hn::ConvertTo(d, e));
}

// Light of a sample of 0…1.
HWY_INLINE VF Decoded(const sl_light_row &row, VF x) {
  const DF d;
  const VF t = hn::MulAdd(x, hn::Set(d, row.axis_scale), hn::Set(d, row.axis_bias));
  VF p = hn::Set(d, row.decode[SL_LIGHT_ROW_TERMS - 1]);
  for (int i = SL_LIGHT_ROW_TERMS - 2; i >= 0; i--) p = hn::MulAdd(t, p, hn::Set(d, row.decode[i]));
  const VF low = hn::Mul(x, hn::Set(d, row.field->decode.slope));
  return hn::IfThenElse(hn::Le(x, hn::Set(d, row.field->decode.toe)), low, p);
}

// The brightness of decoded light.
HWY_INLINE VF NearBrightness(const sl_brightness &light, Rgb decoded) {
  const DF d;
  const Rgb c = Multiply(light.to_working, decoded);
  const VF r = hn::Abs(c.r), g = hn::Abs(c.g), b = hn::Abs(c.b);
  const VF r2 = hn::Mul(r, r), g2 = hn::Mul(g, g), b2 = hn::Mul(b, b);
  const VF squares = hn::Max(hn::Add(r2, hn::Add(g2, b2)), hn::Set(d, 1e-22f));
  const VF cubes = hn::MulAdd(r2, r, hn::MulAdd(g2, g, hn::Mul(b2, b)));
  const VF norm = hn::Mul(cubes, Reciprocal(squares));
  return hn::Min(hn::Add(NearLog2(hn::Add(norm, hn::Set(d, light.floor))), hn::Set(d, light.bias)),
                 hn::Set(d, light.most));
}

HWY_INLINE VF NearLocalStops(const sl_local_light &light, const LightNodes<4> *nodes, size_t column, VF e) {
  const DF d;
  VF base = e, detail = hn::Zero(d);
  if (nodes != nullptr) {
    VF lines[4];
    nodes->At(column, lines);
    base = hn::MulAdd(lines[0], e, lines[1]);
    detail = hn::Sub(e, hn::MulAdd(lines[2], e, lines[3]));
  }
  const VF index = hn::Min(
      hn::Max(hn::MulAdd(base, hn::Set(d, light.region_scale), hn::Set(d, light.region_bias)), hn::Zero(d)),
      hn::Set(d, static_cast<float>(light.count - 1)));
  // The nearest entry: the table's steps are fine.
  const VF regions = hn::GatherIndex(d, light.regions, hn::NearestInt(index));
  const VF soft = hn::Mul(detail, ReciprocalRoot(hn::MulAdd(detail, detail, hn::Set(d, 1.0f))));
  return hn::MulAdd(hn::Set(d, light.clarity), soft, regions);
}

void MultiplyRow(const sl_light_row &row, const sl_light_grid *grids, int32_t x, int32_t y, uint16_t *r,
                 uint16_t *g, uint16_t *b, size_t n) {
  const DF d;
  const DU16 du;
  const hn::RebindToSigned<DF> di;
  const size_t lanes = hn::Lanes(d);
  const sl_field &f = *row.field;
  FieldRow along(f, grids, x, y, n);
  const VF per_power = hn::Set(d, 1.0f / f.decode.exponent), unit = hn::Set(d, 1.0f / 65535.0f);
  const VF scale = hn::Set(d, row.scale * 65535.0f), most = hn::Set(d, 65535.0f);
  for (size_t i = 0; i < n; i += lanes) {
    // The last pixels may be fewer than a vector.
    uint16_t last[3][16] = {};
    const size_t rest = HWY_MIN(lanes, n - i);
    uint16_t *planes[3] = {r + i, g + i, b + i};
    if (rest < lanes) {
      for (int c = 0; c < 3; c++) memcpy(last[c], planes[c], rest * sizeof(uint16_t));
    }
    const auto load = [&](int c) HWY_ATTR {
      const auto codes = hn::LoadU(du, rest < lanes ? last[c] : planes[c]);
      return hn::Mul(hn::ConvertTo(d, hn::PromoteTo(di, codes)), unit);
    };
    const Rgb in = {load(0), load(1), load(2)};
    VF stops = hn::Zero(d);
    if (f.has_falloff) stops = along.falloff.Stops(hn::Iota(d, static_cast<float>(i)));
    if (along.has_detail) stops = hn::Add(stops, along.DetailStops(f, i));
    Rgb light = in;
    const bool measures = f.has_local || f.has_grain;
    if (measures || along.Adds()) light = {Decoded(row, in.r), Decoded(row, in.g), Decoded(row, in.b)};
    if (measures) {
      const VF e = NearBrightness(f.brightness, light);
      if (f.has_local) stops = hn::Add(stops, NearLocalStops(f.local, along.around, i, e));
      if (f.has_grain) stops = hn::Add(stops, along.grain.Stops(e));
    }
    const Rgb out = along.Adds() ? Encoded(f, Exp2(stops), along.Added(f, i, light))
                                 : Multiplied(f, Exp2(stops), Exp2(hn::Mul(stops, per_power)), in);
    const auto store = [&](VF v, int c) HWY_ATTR {
      const VF code = hn::Min(hn::Max(hn::Mul(v, scale), hn::Zero(d)), most);
      hn::StoreU(hn::DemoteTo(du, hn::NearestInt(code)), du, rest < lanes ? last[c] : planes[c]);
      if (rest < lanes) memcpy(planes[c], last[c], rest * sizeof(uint16_t));
    };
    store(out.r, 0), store(out.g, 1), store(out.b, 2);
  }
}

void MultiplyLight(const sl_light_row *row, const sl_light_grid *grids, int32_t x, int32_t y, uint16_t *r,
                   uint16_t *g, uint16_t *b, size_t n) {
  for (size_t start = 0; start < n; start += kFieldBlock) {
    MultiplyRow(*row, grids, x + static_cast<int32_t>(start), y, r + start, g + start, b + start,
                HWY_MIN(kFieldBlock, n - start));
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(MultiplyLight);
}
extern "C" void sl_multiply_light(const sl_light_row *row, const sl_light_grid *grids, int32_t x, int32_t y,
                                  uint16_t *r, uint16_t *g, uint16_t *b, size_t n) {
  SL_KERNEL(safelight::MultiplyLight)(row, grids, x, y, r, g, b, n);
}
#endif
