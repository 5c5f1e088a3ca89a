// Gains, and light added, that depend on the place of a pixel and on the light around it, on planar float.
#include "Brightness-inl.h"
#include "Grain-inl.h"
#include "LightNodes-inl.h"
#include "LightSpline-inl.h"
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
HWY_INLINE Rgb Multiplied(const ParametricCurve &decode, const ParametricCurve &encode, VF gain, VF power,
                          Rgb v) {
  const DF d;
  const sl_parametric_curve &numbers = decode.Numbers();
  const VF toe = hn::Set(d, numbers.toe);
  const VF shift = hn::Mul(hn::Sub(power, hn::Set(d, 1.0f)), hn::Set(d, numbers.offset / numbers.gain));
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
    return hn::IfThenElse(holds, fast, encode.At(hn::Mul(gain, decode.At(x))));
  };
  return {exact(v.r, out.r), exact(v.g, out.g), exact(v.b, out.b)};
}

// The stops of a falloff along a row. What is the same for all pixels stays in registers.
class FalloffRow {
 public:
  // Positions of the row's first pixel in double precision: a float is too coarse for large pictures.
  HWY_INLINE FalloffRow(const sl_falloff &f, double x, double y)
      : exponent_(f.exponent),
        u_(hn::Set(DF(), static_cast<float>(f.map[0] * x + f.map[1] * y + f.map[2]))),
        v_(hn::Set(DF(), static_cast<float>(f.map[3] * x + f.map[4] * y + f.map[5]))),
        u_step_(hn::Set(DF(), f.map[0])),
        v_step_(hn::Set(DF(), f.map[3])),
        scale_(hn::Set(DF(), f.scale)),
        begin_(hn::Set(DF(), f.begin * f.scale)),
        stops_(hn::Set(DF(), f.stops)) {}

  // Whether its lines are ellipses; a loop asks once.
  HWY_INLINE bool IsRound() const { return exponent_ == 2.0f; }

  HWY_INLINE VF RoundStops(VF column) const {
    const VF u = U(column), v = V(column);
    return At(hn::Sqrt(hn::MulAdd(u, u, hn::Mul(v, v))));
  }

  HWY_INLINE VF Stops(VF column) const {
    if (IsRound()) return RoundStops(column);
    const Powers powers(exponent_), roots(1.0f / exponent_);
    return At(roots.Of(hn::Add(powers.Of(hn::Abs(U(column))), powers.Of(hn::Abs(V(column))))));
  }

 private:
  HWY_INLINE VF U(VF column) const { return hn::MulAdd(column, u_step_, u_); }
  HWY_INLINE VF V(VF column) const { return hn::MulAdd(column, v_step_, v_); }
  HWY_INLINE VF At(VF distance) const {
    return hn::Mul(stops_, SmoothStep(hn::MulSub(distance, scale_, begin_)));
  }

  const float exponent_;
  const VF u_, v_, u_step_, v_step_, scale_, begin_, stops_;
};

// The stops of highlights and shadows.
class RegionStops {
 public:
  HWY_INLINE explicit RegionStops(const sl_local_light &light) : light_(light) {}

  // For light around pixels of `base`.
  HWY_INLINE VF At(VF base) const {
    const DF d;
    const VF distance = hn::Abs(base);
    const auto is_bright = hn::Gt(base, hn::Zero(d));
    const auto number = [&](float bright, float dark) HWY_ATTR {
      return hn::IfThenElse(is_bright, hn::Set(d, bright), hn::Set(d, dark));
    };
    const sl_region &a = light_.bright, &b = light_.dark;
    const VF rising = SmoothStep(hn::Mul(distance, number(a.rise, b.rise)));
    const VF falling = SmoothStep(hn::MulSub(distance, number(a.fall, b.fall), number(a.from, b.from)));
    const VF strength = hn::Mul(number(a.amount, b.amount), rising);
    const VF stops = hn::NegMulAdd(hn::Mul(number(a.part, b.part), falling), strength, strength);
    if (light_.white == 0) return stops;
    const VF white =
        SmoothStep(hn::MulSub(base, hn::Set(d, light_.white_rise), hn::Set(d, light_.white_from)));
    return hn::MulAdd(hn::Set(d, light_.white), white, stops);
  }

 private:
  // A copy, which compilers keep in registers.
  const sl_local_light light_;
};

// The stops of local tone for colours of brightness e.
HWY_INLINE VF LocalStops(const sl_local_light &light, const LightNodes<4> *nodes, size_t column, VF e) {
  const DF d;
  VF base = e, detail = hn::Zero(d);
  if (nodes != nullptr) {
    VF lines[4];
    nodes->At(column, lines);
    base = hn::MulAdd(lines[0], e, lines[1]);
    detail = hn::Sub(e, hn::MulAdd(lines[2], e, lines[3]));
  }
  base = hn::Add(base, hn::Set(d, light.shift));
  const VF strong = hn::Sqrt(hn::MulAdd(detail, detail, hn::Set(d, 1.0f)));
  return hn::MulAdd(hn::Set(d, light.clarity), hn::Div(detail, strong), RegionStops(light).At(base));
}

// What a field needs along a row: of n pixels from column x on, at most kFieldBlock.
struct FieldRow {
  FalloffRow falloff;
  LightNodes<4> nodes;
  // NULL if every pixel is its own surroundings.
  const LightNodes<4> *around = nullptr;
  // Whether the grid has them.
  bool has_haze = false, has_glow = false, has_detail = false;
  const sl_light_grid *grid = nullptr;
  float haze_part = 0;
  LightNodes<2> haze;
  SplineNodes glow;
  LightNodes<1> detail;
  GrainRow grain;

  HWY_INLINE FieldRow(const sl_field &f, const sl_light_grid *grids, int32_t x, int32_t y, size_t n)
      : falloff(f.falloff, x + 0.5, y + 0.5) {
    if (f.has_grain) grain.Prepare(f.grain, grids == nullptr ? nullptr : grids[f.grid].film, x, y);
    if (grids == nullptr) return;
    const sl_light_grid &g = grids[f.grid];
    grid = &g;
    if (f.has_local) {
      nodes.Prepare(g.nodes, g.width, g.height, g.map, x, y, n);
      around = &nodes;
    }
    haze_part = g.haze_parts[f.haze.removes != 0];
    has_haze = f.has_haze != 0 && haze_part > 0;
    has_glow = f.has_glow != 0;
    has_detail = f.has_texture != 0;
    if (has_haze) haze.Prepare(g.haze, g.width, g.height, g.map, x, y, n);
    if (has_glow) glow.Prepare(g.glow, g.width, g.height, g.map, x, y, n);
    if (has_detail) detail.Prepare(g.detail, g.detail_width, g.detail_height, g.detail_map, x, y, n);
  }

  // Whether light is added to that of pixels.
  HWY_INLINE bool Adds() const { return has_haze || has_glow; }

  // The stops of texture.
  HWY_INLINE VF DetailStops(const sl_field &f, size_t column) const {
    VF number[1];
    detail.At(column, number);
    return hn::Mul(hn::Set(DF(), f.texture), number[0]);
  }

  // The most of a colour that may be haze: m.
  HWY_INLINE VF VeilLimit(const sl_field &f, Rgb light) const {
    const DF d;
    const Rgb c = Multiply(f.haze.to_channels, light);
    const auto part = [&](VF x, int channel) HWY_ATTR {
      return hn::Mul(hn::IfThenElseZero(hn::Eq(x, x), x), hn::Set(d, grid->inverse_ambient[channel]));
    };
    const VF least = hn::Min(part(c.r, 0), hn::Min(part(c.g, 1), part(c.b, 2)));
    return hn::Min(hn::Max(least, hn::Zero(d)), hn::Set(d, 1.0f));
  }

  // Light without its haze, or with more, where v is found from m and is at most `most`; `ambient` is A.
  HWY_INLINE Rgb Unveiled(const sl_field &f, size_t column, VF m, VF most, Rgb ambient, Rgb light) const {
    const DF d;
    const VF zero = hn::Zero(d), one = hn::Set(d, 1.0f);
    VF line[2];
    haze.At(column, line);
    const VF v = hn::Min(hn::Max(hn::MulAdd(line[0], m, line[1]), zero), most);
    const VF veiled = hn::MulAdd(v, hn::Set(d, f.haze.share), hn::Set(d, f.haze.base));
    const VF t = hn::Max(hn::NegMulAdd(veiled, hn::Set(d, haze_part), one), hn::Set(d, f.haze.least));
    const VF factor = f.haze.removes ? hn::Div(one, t) : t;
    const VF rest = hn::Sub(one, factor);
    const auto mixed = [&](VF x, VF a) HWY_ATTR { return hn::MulAdd(factor, x, hn::Mul(rest, a)); };
    return {mixed(light.r, ambient.r), mixed(light.g, ambient.g), mixed(light.b, ambient.b)};
  }

  // A, `scale` times as bright.
  HWY_INLINE Rgb Ambient(VF scale) const {
    const DF d;
    const auto channel = [&](int c) HWY_ATTR { return hn::Mul(scale, hn::Set(d, grid->ambient[c])); };
    return {channel(0), channel(1), channel(2)};
  }

  // Light without its haze, or with more, and with what scatters to it.
  HWY_INLINE Rgb Added(const sl_field &f, size_t column, Rgb light) const {
    const DF d;
    if (has_haze) {
      const VF m = VeilLimit(f, light);
      light = Unveiled(f, column, m, m, Ambient(hn::Set(d, 1.0f)), light);
    }
    if (!has_glow) return light;
    const Rgb more = glow.At(column);
    const VF strength = hn::Set(d, f.glow);
    return {hn::MulAdd(strength, more.r, light.r), hn::MulAdd(strength, more.g, light.g),
            hn::MulAdd(strength, more.b, light.b)};
  }
};

// The samples of light multiplied by a gain.
HWY_INLINE Rgb Encoded(const ParametricCurve &encode, VF gain, Rgb light) {
  const auto sample = [&](VF x) HWY_ATTR { return encode.At(hn::Mul(gain, x)); };
  return {sample(light.r), sample(light.g), sample(light.b)};
}

// Runs a field on n pixels of a row from column x on, at most kFieldBlock.
HWY_INLINE void RunField(const sl_field &f, const sl_light_grid *grids, int32_t x, int32_t y, float *r,
                         float *g, float *b, size_t n) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  FieldRow along(f, grids, x, y, n);
  const ParametricCurve decode(f.decode), encode(f.encode);
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
    if (f.has_falloff) stops = along.falloff.Stops(Columns(i));
    if (along.has_detail) stops = hn::Add(stops, along.DetailStops(f, i));
    Rgb light = in;
    if (f.is_encoded && (f.has_local || f.has_grain || along.Adds())) {
      light = {decode.At(in.r), decode.At(in.g), decode.At(in.b)};
    }
    if (f.has_local || f.has_grain) {
      const VF e = Brightness(f.brightness, light);
      if (f.has_local) stops = hn::Add(stops, LocalStops(f.local, along.around, i, e));
      if (f.has_grain) stops = hn::Add(stops, along.grain.Stops(e));
    }
    const VF gain = Exp2(stops);
    if (along.Adds()) light = along.Added(f, i, light);
    const Rgb out = !f.is_encoded
                        ? Rgb{hn::Mul(light.r, gain), hn::Mul(light.g, gain), hn::Mul(light.b, gain)}
                    : along.Adds() ? Encoded(encode, gain, light)
                                   : Multiplied(decode, encode, gain, Exp2(hn::Mul(stops, per_power)), in);
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
