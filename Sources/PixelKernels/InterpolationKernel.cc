// The weights of the interpolation kernels, by phase and at any distance.
#include "InterpolationKernel.h"

#include <math.h>

#include <memory>

namespace {
// The modified Bessel function I0, by its power series.
double Bessel0(double x) {
  double term = 1, sum = 1;
  for (int k = 1; k <= 30; k++) {
    term *= x / 2 / k;
    sum += term * term;
  }
  return sum;
}

// sinc(t) · I0(β·√(1 - (t/3)²)) / I0(β), β = 5. Source: Kaiser, Schafer, IEEE Trans. ASSP 28(1), 1980.
double KaiserSinc(double t) {
  constexpr double kPi = 3.14159265358979323846, kBeta = 5, kRadius = 3;
  if (t == 0) return 1;
  if (fabs(t) >= kRadius) return 0;
  const double u = t / kRadius;
  return sin(kPi * t) / (kPi * t) * Bessel0(kBeta * sqrt(1 - u * u)) / Bessel0(kBeta);
}
}  // namespace

namespace safelight {
const float *SharpKernel() {
  // Never freed: threads may still be sampling while the process ends.
  static const float *const table = [] {
    constexpr int kCount = 3 * kKernelSteps + 2;
    auto weights = std::make_unique<float[]>(kCount);
    for (int i = 0; i < kCount; i++) weights[i] = static_cast<float>(KaiserSinc(i / double{kKernelSteps}));
    return weights.release();
  }();
  return table;
}
}  // namespace safelight

extern "C" void sl_kernel_table(sl_kernel kernel, float *table) {
  for (int phase = 0; phase <= SL_KERNEL_PHASES; phase++) {
    const double fraction = static_cast<double>(phase) / SL_KERNEL_PHASES;
    double weights[8] = {}, sum = 0;
    if (kernel == SL_KERNEL_BILINEAR) weights[0] = 1 - fraction, weights[1] = fraction, sum = 1;
    for (int tap = 0; kernel == SL_KERNEL_SHARP && tap < 6; tap++) {
      weights[tap] = KaiserSinc(tap - 2 - fraction);
      sum += weights[tap];
    }
    for (int tap = 0; tap < 8; tap++) table[8 * phase + tap] = static_cast<float>(weights[tap] / sum);
  }
}
