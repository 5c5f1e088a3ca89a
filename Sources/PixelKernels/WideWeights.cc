#include "WideWeights.h"

#include <math.h>

#include <atomic>
#include <memory>

#include "InterpolationKernel.h"

namespace safelight {
namespace {
// Each coverage is 2^(1/128) times the one before.
constexpr int kSteps = 128;
constexpr int kLevels = 427;  // the last of which covers more than SL_MOST_COVERAGE

// Past the end of a table whole vectors are read.
constexpr size_t kReadAhead = 32;

const WideWeights *Compute(sl_kernel kernel, float cover) {
  auto weights = std::make_unique<WideWeights>();
  const int reach = static_cast<int>(ceil(KernelRadius(kernel) * static_cast<double>(cover)));
  weights->before = reach - 1;
  weights->taps = 2 * reach;
  weights->stride = (weights->taps + WideWeights::kGroup - 1) / WideWeights::kGroup * WideWeights::kGroup;
  // Wider kernels change more slowly, and need fewer phases.
  weights->bits = cover < 2 ? 10 : cover < 4 ? 9 : 8;
  const int phases = 1 << weights->bits;
  const size_t count = static_cast<size_t>(phases) * static_cast<size_t>(weights->stride);
  weights->fixed.assign(count + kReadAhead, 0);
  weights->plain.assign(count + kReadAhead, 0);
  std::vector<double> exact(static_cast<size_t>(weights->taps));
  for (int phase = 0; phase < phases; phase++) {
    const double fraction = static_cast<double>(phase) / phases;
    double sum = 0;
    for (int tap = 0; tap < weights->taps; tap++) {
      const double distance = (tap - weights->before - fraction) / static_cast<double>(cover);
      exact[tap] = static_cast<double>(KernelWeight(kernel, static_cast<float>(distance)));
      sum += exact[tap];
    }
    const size_t first = static_cast<size_t>(phase) * static_cast<size_t>(weights->stride);
    // Each weight takes what rounding has left over so far, so that flat areas are unchanged.
    double total = 0;
    int given = 0;
    for (int tap = 0; tap < weights->taps; tap++) {
      const double weight = exact[tap] / sum;
      weights->plain[first + tap] = static_cast<float>(weight);
      total += weight;
      const int next = static_cast<int>(lrint(total * 32768));
      weights->fixed[first + tap] = static_cast<int16_t>(next - given > 32767 ? 32767 : next - given);
      given = next;
    }
  }
  return weights.release();
}
}  // namespace

const WideWeights &WideWeights::Shared(sl_kernel kernel, float cover) {
  // Never freed: threads may still be sampling while the process ends.
  static std::atomic<const WideWeights *> tables[2][kLevels];
  int level = 0;
  // NaN counts as 1.
  if (cover > 1) {
    const float most = SL_MOST_COVERAGE;
    level = static_cast<int>(lrintf(log2f(cover < most ? cover : most) * kSteps));
  }
  std::atomic<const WideWeights *> &place = tables[kernel == SL_KERNEL_BILINEAR][level];
  const WideWeights *weights = place.load(std::memory_order_acquire);
  if (weights != nullptr) return *weights;
  const WideWeights *made = Compute(kernel, exp2f(static_cast<float>(level) / kSteps));
  // Of threads that made it at once, one is used.
  if (place.compare_exchange_strong(weights, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *weights;
}

}  // namespace safelight
