#include <algorithm>
#include <cmath>
#include <cstring>

#include "AnalysisKernels.h"

namespace {

constexpr float kRed = 0.2126f, kGreen = 0.7152f, kBlue = 0.0722f;

// Comparisons with NaN are false, so that it becomes 0.
inline float Clip(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

// One loop for each layout, so that the compiler sees constant strides and vectorises.
void AddRow(const sla_luma_picture &picture, int32_t y, float weight, float *sums) {
  const uint8_t *row = static_cast<const uint8_t *>(picture.base) + y * picture.row_bytes;
  const int32_t n = picture.width;
  switch (picture.source) {
    case SLA_LUMA_PLANE: {
      const float w = weight / 255;
      for (int32_t x = 0; x < n; ++x) sums[x] += w * row[x];
      return;
    }
    case SLA_LUMA_EVEN_BYTES: {
      const float w = weight / 255;
      for (int32_t x = 0; x < n; ++x) sums[x] += w * row[2 * x];
      return;
    }
    case SLA_LUMA_ODD_BYTES: {
      const float w = weight / 255;
      for (int32_t x = 0; x < n; ++x) sums[x] += w * row[2 * x + 1];
      return;
    }
    case SLA_LUMA_RGBA8: {
      const float r = kRed * weight / 255, g = kGreen * weight / 255, b = kBlue * weight / 255;
      for (int32_t x = 0; x < n; ++x) sums[x] += r * row[4 * x] + g * row[4 * x + 1] + b * row[4 * x + 2];
      return;
    }
    case SLA_LUMA_RGBA16: {
      const float r = kRed * weight / 65535, g = kGreen * weight / 65535, b = kBlue * weight / 65535;
      for (int32_t x = 0; x < n; ++x) {
        uint16_t p[4];
        std::memcpy(p, row + 8 * static_cast<ptrdiff_t>(x), sizeof p);
        sums[x] += r * p[0] + g * p[1] + b * p[2];
      }
      return;
    }
    case SLA_LUMA_RGBAF32: {
      for (int32_t x = 0; x < n; ++x) {
        float p[4];
        std::memcpy(p, row + 16 * static_cast<ptrdiff_t>(x), sizeof p);
        sums[x] += weight * (kRed * Clip(p[0]) + kGreen * Clip(p[1]) + kBlue * Clip(p[2]));
      }
      return;
    }
  }
}

// The source interval that an output sample covers, as whole samples with a weight for the first and the
// last.
struct Cover {
  int32_t first, last;
  float first_weight, last_weight;

  Cover(int32_t index, int32_t count, int32_t source_count) {
    const double scale = static_cast<double>(source_count) / count;
    const double from = index * scale, to = index + 1 == count ? source_count : (index + 1) * scale;
    first = std::min(static_cast<int32_t>(from), source_count - 1);
    last = std::clamp(static_cast<int32_t>(std::ceil(to)) - 1, first, source_count - 1);
    first_weight = static_cast<float>(std::min<double>(first + 1, to) - from);
    last_weight = static_cast<float>(to - last);
  }
};

}  // namespace

void sla_area_average(const sla_luma_picture *picture, const sla_oriented_plane *output, float black,
                      float gain, float *scratch) {
  const float area = static_cast<float>(output->width) / picture->width * output->height / picture->height;
  for (int32_t y = 0; y < output->height; ++y) {
    std::fill(scratch, scratch + picture->width, 0.0f);
    const Cover rows(y, output->height, picture->height);
    AddRow(*picture, rows.first, rows.first_weight, scratch);
    for (int32_t row = rows.first + 1; row < rows.last; ++row) AddRow(*picture, row, 1, scratch);
    if (rows.last > rows.first) AddRow(*picture, rows.last, rows.last_weight, scratch);

    float *out = output->base + y * output->row_step;
    for (int32_t x = 0; x < output->width; ++x) {
      const Cover columns(x, output->width, picture->width);
      float sum = scratch[columns.first] * columns.first_weight;
      for (int32_t column = columns.first + 1; column < columns.last; ++column) sum += scratch[column];
      if (columns.last > columns.first) sum += scratch[columns.last] * columns.last_weight;
      out[x * output->column_step] = Clip((sum * area - black) * gain);
    }
  }
}

void sla_square_root(float *samples, size_t count) {
  for (size_t i = 0; i < count; ++i) samples[i] = std::sqrt(samples[i]);
}

void sla_halve(const float *luma, int32_t width, int32_t height, float *output) {
  const int32_t columns = width / 2, rows = height / 2;
  for (int32_t y = 0; y < rows; ++y) {
    const float *top = luma + static_cast<ptrdiff_t>(2 * y) * width, *bottom = top + width;
    float *out = output + static_cast<ptrdiff_t>(y) * columns;
    for (int32_t x = 0; x < columns; ++x) {
      out[x] = 0.25f * (top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1]);
    }
  }
}
