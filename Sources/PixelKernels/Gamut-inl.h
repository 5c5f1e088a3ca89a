// Gamut mapping, on vectors of float.
#include "OKLab-inl.h"
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_GAMUT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_GAMUT_INL_H
#undef SAFELIGHT_GAMUT_INL_H
#else
#define SAFELIGHT_GAMUT_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE Rgb InGamut(const sl_gamut &gamut, Rgb v) {
  const DF d;
  const VF zero = hn::Zero(d), half = hn::Set(d, 0.5f), one = hn::Set(d, 1.0f);
  // False for NaN.
  const auto bright = hn::Or(hn::Gt(v.r, one), hn::Or(hn::Gt(v.g, one), hn::Gt(v.b, one)));
  if (hn::AllFalse(d, bright)) return v;
  // The sums of larger colours would overflow.
  const VF most = hn::Set(d, 1e30f);
  const auto bounded = [&](VF x) HWY_ATTR { return hn::IfThenElseZero(hn::Gt(x, zero), hn::Min(x, most)); };
  const Rgb lms = Multiply(gamut.to_lms, {bounded(v.r), bounded(v.g), bounded(v.b)});
  const Rgb roots = {CubeRoot(lms.r), CubeRoot(lms.g), CubeRoot(lms.b)};
  const Rgb lab = Multiply(gamut.lab_from_roots, roots);

  const VF offset = hn::Sub(lab.r, half), distance = hn::Abs(offset);
  const VF chroma = hn::Sqrt(hn::MulAdd(lab.g, lab.g, hn::Mul(lab.b, lab.b)));
  const VF sum = hn::MulAdd(hn::Set(d, gamut.alpha), chroma, hn::Add(half, distance));
  const VF twice = hn::Add(distance, distance);
  const VF root = hn::Sqrt(hn::Max(hn::MulSub(sum, sum, twice), zero));
  const VF shift = hn::Min(hn::Div(twice, hn::Add(sum, root)), one);
  const VF grey = hn::MulAdd(half, hn::CopySign(shift, offset), half);

  // Each channel is a cubic of t, since the cube roots of LMS are linear.
  const Rgb away = {hn::Sub(roots.r, grey), hn::Sub(roots.g, grey), hn::Sub(roots.b, grey)};
  const Rgb away2 = {hn::Mul(away.r, away.r), hn::Mul(away.g, away.g), hn::Mul(away.b, away.b)};
  const Rgb third = Multiply(gamut.from_lms,
                             {hn::Mul(away2.r, away.r), hn::Mul(away2.g, away.g), hn::Mul(away2.b, away.b)});
  const VF grey3 = hn::Mul(hn::Set(d, 3.0f), grey);
  const auto times = [](VF x, Rgb c) HWY_ATTR {
    return Rgb{hn::Mul(x, c.r), hn::Mul(x, c.g), hn::Mul(x, c.b)};
  };
  const Rgb first = times(hn::Mul(grey3, grey), Multiply(gamut.from_lms, away));
  const Rgb second = times(grey3, Multiply(gamut.from_lms, away2));
  const VF start = hn::Mul(grey, hn::Mul(grey, grey));
  const auto color = [&](VF t) HWY_ATTR {
    const auto channel = [&](VF c1, VF c2, VF c3) HWY_ATTR {
      return hn::MulAdd(t, hn::MulAdd(t, hn::MulAdd(t, c3, c2), c1), start);
    };
    return Rgb{channel(first.r, second.r, third.r), channel(first.g, second.g, third.g),
               channel(first.b, second.b, third.b)};
  };
  VF inside = zero, step = one;
  for (int32_t i = 0; i < gamut.halvings; i++) {
    step = hn::Mul(step, half);
    const VF middle = hn::Add(inside, step);
    const Rgb c = color(middle);
    inside = hn::IfThenElse(hn::Le(hn::Max(c.r, hn::Max(c.g, c.b)), one), middle, inside);
  }
  const Rgb found = color(inside);
  const auto chosen = [&](VF x, VF whole)
                          HWY_ATTR { return hn::IfThenElse(bright, KeepNaN(x, whole), whole); };
  return {chosen(found.r, v.r), chosen(found.g, v.g), chosen(found.b, v.b)};
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
