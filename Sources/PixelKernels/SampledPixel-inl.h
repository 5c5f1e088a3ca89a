// One sampled pixel of RGBA: what it is made of, its alpha, and how it is stored.
#include <stdint.h>

#include "hwy/highway.h"

#if defined(SAFELIGHT_SAMPLED_PIXEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SAFELIGHT_SAMPLED_PIXEL_INL_H
#undef SAFELIGHT_SAMPLED_PIXEL_INL_H
#else
#define SAFELIGHT_SAMPLED_PIXEL_INL_H
#endif

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D4 = hn::CappedTag<float, 4>;
using V4 = hn::Vec<D4>;

template <typename Sample>
constexpr float kFull = sizeof(Sample) == 1   ? 255.0f
                        : sizeof(Sample) == 2 ? 65535.0f
                                              : 1.0f;

// Stores a pixel whose samples are scaled to 0…1; integer sources are already
// clipped.
HWY_INLINE void StorePixel(V4 v, uint16_t *dst) {
  const D4 d;
  const hn::Rebind<uint16_t, D4> d16;
  hn::StoreU(hn::DemoteTo(d16, hn::NearestInt(hn::Mul(v, hn::Set(d, 65535.0f)))), d16, dst);
}
HWY_INLINE void StorePixel(V4 v, float *dst) { hn::StoreU(v, D4(), dst); }

// The fraction of a pixel at position x (Q32, 0 at the centre of the first
// pixel) between the edges of an axis of `size` pixels.
HWY_INLINE float Coverage(int64_t x, int32_t size) {
  const double position = static_cast<double>(x) / 4294967296.0;
  const double depth = HWY_MIN(position + 1.0, size - position);
  return static_cast<float>(HWY_MIN(HWY_MAX(depth, 0.0), 1.0));
}

// The colour and alpha of a sampled pixel: divided by alpha again if it was
// multiplied by it, and transparent by what of it is outside of the picture.
HWY_INLINE V4 Uncovered(V4 value, bool premultiply, float coverage) {
  const D4 d4;
  if (!premultiply && coverage >= 1) return value;
  HWY_ALIGN float v[4];
  hn::StoreU(value, d4, v);
  v[3] = HWY_MIN(HWY_MAX(v[3], 0.0f), 1.0f);
  const float inverse = !premultiply ? 1.0f : v[3] > 1e-6f ? 1.0f / v[3] : 0.0f;
  for (int k = 0; k < 3; k++) v[k] = coverage > 0 ? v[k] * inverse : 0;
  v[3] *= coverage;
  return hn::LoadU(d4, v);
}

}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();
#endif
