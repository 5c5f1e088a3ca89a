#include <algorithm>

#include "DocumentKernels.h"

namespace {

float Larger(float a, float b) { return a > b ? a : b; }
float Smaller(float a, float b) { return a < b ? a : b; }

// out[i] = the extreme of in[i] … in[i + 2^steps - 1], for runs of `width` samples `stride` apart: each step
// doubles the window. Beyond the end, the last sample is repeated.
template <float (*Extreme)(float, float)>
void Along(float *row, int32_t width, int32_t steps) {
  for (int32_t step = 0; step < steps; ++step) {
    const int32_t reach = 1 << step, inner = std::max(width - reach, 0);
    for (int32_t x = 0; x < inner; ++x) row[x] = Extreme(row[x], row[x + reach]);
    for (int32_t x = inner; x < width; ++x) row[x] = Extreme(row[x], row[width - 1]);
  }
}

// The same, ending at in[i].
template <float (*Extreme)(float, float)>
void Back(float *row, int32_t width, int32_t steps, float *copy) {
  for (int32_t step = 0; step < steps; ++step) {
    const int32_t reach = std::min(1 << step, width);
    std::copy(row, row + width, copy);
    for (int32_t x = 0; x < reach; ++x) row[x] = Extreme(copy[x], copy[0]);
    for (int32_t x = reach; x < width; ++x) row[x] = Extreme(copy[x], copy[x - reach]);
  }
}

// Down the columns: rows are taken in an order in which those to come are still unchanged.
template <float (*Extreme)(float, float)>
void Down(float *plane, int32_t width, int32_t height, int32_t steps, bool is_back) {
  for (int32_t step = 0; step < steps; ++step) {
    const int32_t reach = 1 << step;
    for (int32_t i = 0; i < height; ++i) {
      const int32_t y = is_back ? height - 1 - i : i;
      const int32_t other = is_back ? std::max(y - reach, 0) : std::min(y + reach, height - 1);
      float *const row = plane + static_cast<ptrdiff_t>(y) * width;
      const float *const next = plane + static_cast<ptrdiff_t>(other) * width;
      for (int32_t x = 0; x < width; ++x) row[x] = Extreme(row[x], next[x]);
    }
  }
}

template <float (*First)(float, float), float (*Second)(float, float)>
void FillThenRestore(float *plane, int32_t width, int32_t height, int32_t steps, float *scratch) {
  for (int32_t y = 0; y < height; ++y) Along<First>(plane + static_cast<ptrdiff_t>(y) * width, width, steps);
  Down<First>(plane, width, height, steps, false);
  for (int32_t y = 0; y < height; ++y) {
    Back<Second>(plane + static_cast<ptrdiff_t>(y) * width, width, steps, scratch);
  }
  Down<Second>(plane, width, height, steps, true);
}

}  // namespace

void sla_remove_detail(const float *luma, int32_t width, int32_t height, int32_t steps, float *output,
                       float *scratch) {
  std::copy(luma, luma + static_cast<ptrdiff_t>(width) * height, output);
  FillThenRestore<Larger, Smaller>(output, width, height, steps, scratch);
  FillThenRestore<Smaller, Larger>(output, width, height, steps, scratch);
}
