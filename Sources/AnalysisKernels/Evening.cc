#include <math.h>
#include <string.h>

#include <algorithm>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Evening.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;

void MultiplyBetween(const uint8_t *samples, const float *first, const float *second, float part,
                     size_t count, uint8_t *out) {
  const DF d;
  const hn::Rebind<int32_t, DF> di;
  const hn::Rebind<uint8_t, DF> db;
  const size_t lanes = hn::Lanes(d);
  const auto most = hn::Set(d, 255.0f), place = hn::Set(d, part);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto a = hn::LoadU(d, first + i), b = hn::LoadU(d, second + i);
    const auto gain = hn::Add(a, hn::Mul(hn::Sub(b, a), place));
    const auto value = hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(db, samples + i)));
    hn::StoreU(hn::DemoteTo(db, hn::NearestInt(hn::Min(hn::Mul(value, gain), most))), db, out + i);
  }
  for (; i < count; i++) {
    const float gain = first[i] + (second[i] - first[i]) * part;
    out[i] = static_cast<uint8_t>(nearbyintf(std::min(samples[i] * gain, 255.0f)));
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(MultiplyBetween);
}  // namespace safelight_analysis

extern "C" void sla_multiply_between(const uint8_t *samples, const float *first, const float *second,
                                     float part, size_t count, uint8_t *out) {
  SL_KERNEL(safelight_analysis::MultiplyBetween)(samples, first, second, part, count, out);
}

extern "C" void sla_sauvola(const uint8_t *luma, ptrdiff_t row_bytes, int32_t width, int32_t height,
                            int32_t first, int32_t rows, int32_t radius, float factor, float least,
                            uint32_t *scratch, uint8_t *rgba, ptrdiff_t rgba_bytes) {
  uint32_t *const sums = scratch, *const squares = scratch + width;
  memset(scratch, 0, sizeof(uint32_t) * 2 * static_cast<size_t>(width));
  const auto add = [&](int32_t y, bool is_added) {
    const uint8_t *const row = luma + y * row_bytes;
    if (is_added) {
      for (int32_t x = 0; x < width; x++) sums[x] += row[x], squares[x] += row[x] * row[x];
    } else {
      for (int32_t x = 0; x < width; x++) sums[x] -= row[x], squares[x] -= row[x] * row[x];
    }
  };
  for (int32_t y = std::max(first - radius, 0); y < std::min(first + radius, height); y++) add(y, true);
  for (int32_t y = first; y < first + rows; y++) {
    // The rows and columns of the picture that lie within the radius.
    if (y + radius < height) add(y + radius, true);
    if (y - radius - 1 >= std::max(first - radius, 0)) add(y - radius - 1, false);
    const int32_t high = std::min(y + radius, height - 1) - std::max(y - radius, 0) + 1;
    uint64_t sum = 0, square = 0;
    for (int32_t x = 0; x < std::min(radius, width); x++) sum += sums[x], square += squares[x];
    const uint8_t *const row = luma + y * row_bytes;
    uint8_t *const out = rgba + y * rgba_bytes;
    for (int32_t x = 0; x < width; x++) {
      if (x + radius < width) sum += sums[x + radius], square += squares[x + radius];
      if (x - radius - 1 >= 0) sum -= sums[x - radius - 1], square -= squares[x - radius - 1];
      const int32_t wide = std::min(x + radius, width - 1) - std::max(x - radius, 0) + 1;
      const double scale = 1.0 / (static_cast<double>(wide) * high);
      const double mean = sum * scale;
      const double deviation = sqrt(std::max(square * scale - mean * mean, 0.0));
      const double threshold = mean * (1 + factor * (deviation / 128 - 1));
      const uint8_t level = row[x] > std::max<double>(threshold, least) ? 255 : 0;
      out[4 * x] = out[4 * x + 1] = out[4 * x + 2] = level;
    }
  }
}
#endif
