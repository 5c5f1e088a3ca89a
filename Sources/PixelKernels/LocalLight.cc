// The grids of local tone: guided filters on small pictures of brightness.
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
#include "LightWindows-inl.h"
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

void MakeLightGrid(const float *e, int32_t columns, int32_t rows, const sl_guided_filter *filters,
                   float *scratch, float *nodes) {
  const size_t width = static_cast<size_t>(columns), height = static_cast<size_t>(rows),
               count = width * height;
  float *first = scratch, *second = first + count, *third = second + count, *fourth = third + count;
  float *sum = fourth + count;
  for (int f = 0; f < 2; f++) {
    const size_t radius = static_cast<size_t>(filters[f].radius);
    const float epsilon = filters[f].epsilon;
    ForVectors(count, [&](auto d, size_t i) HWY_ATTR {
      const auto x = hn::LoadU(d, e + i);
      hn::StoreU(hn::Mul(x, x), d, first + i);
    });
    // Means of e in `third` and of its square in `second`, both with columns as rows.
    MeanOfRows(e, second, sum, width, height, radius);
    Transpose(second, fourth, width, height);
    MeanOfRows(fourth, third, sum, height, width, radius);
    MeanOfRows(first, fourth, sum, width, height, radius);
    Transpose(fourth, first, width, height);
    MeanOfRows(first, second, sum, height, width, radius);
    ForVectors(count, [&](auto d, size_t i) HWY_ATTR {
      const auto mean = hn::LoadU(d, third + i);
      const auto variance = hn::Max(hn::NegMulAdd(mean, mean, hn::LoadU(d, second + i)), hn::Zero(d));
      const auto a = hn::Div(variance, hn::Add(variance, hn::Set(d, epsilon)));
      hn::StoreU(a, d, first + i);
      hn::StoreU(hn::NegMulAdd(a, mean, mean), d, second + i);
    });
    for (int line = 0; line < 2; line++) {
      MeanOfRows(line == 0 ? first : second, third, sum, height, width, radius);
      Transpose(third, fourth, height, width);
      MeanOfRows(fourth, nodes + static_cast<size_t>(2 * f + line) * count, sum, width, height, radius);
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(LightBrightness);
HWY_EXPORT(MakeLightGrid);
}  // namespace safelight
extern "C" {
void sl_light_brightness(const sl_brightness *measure, const float *r, const float *g, const float *b,
                         float *e, size_t n) {
  SL_KERNEL(safelight::LightBrightness)(measure, r, g, b, e, n);
}

size_t sl_light_grid_scratch(int32_t width, int32_t height) {
  const size_t longer = static_cast<size_t>(width > height ? width : height);
  return 4 * static_cast<size_t>(width) * static_cast<size_t>(height) + longer;
}

void sl_make_light_grid(const float *e, int32_t width, int32_t height, const sl_guided_filter filters[2],
                        float *scratch, float *nodes) {
  SL_KERNEL(safelight::MakeLightGrid)(e, width, height, filters, scratch, nodes);
}
}
#endif
