// Lines along a row of pixels, and what masks make of places on them, on vectors of float.
#include "GridRow-inl.h"
#include "PixelKernels.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_MASK_LINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_MASK_LINE_INL_H
#undef SAFELIGHT_MASK_LINE_INL_H
#else
#define SAFELIGHT_MASK_LINE_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A line along the row, whose start is found in double precision: a float is too coarse for large pictures.
struct MaskLine {
  float start, step;
  HWY_INLINE VF At(size_t column) const {
    const DF d;
    return hn::MulAdd(Columns(column), hn::Set(d, step), hn::Set(d, start));
  }
};

// SL_MASK_LENS at (u, v).
HWY_INLINE VF LensLight(const sl_mask_step &step, VF u, VF v) {
  const DF d;
  const VF one = hn::Set(d, 1.0f), zero = hn::Zero(d), s = hn::MulAdd(u, u, hn::Mul(v, v));
  const VF inner = hn::MulAdd(s, hn::Set(d, step.scale), hn::Set(d, step.high));
  const VF recorded = hn::MulAdd(s, hn::MulAdd(s, inner, hn::Set(d, step.low)), one);
  const VF value = hn::Mul(hn::Sub(hn::Div(one, recorded), one), hn::Set(d, step.part));
  return hn::IfThenElse(hn::Gt(recorded, zero), hn::Min(hn::Max(value, zero), one), one);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
