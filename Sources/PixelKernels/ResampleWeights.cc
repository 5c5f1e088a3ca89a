#include "ResampleWeights.h"

#include <math.h>

#include <memory>

namespace safelight {
namespace {

const ResampleWeights *Compute(sl_kernel kernel) {
  auto weights = std::make_unique<ResampleWeights>();
  sl_kernel_table(kernel, weights->table);
  for (int phase = 0; phase < SL_KERNEL_PHASES; phase++) {
    int16_t *plain = weights->plain + 8 * phase;
    int rest = 32768, largest = 0;
    for (int tap = 0; tap < 8; tap++) {
      const int value = static_cast<int>(lrintf(weights->table[8 * phase + tap] * 32768.0f));
      plain[tap] = static_cast<int16_t>(value > 32767 ? 32767 : value);
      rest -= plain[tap];
      if (plain[tap] > plain[largest]) largest = tap;
    }
    // Adds the rounding remainder to the largest weight, so that flat areas are unchanged.
    const int mended = plain[largest] + rest;
    plain[largest] = static_cast<int16_t>(mended > 32767 ? 32767 : mended);
    for (int tap = 0; tap < 8; tap++) {
      for (int channel = 0; channel < 4; channel++) {
        weights->spread[32 * phase + 4 * tap + channel] = plain[tap];
      }
    }
  }
  return weights.release();
}

}  // namespace

const ResampleWeights &ResampleWeights::Shared(sl_kernel kernel) {
  // Never freed: threads may still be sampling while the process ends.
  if (kernel == SL_KERNEL_BILINEAR) {
    static const ResampleWeights *const bilinear = Compute(SL_KERNEL_BILINEAR);
    return *bilinear;
  }
  static const ResampleWeights *const sharp = Compute(SL_KERNEL_SHARP);
  return *sharp;
}

}  // namespace safelight
