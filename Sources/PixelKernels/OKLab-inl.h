// Colours by their OKLab, on vectors of float.
#include "Brightness-inl.h"
#include "CubeRoot-inl.h"
#include "PixelKernels.h"
#include "StageCurves-inl.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_OKLAB_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_OKLAB_INL_H
#undef SAFELIGHT_OKLAB_INL_H
#else
#define SAFELIGHT_OKLAB_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Signed cube root; 0 below 1e-27.
HWY_INLINE VF CubeRoot(VF x) {
  const DF d;
  // Three times the cube of a larger value would overflow.
  const VF a = hn::Min(hn::Abs(x), hn::Set(d, 1e37f));
  const auto nonzero = hn::Gt(a, hn::Set(d, 1e-27f));
  const VF y = PositiveCubeRoot(d, hn::IfThenElse(nonzero, a, hn::Set(d, 1.0f)));
  return KeepNaN(hn::CopySign(hn::IfThenElseZero(nonzero, y), x), x);
}

// Three rows of three times the cube roots of LMS: OKLab, or what becomes of it.
HWY_INLINE Rgb OfRoots(const float to_lms[9], const float from_roots[9], Rgb v) {
  const Rgb lms = Multiply(to_lms, v);
  return Multiply(from_roots, {CubeRoot(lms.r), CubeRoot(lms.g), CubeRoot(lms.b)});
}

HWY_INLINE Rgb OklabMix(const sl_oklab_mix &m, Rgb v) {
  const Rgb lms = OfRoots(m.to_lms, m.cube_root_mix, v);
  const auto cube = [](VF x) HWY_ATTR { return hn::Mul(x, hn::Mul(x, x)); };
  return Multiply(m.from_lms, {cube(lms.r), cube(lms.g), cube(lms.b)});
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
