#include <string.h>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "GradientTensor.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

// Sums are kept separately by column modulo 16 and joined in one order, whatever the vector length.
constexpr size_t kPhases = 16;

struct TensorSums {
  HWY_ALIGN float xx[kPhases] = {};
  HWY_ALIGN float xy[kPhases] = {};
  HWY_ALIGN float yy[kPhases] = {};
};

HWY_INLINE void Add(DF d, VF product, float *sums) {
  hn::Store(hn::Add(hn::Load(d, sums), product), d, sums);
}

// The gradients at `a + 1` … of the middle one of three rows.
HWY_INLINE void AddGradients(DF d, const float *a, const float *b, const float *c, size_t i,
                             TensorSums &sums) {
  const VF two = hn::Set(d, 2.0f);
  const VF a0 = hn::LoadU(d, a), a1 = hn::LoadU(d, a + 1), a2 = hn::LoadU(d, a + 2);
  const VF c0 = hn::LoadU(d, c), c1 = hn::LoadU(d, c + 1), c2 = hn::LoadU(d, c + 2);
  const VF across = hn::Mul(hn::Sub(hn::LoadU(d, b + 2), hn::LoadU(d, b)), two);
  const VF gx = hn::Add(hn::Add(hn::Sub(a2, a0), hn::Sub(c2, c0)), across);
  const VF gy = hn::Add(hn::Add(hn::Sub(c0, a0), hn::Sub(c2, a2)), hn::Mul(hn::Sub(c1, a1), two));
  Add(d, hn::Mul(gx, gx), sums.xx + i);
  Add(d, hn::Mul(gx, gy), sums.xy + i);
  Add(d, hn::Mul(gy, gy), sums.yy + i);
}

double JoinedPhases(const float *phases) {
  double sum = 0;
  for (size_t i = 0; i < kPhases; i++) sum += phases[i];
  return sum / 64;
}

void GradientTensor(const float *luma, ptrdiff_t row_samples, int32_t width, int32_t height, double *tensor) {
  const DF d;
  const size_t lanes = hn::Lanes(d), n = width > 2 ? static_cast<size_t>(width - 2) : 0;
  double xx = 0, xy = 0, yy = 0;
  for (int32_t y = 1; y + 1 < height; y++) {
    const float *const b = luma + y * row_samples, *const a = b - row_samples, *const c = b + row_samples;
    TensorSums sums;
    size_t x = 0;
    for (; x + kPhases <= n; x += kPhases) {
      for (size_t i = 0; i < kPhases; i += lanes) {
        AddGradients(d, a + x + i, b + x + i, c + x + i, i, sums);
      }
    }
    if (x < n) {
      // The last sample is repeated, and what it adds is not counted.
      HWY_ALIGN float rows[3][kPhases + 2];
      const float *const sources[3] = {a, b, c};
      TensorSums rest;
      for (int row = 0; row < 3; row++) {
        for (size_t i = 0; i < kPhases + 2; i++) rows[row][i] = sources[row][HWY_MIN(x + i, n + 1)];
      }
      for (size_t i = 0; i < kPhases; i += lanes) {
        AddGradients(d, rows[0] + i, rows[1] + i, rows[2] + i, i, rest);
      }
      for (size_t i = 0; i < n - x; i++) {
        sums.xx[i] += rest.xx[i], sums.xy[i] += rest.xy[i], sums.yy[i] += rest.yy[i];
      }
    }
    xx += JoinedPhases(sums.xx), xy += JoinedPhases(sums.xy), yy += JoinedPhases(sums.yy);
  }
  tensor[0] = xx, tensor[1] = xy, tensor[2] = yy;
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(GradientTensor);
}  // namespace safelight_analysis

extern "C" void sla_gradient_tensor(const float *luma, ptrdiff_t row_samples, int32_t width, int32_t height,
                                    double tensor[3]) {
  SL_KERNEL(safelight_analysis::GradientTensor)(luma, row_samples, width, height, tensor);
}
#endif
