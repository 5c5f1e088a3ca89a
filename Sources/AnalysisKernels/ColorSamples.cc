#include <cmath>
#include <cstring>

#include "AnalysisKernels.h"

namespace {

// Comparisons with NaN are false, so that it becomes 0.
inline float Clip(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

inline float Load(const uint8_t *at, int32_t bits) {
  if (bits == 8) return *at * (1.0f / 255);
  if (bits == 16) {
    uint16_t value;
    std::memcpy(&value, at, sizeof value);
    return value * (1.0f / 65535);
  }
  float value;
  std::memcpy(&value, at, sizeof value);
  return std::isfinite(value) ? value : (value > 0 ? 1.0f : 0.0f);
}

// Three steps of Newton's method from a guess by the exponent: exact to float over 1e-6…1.
inline float CubeRoot(float x) {
  if (!(x > 0)) return 0;
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = bits / 3 + 0x2a514067u;
  float root;
  std::memcpy(&root, &bits, sizeof root);
  for (int step = 0; step < 3; ++step) root = (2 * root + x / (root * root)) * (1.0f / 3);
  return root;
}

// A well mixed number for each index. Source: C. Wellons, Prospecting for Hash Functions, 2018 (lowbias32).
inline uint32_t Scatter(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// A position within a cell of a grid, `part` / 65536 of the way across it.
inline int32_t Pick(int32_t cell, int32_t cells, int32_t extent, uint32_t part) {
  return static_cast<int32_t>((static_cast<int64_t>(cell) * 65536 + part) * extent / (65536ll * cells));
}

}  // namespace

void sla_sample_colors(const sla_color_picture *picture, int32_t columns, int32_t rows, float *planes) {
  const size_t count = static_cast<size_t>(columns) * rows;
  const float *m = picture->matrix;
  size_t index = 0;
  for (int32_t row = 0; row < rows; ++row) {
    for (int32_t column = 0; column < columns; ++column, ++index) {
      const uint32_t hash = Scatter(static_cast<uint32_t>(index));
      const int32_t x = Pick(column, columns, picture->width, hash & 0xffff);
      const int32_t y = Pick(row, rows, picture->height, hash >> 16);
      float sample[3];
      for (int c = 0; c < 3; ++c) {
        const uint8_t *at = picture->base[c] + (y >> picture->row_shift[c]) * picture->row_bytes[c] +
                            static_cast<ptrdiff_t>(x >> picture->column_shift[c]) * picture->step[c];
        sample[c] = Load(at, picture->bits);
      }
      for (int c = 0; c < 3; ++c) {
        planes[c * count + index] = Clip(m[3 * c] * sample[0] + m[3 * c + 1] * sample[1] +
                                         m[3 * c + 2] * sample[2] + picture->offset[c]);
      }
    }
  }
}

void sla_oklab_lightness(const float *planes, size_t count, const float *decode, int32_t decode_count,
                         const float to_lms[9], const float mix[3], float *lightness) {
  const float scale = static_cast<float>(decode_count - 1);
  for (size_t i = 0; i < count; ++i) {
    float rgb[3];
    for (int c = 0; c < 3; ++c) {
      rgb[c] = decode[c * decode_count + static_cast<int32_t>(planes[c * count + i] * scale + 0.5f)];
    }
    float sum = 0;
    for (int k = 0; k < 3; ++k) {
      const float cone = to_lms[3 * k] * rgb[0] + to_lms[3 * k + 1] * rgb[1] + to_lms[3 * k + 2] * rgb[2];
      sum += mix[k] * CubeRoot(cone);
    }
    lightness[i] = sum > 0 ? (sum < 1 ? sum : 1) : 0;
  }
}

void sla_histogram(const float *samples, size_t count, uint32_t bins[256]) {
  for (size_t i = 0; i < count; ++i) ++bins[static_cast<uint8_t>(samples[i] * 255 + 0.5f)];
}

sla_clip_counts sla_count_clipped(const float *planes, size_t count) {
  constexpr float kWhite = 254.5f / 255, kBlack = 0.5f / 255;
  sla_clip_counts clipped = {0, 0};
  for (size_t i = 0; i < count; ++i) {
    const float r = planes[i], g = planes[count + i], b = planes[2 * count + i];
    clipped.highlights += (r >= kWhite) | (g >= kWhite) | (b >= kWhite);
    clipped.shadows += (r < kBlack) & (g < kBlack) & (b < kBlack);
  }
  return clipped;
}
