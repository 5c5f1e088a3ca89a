#include "PlanarWeights.h"

#include <math.h>

#include <memory>
#include <vector>

namespace safelight {
namespace {

constexpr int kOne = 1 << 14;

int16_t Q14(float weight) { return static_cast<int16_t>(lrintf(weight * kOne)); }

PlanarWeights *Compute() {
  std::vector<float> table(8 * (SL_KERNEL_PHASES + 1));
  sl_kernel_table(SL_KERNEL_SHARP, table.data());
  auto weights = std::make_unique<PlanarWeights>();

  constexpr int kNodes = 64, kPhasesPerNode = SL_KERNEL_PHASES / kNodes;
  for (int tap = 0; tap < 3; tap++) {
    for (int k = 0; k < kNodes; k++) {
      const int16_t here = Q14(table[8 * (k * kPhasesPerNode) + tap]);
      const int16_t next = Q14(table[8 * ((k + 1) * kPhasesPerNode) + tap]);
      weights->node[tap][k] = here;
      weights->step[tap][k] = static_cast<int16_t>(2 * (next - here));
    }
  }

  for (int phase = 0; phase < SL_KERNEL_PHASES; phase++) {
    int16_t taps[6];
    int rest = kOne, largest = 0;
    for (int tap = 0; tap < 6; tap++) {
      taps[tap] = Q14(table[8 * phase + tap]);
      rest -= taps[tap];
      if (taps[tap] > taps[largest]) largest = tap;
    }
    taps[largest] = static_cast<int16_t>(taps[largest] + rest);
    for (int pair = 0; pair < 3; pair++) {
      const uint32_t low = static_cast<uint16_t>(taps[pair]), high = static_cast<uint16_t>(taps[5 - pair]);
      weights->phase[4 * phase + pair] = static_cast<int32_t>(low | high << 16);
    }
    weights->phase[4 * phase + 3] = 0;
  }
  return weights.release();
}

}  // namespace

const PlanarWeights &PlanarWeights::Shared() {
  // Never freed: threads may still be sampling while the process ends.
  static const PlanarWeights *const weights = Compute();
  return *weights;
}

}  // namespace safelight
