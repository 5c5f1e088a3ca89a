// The brightness of colours as local tone measures it, on vectors of float.
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_BRIGHTNESS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_BRIGHTNESS_INL_H
#undef SAFELIGHT_BRIGHTNESS_INL_H
#else
#define SAFELIGHT_BRIGHTNESS_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Three rows of three times a colour.
HWY_INLINE Rgb Multiply(const float m[9], Rgb v) {
  const DF d;
  const auto row = [&](int i) HWY_ATTR {
    return hn::MulAdd(v.r, hn::Set(d, m[i]),
                      hn::MulAdd(v.g, hn::Set(d, m[i + 1]), hn::Mul(v.b, hn::Set(d, m[i + 2]))));
  };
  return {row(0), row(3), row(6)};
}

// In EV from middle grey; NaN is no light.
HWY_INLINE VF Brightness(const sl_brightness &light, Rgb v) {
  const DF d;
  const Rgb c = Multiply(light.to_working, v);
  // The cubes of larger values would be infinite.
  const VF most = hn::Set(d, 1e6f);
  const auto level = [&](VF x)
                         HWY_ATTR { return hn::Min(hn::Abs(hn::IfThenElseZero(hn::Eq(x, x), x)), most); };
  const VF r = level(c.r), g = level(c.g), b = level(c.b);
  const VF r2 = hn::Mul(r, r), g2 = hn::Mul(g, g), b2 = hn::Mul(b, b);
  const VF squares = hn::Add(r2, hn::Add(g2, b2));
  const VF cubes = hn::MulAdd(r2, r, hn::MulAdd(g2, g, hn::Mul(b2, b)));
  const auto visible = hn::Gt(squares, hn::Set(d, 1e-22f));
  const VF norm =
      hn::IfThenElseZero(visible, hn::Div(cubes, hn::IfThenElse(visible, squares, hn::Set(d, 1.0f))));
  const VF e = hn::Add(Log2(hn::Add(norm, hn::Set(d, light.floor))), hn::Set(d, light.bias));
  return hn::Min(e, hn::Set(d, light.most));
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
