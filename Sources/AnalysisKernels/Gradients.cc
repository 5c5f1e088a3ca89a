#include <math.h>
#include <string.h>

#include <algorithm>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Gradients.cc"
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

float Join(const float *phases) {
  float sum = 0;
  for (size_t i = 0; i < kPhases; i++) sum += phases[i];
  return sum;
}

HWY_INLINE VF Square(VF x) { return hn::Mul(x, x); }

// gx² + gy² at `a + 1` … of the middle one of three rows.
HWY_INLINE VF SobelEnergy(DF d, const float *a, const float *b, const float *c) {
  const VF two = hn::Set(d, 2.0f);
  const VF a0 = hn::LoadU(d, a), a1 = hn::LoadU(d, a + 1), a2 = hn::LoadU(d, a + 2);
  const VF c0 = hn::LoadU(d, c), c1 = hn::LoadU(d, c + 1), c2 = hn::LoadU(d, c + 2);
  const VF across = hn::Mul(hn::Sub(hn::LoadU(d, b + 2), hn::LoadU(d, b)), two);
  const VF gx = hn::Add(hn::Add(hn::Sub(a2, a0), hn::Sub(c2, c0)), across);
  const VF gy = hn::Add(hn::Add(hn::Sub(c0, a0), hn::Sub(c2, a2)), hn::Mul(hn::Sub(c1, a1), two));
  return hn::Add(Square(gx), Square(gy));
}

// Immerkær's operator at `a + 1` … of the middle one of three rows, squared.
HWY_INLINE VF NoiseEnergy(DF d, const float *a, const float *b, const float *c) {
  const VF corners =
      hn::Add(hn::Add(hn::LoadU(d, a), hn::LoadU(d, a + 2)), hn::Add(hn::LoadU(d, c), hn::LoadU(d, c + 2)));
  const VF sides = hn::Add(hn::Add(hn::LoadU(d, a + 1), hn::LoadU(d, c + 1)),
                           hn::Add(hn::LoadU(d, b), hn::LoadU(d, b + 2)));
  const VF middle = hn::Mul(hn::LoadU(d, b + 1), hn::Set(d, 4.0f));
  return Square(hn::Add(hn::Sub(corners, hn::Add(sides, sides)), middle));
}

void SobelSum(const float *luma, int32_t width, int32_t height, double *total) {
  const DF d;
  const size_t lanes = hn::Lanes(d), n = width > 2 ? static_cast<size_t>(width - 2) : 0;
  *total = 0;
  for (int32_t y = 1; y + 1 < height; y++) {
    const float *const a = luma + static_cast<ptrdiff_t>(y - 1) * width, *const b = a + width,
                       *const c = b + width;
    HWY_ALIGN float phases[kPhases] = {};
    size_t x = 0;
    for (; x + kPhases <= n; x += kPhases) {
      for (size_t i = 0; i < kPhases; i += lanes) {
        const VF energy = SobelEnergy(d, a + x + i, b + x + i, c + x + i);
        hn::Store(hn::Add(hn::Load(d, phases + i), energy), d, phases + i);
      }
    }
    if (x < n) {
      HWY_ALIGN float rows[3][kPhases + 2] = {}, energies[kPhases];
      const float *const sources[3] = {a, b, c};
      for (int i = 0; i < 3; i++) memcpy(rows[i], sources[i] + x, sizeof(float) * (n - x + 2));
      for (size_t i = 0; i < kPhases; i += lanes) {
        hn::Store(SobelEnergy(d, rows[0] + i, rows[1] + i, rows[2] + i), d, energies + i);
      }
      for (size_t i = 0; i < n - x; i++) phases[i] += energies[i];
    }
    *total += Join(phases);
  }
  *total /= 64;
}

float NoiseDeviation(const float *luma, int32_t width, int32_t height, float *blocks) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  constexpr int32_t kBlock = kPhases;
  size_t count = 0;
  for (int32_t top = 1; top + kBlock < height; top += kBlock) {
    for (int32_t left = 1; left + kBlock < width; left += kBlock) {
      HWY_ALIGN float phases[kPhases];
      const float *const corner = luma + static_cast<ptrdiff_t>(top - 1) * width + left - 1;
      for (size_t i = 0; i < kPhases; i += lanes) {
        VF sum = hn::Zero(d);
        const float *a = corner + i;
        for (int32_t y = 0; y < kBlock; y++, a += width) {
          sum = hn::Add(sum, NoiseEnergy(d, a, a + width, a + 2 * static_cast<ptrdiff_t>(width)));
        }
        hn::Store(sum, d, phases + i);
      }
      blocks[count++] = Join(phases) / (kBlock * kBlock);
    }
  }
  if (count == 0) return 0;
  float *const middle = blocks + count / 10;
  std::nth_element(blocks, middle, blocks + count);
  // The squares of the operator's weights sum to 36.
  return sqrtf(*middle / 36);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(SobelSum);
HWY_EXPORT(NoiseDeviation);
}  // namespace safelight_analysis

extern "C" double sla_sobel_energy(const float *luma, int32_t width, int32_t height) {
  double total;
  SL_KERNEL(safelight_analysis::SobelSum)(luma, width, height, &total);
  return total;
}

extern "C" float sla_noise_deviation(const float *luma, int32_t width, int32_t height, float *blocks) {
  return SL_KERNEL(safelight_analysis::NoiseDeviation)(luma, width, height, blocks);
}
#endif
