// The weights of an interpolation kernel by phase, for resampling interleaved RGBA.
#ifndef SAFELIGHT_RESAMPLE_WEIGHTS_H
#define SAFELIGHT_RESAMPLE_WEIGHTS_H

#include <stdint.h>

#include "PixelKernels.h"

namespace safelight {

struct ResampleWeights {
  // By phase: eight weights, as from sl_kernel_table. Whole vectors are loaded, slightly past the last
  // weight.
  alignas(64) float table[8 * (SL_KERNEL_PHASES + 1) + 16];
  // The same in Q15, summing to 1, and each of them four times for RGBA.
  alignas(64) int16_t plain[8 * SL_KERNEL_PHASES];
  alignas(64) int16_t spread[32 * SL_KERNEL_PHASES];

  // Computed on first use, then constant.
  static const ResampleWeights &Shared(sl_kernel kernel);
};

}  // namespace safelight

#endif
