#include <string.h>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ThresholdBits.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D8 = hn::CappedTag<uint8_t, 64>;

void ThresholdBits(const uint8_t *luma, int32_t width, uint8_t threshold, uint8_t tolerance, uint64_t *above,
                   uint64_t *certain) {
  const D8 d;
  const size_t lanes = hn::Lanes(d);
  const auto level = hn::Set(d, threshold), least = hn::Set(d, tolerance);
  for (int32_t x = 0; x < width; x += 64, above++, certain++) {
    uint8_t copy[64];
    const uint8_t *samples = luma + x;
    if (width - x < 64) {
      // At the threshold, and so neither above nor certain.
      memset(copy, threshold, sizeof copy);
      memcpy(copy, samples, static_cast<size_t>(width - x));
      samples = copy;
    }
    // Highway may write a whole word of a mask's bits.
    uint8_t bits[2][64 / 8 + 8] = {};
    for (size_t i = 0; i < 64; i += lanes) {
      const auto sample = hn::LoadU(d, samples + i);
      const auto difference = hn::Max(hn::SaturatedSub(sample, level), hn::SaturatedSub(level, sample));
      hn::StoreMaskBits(d, hn::Gt(sample, level), bits[0] + i / 8);
      hn::StoreMaskBits(d, hn::Gt(difference, least), bits[1] + i / 8);
    }
    memcpy(above, bits[0], sizeof *above);
    memcpy(certain, bits[1], sizeof *certain);
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(ThresholdBits);
}  // namespace safelight_analysis

extern "C" void sla_threshold_bits(const uint8_t *luma, int32_t width, uint8_t threshold, uint8_t tolerance,
                                   uint64_t *above, uint64_t *certain) {
  SL_KERNEL(safelight_analysis::ThresholdBits)(luma, width, threshold, tolerance, above, certain);
}
#endif
