// The weights of an interpolation kernel by phase, as wide as what a pixel covers.
#ifndef SAFELIGHT_WIDE_WEIGHTS_H
#define SAFELIGHT_WIDE_WEIGHTS_H

#include <stdint.h>

#include <vector>

#include "PixelKernels.h"

namespace safelight {

struct WideWeights {
  // Weights are stored in groups of as many, the last ones 0.
  static constexpr int kGroup = 8;

  // The first sample of a place is so many before the one at or below it.
  int before;
  int taps;    // that are not 0 in every phase
  int stride;  // from one phase to the next: taps, in whole groups
  int bits;    // of a place's fraction that choose the phase
  // In Q15 and in float; each phase sums to 1. Whole vectors are read, slightly past the last weight.
  std::vector<int16_t> fixed;
  std::vector<float> plain;

  // Places are in 2⁻¹⁶ samples.
  int32_t Rounded(int32_t place) const { return place + (1 << (15 - bits)); }
  int32_t First(int32_t rounded) const { return (rounded >> 16) - before; }
  size_t Phase(int32_t rounded) const {
    return static_cast<size_t>((rounded & 0xFFFF) >> (16 - bits)) * static_cast<size_t>(stride);
  }

  // The weights for a pixel that covers `cover` samples, to within 0.3 %; up to 1 and above SL_MOST_COVERAGE
  // count as these. Computed on first use, then constant.
  static const WideWeights &Shared(sl_kernel kernel, float cover);
};

}  // namespace safelight

#endif
