// Windows that slide over small planes of float.
#include <string.h>

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

// Calls `body` with each place of n floats at which a vector begins; the last one may overlap the one before.
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

// The mean of each column's window of rows: of `width` columns and `height` rows.
HWY_INLINE void MeanOfRows(const float *source, float *target, float *sum, size_t width, size_t height,
                           size_t radius) {
  memset(sum, 0, width * sizeof(float));
  const auto add = [&](size_t y, float sign) HWY_ATTR {
    const float *row = source + y * width;
    ForVectors(width, [&](auto d, size_t i) HWY_ATTR {
      hn::StoreU(hn::MulAdd(hn::Set(d, sign), hn::LoadU(d, row + i), hn::LoadU(d, sum + i)), d, sum + i);
    });
  };
  for (size_t y = 0; y < HWY_MIN(radius, height); y++) add(y, 1);
  for (size_t y = 0; y < height; y++) {
    if (y + radius < height) add(y + radius, 1);
    if (y > radius) add(y - radius - 1, -1);
    const size_t first = y > radius ? y - radius : 0, end = HWY_MIN(y + radius + 1, height);
    const float share = 1.0f / static_cast<float>(end - first);
    float *row = target + y * width;
    ForVectors(width, [&](auto d, size_t i) HWY_ATTR {
      hn::StoreU(hn::Mul(hn::Set(d, share), hn::LoadU(d, sum + i)), d, row + i);
    });
  }
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
