// What dehazing, halation and texture find around the pixels of a picture: windows on small planes.
#include "LocalLight.h"
#include "PixelKernels.h"
#include "Targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "LightSurroundings.cc"
// The order matters: foreach_target re-includes this file, then the rest is compiled per target.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "LightWindows-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace safelight {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The least of each column's window of rows.
void LeastOfRows(const float *source, float *target, size_t width, size_t height, size_t radius) {
  for (size_t y = 0; y < height; y++) {
    const size_t first = y > radius ? y - radius : 0, end = HWY_MIN(y + radius + 1, height);
    float *row = target + y * width;
    ForVectors(width, [&](auto d, size_t i) HWY_ATTR {
      auto least = hn::LoadU(d, source + first * width + i);
      for (size_t k = first + 1; k < end; k++) least = hn::Min(least, hn::LoadU(d, source + k * width + i));
      hn::StoreU(least, d, row + i);
    });
  }
}

void LeastLight(const float *source, float *target, size_t width, size_t height, size_t radius,
                float *scratch) {
  float *other = scratch + width * height;
  LeastOfRows(source, scratch, width, height, radius);
  Transpose(scratch, other, width, height);
  LeastOfRows(other, scratch, height, width, radius);
  Transpose(scratch, target, height, width);
}

// Each column convolved with a symmetric window, whose weights sum to 1 at the edges too.
void BlurRows(const float *source, float *target, size_t width, size_t height, const float *weights,
              size_t reach) {
  for (size_t y = 0; y < height; y++) {
    const size_t first = y > reach ? y - reach : 0, end = HWY_MIN(y + reach + 1, height);
    const auto weight = [&](size_t k) { return weights[k > y ? k - y : y - k]; };
    float total = 0;
    for (size_t k = first; k < end; k++) total += weight(k);
    float *row = target + y * width;
    ForVectors(width, [&](auto d, size_t i) HWY_ATTR {
      auto sum = hn::Zero(d);
      for (size_t k = first; k < end; k++) {
        sum = hn::MulAdd(hn::Set(d, weight(k)), hn::LoadU(d, source + k * width + i), sum);
      }
      hn::StoreU(hn::Mul(sum, hn::Set(d, 1.0f / total)), d, row + i);
    });
  }
}

void ScatterLight(const float *source, float *target, size_t width, size_t height,
                  const float *const *windows, const int32_t *reaches, float *scratch) {
  const size_t count = width * height;
  float *first = scratch, *second = first + count, *both = second + count;
  for (int window = 0; window < 2; window++) {
    const size_t reach = static_cast<size_t>(reaches[window]);
    BlurRows(source, first, width, height, windows[window], reach);
    Transpose(first, second, width, height);
    BlurRows(second, first, height, width, windows[window], reach);
    if (window == 0) Transpose(first, both, height, width);
  }
  Transpose(first, second, height, width);
  ForVectors(count, [&](auto d, size_t i) HWY_ATTR {
    const auto sum = hn::Add(hn::LoadU(d, both + i), hn::LoadU(d, second + i));
    hn::StoreU(hn::Mul(hn::Set(d, 0.5f), sum), d, target + i);
  });
}

void LightDetail(const float *e, const float *a, const float *b, float limit, float dark, float lit,
                 float *target, size_t n) {
  ForVectors(n, [&](auto d, size_t i) HWY_ATTR {
    const auto one = hn::Set(d, 1.0f), x = hn::LoadU(d, e + i);
    const auto detail = hn::Sub(x, hn::MulAdd(hn::LoadU(d, a + i), x, hn::LoadU(d, b + i)));
    const auto part = hn::Mul(detail, hn::Set(d, 1.0f / limit));
    const auto w = hn::Min(
        hn::Max(hn::Mul(hn::Sub(x, hn::Set(d, dark)), hn::Set(d, 1.0f / (lit - dark))), hn::Zero(d)), one);
    const auto smooth = hn::Mul(hn::Mul(w, w), hn::NegMulAdd(hn::Set(d, 2.0f), w, hn::Set(d, 3.0f)));
    hn::StoreU(hn::Mul(smooth, hn::Div(detail, hn::Sqrt(hn::MulAdd(part, part, one)))), d, target + i);
  });
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight {
HWY_EXPORT(LeastLight);
HWY_EXPORT(ScatterLight);
HWY_EXPORT(LightDetail);
}  // namespace safelight
extern "C" {
size_t sl_light_scratch(int32_t width, int32_t height) {
  return 3 * static_cast<size_t>(width) * static_cast<size_t>(height);
}

void sl_least_light(const float *source, float *target, int32_t width, int32_t height, int32_t radius,
                    float *scratch) {
  SL_KERNEL(safelight::LeastLight)
  (source, target, static_cast<size_t>(width), static_cast<size_t>(height), static_cast<size_t>(radius),
   scratch);
}

void sl_scatter_light(const float *source, float *target, int32_t width, int32_t height,
                      const float *const windows[2], const int32_t reaches[2], float *scratch) {
  SL_KERNEL(safelight::ScatterLight)
  (source, target, static_cast<size_t>(width), static_cast<size_t>(height), windows, reaches, scratch);
}

void sl_light_detail(const float *e, const float *a, const float *b, float limit, float dark, float lit,
                     float *target, size_t n) {
  SL_KERNEL(safelight::LightDetail)(e, a, b, limit, dark, lit, target, n);
}
}
#endif
