// The cube root of vectors. Included once for every instruction set.
#if defined(SAFELIGHT_CUBE_ROOT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_CUBE_ROOT_INL_H
#undef SAFELIGHT_CUBE_ROOT_INL_H
#else
#define SAFELIGHT_CUBE_ROOT_INL_H
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {

// For x in 1e-27…1e37: a guess from the exponent, within 4 %, then two Halley steps, each of which cubes the
// error.
template <class D>
static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> PositiveCubeRoot(D d, hwy::HWY_NAMESPACE::Vec<D> x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToSigned<D> di;
  const auto third = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, x)), hn::Set(d, 1.0f / 3.0f));
  auto y = hn::BitCast(d, hn::Add(hn::ConvertTo(di, third), hn::Set(di, 0x2a514067)));
  for (int step = 0; step < 2; step++) {
    const auto cube = hn::Mul(y, hn::Mul(y, y));
    y = hn::Mul(y, hn::Div(hn::Add(cube, hn::Add(x, x)), hn::Add(hn::Add(cube, cube), x)));
  }
  return y;
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
