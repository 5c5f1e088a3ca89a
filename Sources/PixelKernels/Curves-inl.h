// Tables over light and over hue, on vectors of float.
#include "OKLab-inl.h"
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_CURVES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_CURVES_INL_H
#undef SAFELIGHT_CURVES_INL_H
#else
#define SAFELIGHT_CURVES_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Curve `channel` at x; NaN counts as 0.
HWY_INLINE VF LightCurve(const sl_light_curves &c, int channel, VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  const VF zero = hn::Zero(d), one = hn::Set(d, 1.0f), most = hn::Set(d, 1e30f);
  const float *samples = c.samples + channel * c.count;
  x = hn::IfThenElseZero(hn::Eq(x, x), x);
  const VF inside = hn::Min(hn::Max(x, zero), one);
  const VF index = hn::Mul(hn::Sqrt(inside), hn::Set(d, static_cast<float>(c.count - 1)));
  const VF floor = hn::Min(hn::Floor(index), hn::Set(d, static_cast<float>(c.count - 2)));
  const auto i = hn::ConvertTo(di, floor);
  const VF low = hn::GatherIndex(d, samples, i);
  const VF high = hn::GatherIndex(d, samples, hn::Add(i, hn::Set(di, 1)));
  VF y = hn::MulAdd(hn::Sub(index, floor), hn::Sub(high, low), low);
  y = hn::MulAdd(hn::Max(hn::Min(x, zero), hn::Neg(most)), hn::Set(d, c.below[channel]), y);
  return hn::MulAdd(hn::Min(hn::Max(hn::Sub(x, one), zero), most), hn::Set(d, c.above[channel]), y);
}

HWY_INLINE Rgb LightCurves(const sl_light_curves &c, Rgb v) {
  const DF d;
  const auto known = [](VF x) HWY_ATTR { return hn::IfThenElseZero(hn::Eq(x, x), x); };
  const Rgb k = {known(v.r), known(v.g), known(v.b)};
  switch (c.mode) {
    case SL_CURVES_CHANNELS:
      return {KeepNaN(LightCurve(c, 0, k.r), v.r), KeepNaN(LightCurve(c, 1, k.g), v.g),
              KeepNaN(LightCurve(c, 2, k.b), v.b)};
    case SL_CURVES_HUE_KEEPING: {
      const VF low = hn::Min(k.r, hn::Min(k.g, k.b)), high = hn::Max(k.r, hn::Max(k.g, k.b));
      const VF darkest = LightCurve(c, 0, low), brightest = LightCurve(c, 0, high);
      const VF scale = hn::Div(hn::Sub(brightest, darkest), hn::Max(hn::Sub(high, low), hn::Set(d, 1e-30f)));
      const auto between = [&](VF x, VF whole) HWY_ATTR {
        return KeepNaN(hn::MulAdd(scale, hn::Sub(x, low), darkest), whole);
      };
      return {between(k.r, v.r), between(k.g, v.g), between(k.b, v.b)};
    }
    case SL_CURVES_LUMINANCE: {
      const VF sum =
          hn::MulAdd(k.r, hn::Set(d, c.luminance[0]),
                     hn::MulAdd(k.g, hn::Set(d, c.luminance[1]), hn::Mul(k.b, hn::Set(d, c.luminance[2]))));
      const VF y = hn::Max(known(sum), hn::Set(d, 1e-4f));
      const VF black = hn::Set(d, c.samples[0]);
      const VF gain = hn::Div(hn::Sub(LightCurve(c, 0, y), black), y);
      const auto lit = [&](VF x, VF whole) HWY_ATTR { return KeepNaN(hn::MulAdd(gain, x, black), whole); };
      return {lit(k.r, v.r), lit(k.g, v.g), lit(k.b, v.b)};
    }
  }
  return v;
}

HWY_INLINE Rgb Hues(const sl_hues &h, Rgb v) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  const VF one = hn::Set(d, 1.0f);
  const Rgb lab = OfRoots(h.to_lms, h.lab_from_roots, v);
  const VF a = lab.g, b = lab.b;
  const VF sum = hn::Add(hn::Abs(a), hn::Abs(b));
  // False for NaN, too.
  const auto colored = hn::Gt(sum, hn::Set(d, 1e-30f));
  const VF p = hn::IfThenElseZero(colored, hn::Div(b, hn::IfThenElse(colored, sum, one)));
  const VF t = hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Sub(hn::Set(d, 3.0f), p), hn::Add(one, p));
  const VF index = hn::Mul(hn::Min(hn::Max(t, hn::Zero(d)), hn::Set(d, 4.0f)),
                           hn::Set(d, static_cast<float>(h.count) / 4.0f));
  const VF floor = hn::Min(hn::Floor(index), hn::Set(d, static_cast<float>(h.count - 1)));
  const auto i = hn::ConvertTo(di, floor);
  const VF part = hn::Sub(index, floor);
  const auto value = [&](int table) HWY_ATTR {
    const float *entries = h.tables + table * (h.count + 1);
    const VF low = hn::GatherIndex(d, entries, i);
    const VF high = hn::GatherIndex(d, entries, hn::Add(i, hn::Set(di, 1)));
    return hn::MulAdd(part, hn::Sub(high, low), low);
  };
  const VF square = hn::MulAdd(a, a, hn::Mul(b, b));
  const VF faded = hn::Div(square, hn::Add(square, hn::Set(d, h.fade)));
  const VF weak = hn::Div(one, hn::MulAdd(square, hn::Set(d, 1.0f / h.vibrance), one));
  const VF real = hn::MulAdd(faded, hn::MulAdd(value(2), weak, value(0)), one);
  const VF imaginary = hn::Mul(faded, value(1));
  const VF strong = hn::Div(square, hn::Add(square, hn::Set(d, h.lightness)));
  const VF gain = hn::MulAdd(value(4), strong, one);
  const VF scale = hn::Mul(hn::Min(gain, one), value(3));
  const Rgb roots = Multiply(
      h.roots_from_lab, {hn::Mul(gain, lab.r), hn::Mul(scale, hn::NegMulAdd(imaginary, b, hn::Mul(real, a))),
                         hn::Mul(scale, hn::MulAdd(imaginary, a, hn::Mul(real, b)))});
  const auto cube = [](VF x) HWY_ATTR { return hn::Mul(x, hn::Mul(x, x)); };
  return Multiply(h.from_lms, {cube(roots.r), cube(roots.g), cube(roots.b)});
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
