// The interpolation kernels at any distance.
#ifndef SAFELIGHT_INTERPOLATION_KERNEL_H
#define SAFELIGHT_INTERPOLATION_KERNEL_H

#include <math.h>

#include "PixelKernels.h"

namespace safelight {
constexpr int kKernelSteps = 256;

// The sharp kernel at every 1/256 of a sample up to its radius of 3, and zeros.
// Computed on first use, then constant.
const float *SharpKernel();

inline double KernelRadius(sl_kernel kernel) { return kernel == SL_KERNEL_SHARP ? 3 : 1; }

// The weight of a sample at a distance, before weights are normalized to a sum
// of 1.
inline float KernelWeight(sl_kernel kernel, float distance) {
  const float t = fabsf(distance);
  if (kernel == SL_KERNEL_BILINEAR) return t < 1 ? 1 - t : 0;
  if (!(t < 3)) return 0;
  const float place = t * kKernelSteps;
  const int node = static_cast<int>(place);
  const float *table = SharpKernel() + node;
  return table[0] + (place - static_cast<float>(node)) * (table[1] - table[0]);
}
}  // namespace safelight

#endif
