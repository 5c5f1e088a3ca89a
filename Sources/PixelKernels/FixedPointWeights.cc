#include "FixedPointWeights.h"

#include <math.h>

#include <memory>
#include <vector>

namespace safelight {
namespace {

FixedPointWeights *Compute() {
  std::vector<float> table(8 * (SL_KERNEL_PHASES + 1));
  sl_lanczos3_table(table.data());
  auto weights = std::make_unique<FixedPointWeights>();
  for (int phase = 0; phase < SL_KERNEL_PHASES; phase++) {
    int16_t *plain = weights->plain + 8 * phase;
    int rest = 32768, largest = 0;
    for (int tap = 0; tap < 8; tap++) {
      const int value = static_cast<int>(lrintf(table[8 * phase + tap] * 32768.0f));
      plain[tap] = static_cast<int16_t>(value > 32767 ? 32767 : value);
      rest -= plain[tap];
      if (plain[tap] > plain[largest]) largest = tap;
    }
    // What rounding left over goes where it weighs least, so that flat areas stay as they are.
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

const FixedPointWeights &FixedPointWeights::Shared() {
  // Never freed: threads may still be sampling while the process ends.
  static const FixedPointWeights *const weights = Compute();
  return *weights;
}

}  // namespace safelight
