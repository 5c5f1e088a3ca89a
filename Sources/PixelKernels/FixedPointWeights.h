// Lanczos-3 weights in Q15, for 8-bit sources.
#ifndef SAFELIGHT_FIXED_POINT_WEIGHTS_H
#define SAFELIGHT_FIXED_POINT_WEIGHTS_H

#include <stdint.h>

#include "PixelKernels.h"

namespace safelight {

struct FixedPointWeights {
  // Phase by phase: 8 weights whose sum is exactly 1.0 (but for the one that 1.0 itself does not fit).
  int16_t plain[8 * SL_KERNEL_PHASES];
  // The same, each weight four times: one for every channel of its pixel.
  alignas(64) int16_t spread[32 * SL_KERNEL_PHASES];

  // Computed on first use, then constant.
  static const FixedPointWeights &Shared();
};

}  // namespace safelight

#endif
