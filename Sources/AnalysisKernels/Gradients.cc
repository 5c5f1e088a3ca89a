#include <algorithm>
#include <cmath>

#include "AnalysisKernels.h"

double sla_sobel_energy(const float *luma, int32_t width, int32_t height) {
  double total = 0;
  for (int32_t y = 1; y + 1 < height; ++y) {
    const float *a = luma + static_cast<ptrdiff_t>(y - 1) * width, *b = a + width, *c = b + width;
    float sum = 0;
    for (int32_t x = 1; x + 1 < width; ++x) {
      const float right = a[x + 1] + 2 * b[x + 1] + c[x + 1], left = a[x - 1] + 2 * b[x - 1] + c[x - 1];
      const float below = c[x - 1] + 2 * c[x] + c[x + 1], above = a[x - 1] + 2 * a[x] + a[x + 1];
      sum += (right - left) * (right - left) + (below - above) * (below - above);
    }
    total += sum;
  }
  return total / 64;
}

float sla_noise_deviation(const float *luma, int32_t width, int32_t height, float *blocks) {
  constexpr int32_t kBlock = 16;
  size_t count = 0;
  for (int32_t top = 1; top + kBlock < height; top += kBlock) {
    for (int32_t left = 1; left + kBlock < width; left += kBlock) {
      float sum = 0;
      for (int32_t y = top; y < top + kBlock; ++y) {
        const float *a = luma + static_cast<ptrdiff_t>(y - 1) * width, *b = a + width, *c = b + width;
        for (int32_t x = left; x < left + kBlock; ++x) {
          const float corners = a[x - 1] + a[x + 1] + c[x - 1] + c[x + 1];
          const float sides = a[x] + b[x - 1] + b[x + 1] + c[x];
          const float response = corners - 2 * sides + 4 * b[x];
          sum += response * response;
        }
      }
      blocks[count++] = sum / (kBlock * kBlock);
    }
  }
  if (count == 0) return 0;
  float *middle = blocks + count / 10;
  std::nth_element(blocks, middle, blocks + count);
  // The operator's weights have squares that sum to 36.
  return std::sqrt(*middle / 36);
}
