// Gains that depend on the place of a pixel and on the light around it, on planar float.
#include "Brightness-inl.h"
#include "Grain-inl.h"
#include "LightNodes-inl.h"
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_FIELD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_FIELD_INL_H
#undef SAFELIGHT_FIELD_INL_H
#else
#define SAFELIGHT_FIELD_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Encoded samples whose light is multiplied by `gain`; `power` is gain^(1/exponent).
//
// Where a sample and its result are both above the toe,
//   (gain·x' + offset)^e = g·(gain·x + offset)^e,  so  x' = p·x + (p - 1)·offset/gain,  p = g^(1/e)
// and where both are in the toe, x' = g·x. Only those that pass from one to the other need powers of their
// own.
HWY_INLINE Rgb Multiplied(const sl_field &f, VF gain, VF power, Rgb v) {
  const DF d;
  const VF toe = hn::Set(d, f.decode.toe);
  const VF shift = hn::Mul(hn::Sub(power, hn::Set(d, 1.0f)), hn::Set(d, f.decode.offset / f.decode.gain));
  const auto quick = [&](VF x, hn::Mask<DF> &holds) HWY_ATTR {
    const VF a = hn::Abs(x);
    const auto is_low = hn::Le(a, toe);
    const VF low = hn::Mul(a, gain), high = hn::MulAdd(a, power, shift);
    holds =
        hn::And(holds, hn::Or(hn::And(is_low, hn::Le(low, toe)), hn::And(hn::Gt(a, toe), hn::Ge(high, toe))));
    return hn::CopySign(hn::IfThenElse(is_low, low, high), x);
  };
  auto holds = hn::Eq(gain, gain);
  const Rgb out = {quick(v.r, holds), quick(v.g, holds), quick(v.b, holds)};
  if (HWY_LIKELY(hn::AllTrue(d, holds))) return out;
  const auto exact = [&](VF x, VF fast) HWY_ATTR {
    return hn::IfThenElse(holds, fast, Parametric(f.encode, hn::Mul(gain, Parametric(f.decode, x))));
  };
  return {exact(v.r, out.r), exact(v.g, out.g), exact(v.b, out.b)};
}

// The stops of a falloff along a row.
class FalloffRow {
 public:
  // Positions of the row's first pixel in double precision: a float is too coarse for large pictures.
  HWY_INLINE FalloffRow(const sl_falloff &f, double x, double y)
      : f_(f),
        u_(static_cast<float>(f.map[0] * x + f.map[1] * y + f.map[2])),
        v_(static_cast<float>(f.map[3] * x + f.map[4] * y + f.map[5])) {}

  HWY_INLINE VF Stops(VF column) const {
    const DF d;
    const VF exponent = hn::Set(d, f_.exponent), one = hn::Set(d, 1.0f);
    const VF u = hn::Abs(hn::MulAdd(column, hn::Set(d, f_.map[0]), hn::Set(d, u_)));
    const VF v = hn::Abs(hn::MulAdd(column, hn::Set(d, f_.map[3]), hn::Set(d, v_)));
    const VF distance = f_.exponent == 2.0f ? hn::Sqrt(hn::MulAdd(u, u, hn::Mul(v, v)))
                                            : Power(hn::Add(Power(u, exponent), Power(v, exponent)),
                                                    hn::Set(d, 1.0f / f_.exponent));
    const VF w = hn::Min(
        hn::Max(hn::Mul(hn::Sub(distance, hn::Set(d, f_.begin)), hn::Set(d, f_.scale)), hn::Zero(d)), one);
    const VF smooth = hn::Mul(hn::Mul(w, w), hn::NegMulAdd(hn::Set(d, 2.0f), w, hn::Set(d, 3.0f)));
    return hn::Mul(hn::Set(d, f_.stops), smooth);
  }

 private:
  const sl_falloff &f_;
  const float u_, v_;
};

// The stops of local tone for colours of brightness e.
HWY_INLINE VF LocalStops(const sl_local_light &light, const LightNodes *nodes, size_t column, VF e) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  VF base = e, detail = hn::Zero(d);
  if (nodes != nullptr) {
    const LightNodes::Lines lines = nodes->At(column);
    base = hn::MulAdd(lines.a, e, lines.b);
    detail = hn::Sub(e, hn::MulAdd(lines.c, e, lines.d));
  }
  const VF index = hn::Min(
      hn::Max(hn::MulAdd(base, hn::Set(d, light.region_scale), hn::Set(d, light.region_bias)), hn::Zero(d)),
      hn::Set(d, static_cast<float>(light.count - 1)));
  const VF floor = hn::Min(hn::Floor(index), hn::Set(d, static_cast<float>(light.count - 2)));
  const auto i = hn::ConvertTo(di, floor);
  const VF low = hn::GatherIndex(d, light.regions, i);
  const VF high = hn::GatherIndex(d, light.regions, hn::Add(i, hn::Set(di, 1)));
  const VF regions = hn::MulAdd(hn::Sub(index, floor), hn::Sub(high, low), low);
  const VF strong = hn::Sqrt(hn::MulAdd(detail, detail, hn::Set(d, 1.0f)));
  return hn::MulAdd(hn::Set(d, light.clarity), hn::Div(detail, strong), regions);
}

// What a field needs along a row: of n pixels from column x on, at most kFieldBlock.
struct FieldRow {
  FalloffRow falloff;
  LightNodes nodes;
  // NULL if every pixel is its own surroundings.
  const LightNodes *around = nullptr;
  GrainRow grain;

  HWY_INLINE FieldRow(const sl_field &f, const sl_light_grid *grids, int32_t x, int32_t y, size_t n)
      : falloff(f.falloff, x + 0.5, y + 0.5) {
    if (f.has_grain) grain.Prepare(f.grain, x, y);
    if (!f.has_local || grids == nullptr) return;
    nodes.Prepare(grids[f.local.grid], x, y, n);
    around = &nodes;
  }
};

// Multiplies n pixels of a row from column x on, at most kFieldBlock.
HWY_INLINE void RunField(const sl_field &f, const sl_light_grid *grids, int32_t x, int32_t y, float *r,
                         float *g, float *b, size_t n) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  FieldRow along(f, grids, x, y, n);
  const VF per_power = hn::Set(d, f.is_encoded ? 1.0f / f.decode.exponent : 1.0f);
  for (size_t i = 0; i < n; i += lanes) {
    // The last pixels may be fewer than a vector.
    float last[3][16] = {};
    const bool is_whole = i + lanes <= n;
    float *planes[3] = {r + i, g + i, b + i};
    if (!is_whole) {
      for (int c = 0; c < 3; c++) {
        for (size_t k = 0; k < n - i; k++) last[c][k] = planes[c][k];
      }
    }
    const auto load = [&](int c) HWY_ATTR { return hn::LoadU(d, is_whole ? planes[c] : last[c]); };
    const Rgb in = {load(0), load(1), load(2)};
    VF stops = hn::Zero(d);
    if (f.has_falloff) stops = along.falloff.Stops(hn::Iota(d, static_cast<float>(i)));
    if (f.has_local || f.has_grain) {
      const Rgb light = f.is_encoded ? Rgb{Parametric(f.decode, in.r), Parametric(f.decode, in.g),
                                           Parametric(f.decode, in.b)}
                                     : in;
      const VF e = Brightness(f.brightness, light);
      if (f.has_local) stops = hn::Add(stops, LocalStops(f.local, along.around, i, e));
      if (f.has_grain) stops = hn::Add(stops, along.grain.Stops(e));
    }
    const VF gain = Exp2(stops);
    const Rgb out = f.is_encoded ? Multiplied(f, gain, Exp2(hn::Mul(stops, per_power)), in)
                                 : Rgb{hn::Mul(in.r, gain), hn::Mul(in.g, gain), hn::Mul(in.b, gain)};
    const auto store = [&](VF v, int c) HWY_ATTR {
      hn::StoreU(v, d, is_whole ? planes[c] : last[c]);
      if (!is_whole) {
        for (size_t k = 0; k < n - i; k++) planes[c][k] = last[c][k];
      }
    };
    store(out.r, 0), store(out.g, 1), store(out.b, 2);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
