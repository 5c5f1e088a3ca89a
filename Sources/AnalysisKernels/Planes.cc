#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Planes.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

void SquareRoot(float *samples, size_t count) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(hn::Sqrt(hn::LoadU(d, samples + i)), d, samples + i);
  for (; i < count; i++) samples[i] = hn::GetLane(hn::Sqrt(hn::Set(d, samples[i])));
}

void Halve(const float *luma, int32_t width, int32_t height, float *output) {
  const DF d;
  const size_t lanes = hn::Lanes(d), columns = static_cast<size_t>(width / 2);
  const VF quarter = hn::Set(d, 0.25f);
  for (int32_t y = 0; y < height / 2; y++, output += columns) {
    const float *const top = luma + static_cast<ptrdiff_t>(2 * y) * width, *const bottom = top + width;
    size_t x = 0;
    for (; x + lanes <= columns; x += lanes) {
      VF a, b, c, e;
      hn::LoadInterleaved2(d, top + 2 * x, a, b);
      hn::LoadInterleaved2(d, bottom + 2 * x, c, e);
      hn::StoreU(hn::Mul(hn::Add(hn::Add(a, b), hn::Add(c, e)), quarter), d, output + x);
    }
    for (; x < columns; x++) {
      output[x] = ((top[2 * x] + top[2 * x + 1]) + (bottom[2 * x] + bottom[2 * x + 1])) * 0.25f;
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(SquareRoot);
HWY_EXPORT(Halve);
}  // namespace safelight_analysis

extern "C" void sla_square_root(float *samples, size_t count) {
  SL_KERNEL(safelight_analysis::SquareRoot)(samples, count);
}

extern "C" void sla_halve(const float *luma, int32_t width, int32_t height, float *output) {
  SL_KERNEL(safelight_analysis::Halve)(luma, width, height, output);
}
#endif
