// The brightness of the nodes of local tone.
#include "LocalLight.h"

#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "LocalLight.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "StageCurves-inl.h"
#include "Brightness-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void LightBrightness(const sl_brightness *measure, const float *r, const float *g, const float *b, float *e,
                     size_t n) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(Brightness(*measure, {hn::LoadU(d, r + i), hn::LoadU(d, g + i), hn::LoadU(d, b + i)}), d,
               e + i);
  }
  if (i == n) return;
  float last[4][16] = {};
  for (size_t k = 0; k < n - i; k++) last[0][k] = r[i + k], last[1][k] = g[i + k], last[2][k] = b[i + k];
  hn::StoreU(Brightness(*measure, {hn::LoadU(d, last[0]), hn::LoadU(d, last[1]), hn::LoadU(d, last[2])}), d,
             last[3]);
  for (size_t k = 0; k < n - i; k++) e[i + k] = last[3][k];
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(LightBrightness);
}  // namespace safelight
extern "C" {
void sl_light_brightness(const sl_brightness *measure, const float *r, const float *g, const float *b,
                         float *e, size_t n) {
  SL_KERNEL(safelight::LightBrightness)(measure, r, g, b, e, n);
}
}
#endif
