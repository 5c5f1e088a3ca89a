// Windows that slide over small planes of float.
#include "PixelKernels.h"
#include "hwy/highway.h"

#if defined(SAFELIGHT_LIGHT_WINDOWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_LIGHT_WINDOWS_INL_H
#undef SAFELIGHT_LIGHT_WINDOWS_INL_H
#else
#define SAFELIGHT_LIGHT_WINDOWS_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls `body` with each place of n floats at which a vector begins, each float once: the last ones are
// vectors of one lane.
template <class Body>
HWY_INLINE void ForVectors(size_t n, Body body) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  if (n < lanes) {
    const hn::CappedTag<float, 1> one;
    for (size_t i = 0; i < n; i++) body(one, i);
    return;
  }
  for (size_t i = 0; i + lanes <= n; i += lanes) body(d, i);
  const hn::CappedTag<float, 1> one;
  for (size_t i = n / lanes * lanes; i < n; i++) body(one, i);
}

// Exchanges rows and columns, in blocks that stay in the first-level cache.
HWY_INLINE void Transpose(const float *source, float *target, size_t width, size_t height) {
  constexpr size_t kBlock = 16;
  for (size_t top = 0; top < height; top += kBlock) {
    for (size_t left = 0; left < width; left += kBlock) {
      for (size_t x = left; x < HWY_MIN(left + kBlock, width); x++) {
        for (size_t y = top; y < HWY_MIN(top + kBlock, height); y++)
          target[x * height + y] = source[y * width + x];
      }
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#endif
