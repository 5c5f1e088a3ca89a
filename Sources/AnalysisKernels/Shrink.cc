#include <string.h>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Shrink.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The four channels of one pixel.
using D4 = hn::FixedTag<uint32_t, 4>;

template <typename Sample>
void AddRow(const Sample *row, size_t width, size_t factor, uint32_t *sums) {
  const D4 d;
  const hn::Rebind<Sample, D4> narrow;
  for (size_t x = 0; x < width; x += factor, sums += 4) {
    const size_t end = HWY_MIN(x + factor, width);
    auto sum = hn::LoadU(d, sums);
    for (size_t i = x; i < end; i++) sum = hn::Add(sum, hn::PromoteTo(d, hn::LoadU(narrow, row + 4 * i)));
    hn::StoreU(sum, d, sums);
  }
}

void ShrinkAdd(const void *row, int32_t bits, int32_t width, int32_t factor, uint32_t *sums) {
  const size_t columns = static_cast<size_t>(width), step = static_cast<size_t>(factor);
  if (bits == 8) return AddRow(static_cast<const uint8_t *>(row), columns, step, sums);
  AddRow(static_cast<const uint16_t *>(row), columns, step, sums);
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(ShrinkAdd);

namespace {
template <typename Sample>
void Average(const uint32_t *sums, uint32_t rows, uint32_t width, uint32_t factor, Sample *out) {
  for (uint32_t x = 0; x < width; x += factor, sums += 4, out += 4) {
    const uint32_t count = rows * (width - x < factor ? width - x : factor);
    for (int c = 0; c < 4; c++) out[c] = static_cast<Sample>((sums[c] + count / 2) / count);
  }
}

template <typename Sample>
void AddWeighted(const Sample *row, uint32_t width, uint32_t factor, uint64_t *weighted) {
  for (uint32_t x = 0; x < width; x += factor, weighted += 3) {
    const uint32_t end = width - x < factor ? width : x + factor;
    for (uint32_t i = x; i < end; i++) {
      const Sample *const pixel = row + 4 * size_t{i};
      for (int c = 0; c < 3; c++) weighted[c] += uint64_t{pixel[c]} * pixel[3];
    }
  }
}

template <typename Sample>
void AverageWeighted(const uint32_t *sums, const uint64_t *weighted, uint32_t columns, Sample *out) {
  for (uint32_t x = 0; x < columns; x++, sums += 4, weighted += 3, out += 4) {
    const uint64_t alpha = sums[3];
    if (alpha == 0) continue;
    for (int c = 0; c < 3; c++) out[c] = static_cast<Sample>((weighted[c] + alpha / 2) / alpha);
  }
}
}  // namespace
}  // namespace safelight_analysis

extern "C" void sla_shrink_add(const void *row, int32_t bits, int32_t width, int32_t factor, uint32_t *sums) {
  SL_KERNEL(safelight_analysis::ShrinkAdd)(row, bits, width, factor, sums);
}

extern "C" void sla_shrink_average(const uint32_t *sums, int32_t rows, int32_t bits, int32_t width,
                                   int32_t factor, void *out) {
  const uint32_t lines = static_cast<uint32_t>(rows), columns = static_cast<uint32_t>(width),
                 step = static_cast<uint32_t>(factor);
  if (bits == 8) {
    safelight_analysis::Average(sums, lines, columns, step, static_cast<uint8_t *>(out));
  } else {
    safelight_analysis::Average(sums, lines, columns, step, static_cast<uint16_t *>(out));
  }
}

extern "C" void sla_shrink_add_weighted(const void *row, int32_t bits, int32_t width, int32_t factor,
                                        uint64_t *weighted) {
  const uint32_t columns = static_cast<uint32_t>(width), step = static_cast<uint32_t>(factor);
  if (bits == 8) {
    safelight_analysis::AddWeighted(static_cast<const uint8_t *>(row), columns, step, weighted);
  } else {
    safelight_analysis::AddWeighted(static_cast<const uint16_t *>(row), columns, step, weighted);
  }
}

extern "C" void sla_shrink_average_weighted(const uint32_t *sums, const uint64_t *weighted, int32_t bits,
                                            int32_t columns, void *out) {
  const uint32_t count = static_cast<uint32_t>(columns);
  if (bits == 8) {
    safelight_analysis::AverageWeighted(sums, weighted, count, static_cast<uint8_t *>(out));
  } else {
    safelight_analysis::AverageWeighted(sums, weighted, count, static_cast<uint16_t *>(out));
  }
}
#endif
