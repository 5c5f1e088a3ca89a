// Kaiser-windowed sinc weights in Q14 for planes of 8-bit samples, two taps together: 0 with 5, 1 with 4, 2
// with 3.
#ifndef SAFELIGHT_PLANAR_WEIGHTS_H
#define SAFELIGHT_PLANAR_WEIGHTS_H

#include <stdint.h>

#include "PixelKernels.h"

namespace safelight {

struct PlanarWeights {
  // Taps 0, 1 and 2 at the fractions k / 64, and twice the step to the next one: for look-ups in registers.
  alignas(64) int16_t node[3][64];
  alignas(64) int16_t step[3][64];
  // By phase, 1/SL_KERNEL_PHASES apart: three pairs, the outer tap of a pair in the high half; the fourth is
  // 0. The weights of a phase sum to exactly 1.
  alignas(64) int32_t phase[4 * SL_KERNEL_PHASES];

  // Computed on first use, then constant.
  static const PlanarWeights &Shared();
};

}  // namespace safelight

#endif
