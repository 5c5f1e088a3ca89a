#include <string.h>

#include "AnalysisKernels.h"
#include "AnalysisTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MergeWindow.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#pragma STDC FP_CONTRACT OFF

HWY_BEFORE_NAMESPACE();
namespace safelight_analysis {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using VF = hn::Vec<DF>;

HWY_INLINE int32_t Within(int32_t value, int32_t count) {
  return value < 0 ? 0 : value < count ? value : count - 1;
}

template <typename Sample>
HWY_INLINE float CodeAt(const uint8_t *at) {
  Sample value;
  memcpy(&value, at, sizeof value);
  return static_cast<float>(value);
}

// Codes of one channel from column `first` on; columns outside of 0..<limit are those nearest to them.
template <typename Sample, int kStep>
HWY_INLINE void ReadRow(const uint8_t *row, int32_t first, int32_t count, int32_t limit, float *out) {
  const int32_t before = HWY_MIN(HWY_MAX(-first, 0), count);
  const int32_t end = HWY_MAX(HWY_MIN(limit - first, count), before);
  const uint8_t *const start = row + static_cast<ptrdiff_t>(first + before) * kStep;
  for (int32_t i = 0; i < before; i++) out[i] = CodeAt<Sample>(row);
  for (int32_t i = before; i < end; i++) out[i] = CodeAt<Sample>(start + (i - before) * kStep);
  const uint8_t *const last = row + static_cast<ptrdiff_t>(limit - 1) * kStep;
  for (int32_t i = end; i < count; i++) out[i] = CodeAt<Sample>(last);
}

void ReadCodes(const sla_merge_picture &picture, int c, int32_t row, int32_t first, int32_t count,
               float *out) {
  const uint8_t *const at = picture.base[c] + row * picture.row_bytes[c];
  const int32_t shift = picture.column_shift[c], limit = (picture.width + (1 << shift) - 1) >> shift;
  switch (picture.bits == 8 ? picture.step[c] : 8 * picture.step[c]) {
    case 1:
      return ReadRow<uint8_t, 1>(at, first, count, limit, out);
    case 2:
      return ReadRow<uint8_t, 2>(at, first, count, limit, out);
    case 4:
      return ReadRow<uint8_t, 4>(at, first, count, limit, out);
    default:
      return ReadRow<uint16_t, 8>(at, first, count, limit, out);
  }
}

HWY_INLINE void Mix(const float *a, float weight_a, const float *b, float weight_b, size_t count,
                    float *out) {
  const DF d;
  const VF wa = hn::Set(d, weight_a), wb = hn::Set(d, weight_b);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::StoreU(hn::Add(hn::Mul(hn::LoadU(d, a + i), wa), hn::Mul(hn::LoadU(d, b + i), wb)), d, out + i);
  }
}

// Codes of a subsampled channel along row y, at every column.
void ReadChroma(const sla_merge_picture &picture, int c, int32_t y, int32_t x, int32_t count, float *rows,
                ptrdiff_t row, float *out) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  const int32_t shift = picture.column_shift[c];
  // One chroma column more on either side of those that contain columns of the window.
  const int32_t first = shift ? (x >> 1) - 1 : x, columns = shift ? count / 2 + 4 : count;
  float *upper = rows, *const lower = rows + row;
  if (picture.row_shift[c]) {
    const int32_t limit = (picture.height + 1) / 2, here = y >> 1;
    const bool odd = y & 1;
    const float *const weights = odd ? picture.odd_rows : picture.even_rows;
    ReadCodes(picture, c, Within(odd ? here : here - 1, limit), first, columns, upper);
    ReadCodes(picture, c, Within(odd ? here + 1 : here, limit), first, columns, lower);
    Mix(upper, weights[0], lower, weights[1], static_cast<size_t>(columns), upper);
  } else {
    ReadCodes(picture, c, y, first, columns, upper);
  }
  if (!shift) {
    memcpy(out, upper, sizeof(float) * static_cast<size_t>(count));
    return;
  }
  float *const all = lower;
  const VF even0 = hn::Set(d, picture.even_columns[0]), even1 = hn::Set(d, picture.even_columns[1]);
  const VF odd0 = hn::Set(d, picture.odd_columns[0]), odd1 = hn::Set(d, picture.odd_columns[1]);
  for (size_t i = 0; 2 * i < static_cast<size_t>(count) + 2; i += lanes) {
    const VF previous = hn::LoadU(d, upper + i), here = hn::LoadU(d, upper + i + 1);
    const VF next = hn::LoadU(d, upper + i + 2);
    hn::StoreInterleaved2(hn::Add(hn::Mul(previous, even0), hn::Mul(here, even1)),
                          hn::Add(hn::Mul(here, odd0), hn::Mul(next, odd1)), d, all + 2 * i);
  }
  memcpy(out, all + (x & 1), sizeof(float) * static_cast<size_t>(count));
  // Outside of the picture, the nearest pixel's chroma.
  const int32_t end = picture.width - x;
  for (int32_t i = 0; i < -x && -x < count; i++) out[i] = out[-x];
  for (int32_t i = HWY_MAX(end, 1); i < count; i++) out[i] = out[HWY_MAX(end, 1) - 1];
}

// The distance between rows of the scratch, which holds every column and two vectors more.
HWY_INLINE ptrdiff_t ScratchRow(int32_t width) { return sla_window_row(width + 64); }

void ReadWindow(const sla_merge_picture *picture, int32_t x, int32_t y, const sla_window *window,
                float *scratch) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  const size_t width = static_cast<size_t>(window->width);
  const ptrdiff_t row = ScratchRow(window->width);
  memset(scratch, 0, sizeof(float) * static_cast<size_t>(5 * row));
  float *const codes[3] = {scratch, scratch + row, scratch + 2 * row};
  const float unit = picture->bits == 8 ? 1.0f / 255 : 1.0f / 65535;
  bool is_rgb = true;
  for (int k = 0; k < 9; k++) is_rgb &= picture->matrix[k] == (k % 4 == 0 ? 1.0f : 0.0f);
  for (int c = 0; c < 3; c++) is_rgb &= picture->offset[c] == 0;
  for (int32_t j = 0; j < window->height; j++) {
    const int32_t line = Within(y + j, picture->height);
    for (int c = 0; c < 3; c++) {
      if (picture->column_shift[c] || picture->row_shift[c]) {
        ReadChroma(*picture, c, line, x, window->width, scratch + 3 * row, row, codes[c]);
      } else {
        ReadCodes(*picture, c, line, x, window->width, codes[c]);
      }
    }
    for (int c = 0; c < 3; c++) {
      float *const out = window->samples + c * window->plane + j * window->row;
      const float *const m = picture->matrix + 3 * c;
      const VF offset = hn::Set(d, picture->offset[c]);
      if (is_rgb) {
        for (size_t i = 0; i < width; i += lanes) {
          hn::StoreU(hn::Mul(hn::LoadU(d, codes[c] + i), hn::Set(d, unit)), d, out + i);
        }
        continue;
      }
      const VF m0 = hn::Set(d, m[0] * unit), m1 = hn::Set(d, m[1] * unit), m2 = hn::Set(d, m[2] * unit);
      for (size_t i = 0; i < width; i += lanes) {
        VF value = hn::Mul(hn::LoadU(d, codes[0] + i), m0);
        value = hn::Add(value, hn::Mul(hn::LoadU(d, codes[1] + i), m1));
        value = hn::Add(value, hn::Mul(hn::LoadU(d, codes[2] + i), m2));
        hn::StoreU(hn::Add(value, offset), d, out + i);
      }
    }
  }
}
}  // namespace HWY_NAMESPACE
}  // namespace safelight_analysis
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace safelight_analysis {
HWY_EXPORT(ReadWindow);
}  // namespace safelight_analysis

extern "C" size_t sla_read_window_scratch(int32_t width) {
  return static_cast<size_t>(5 * sla_window_row(width + 64));
}

extern "C" void sla_read_window(const sla_merge_picture *picture, int32_t x, int32_t y,
                                const sla_window *window, float *scratch) {
  SL_KERNEL(safelight_analysis::ReadWindow)(picture, x, y, window, scratch);
}

extern "C" void sla_copy_window(const float *plane, int32_t width, int32_t height, int32_t x, int32_t y,
                                const sla_window *window) {
  const auto within = [](int32_t value, int32_t count) {
    return value < 0 ? 0 : value < count ? value : count - 1;
  };
  const int32_t count = window->width;
  // Columns to the left of the plane, and the end of those in it.
  const int32_t before = HWY_MIN(HWY_MAX(-x, 0), count);
  const int32_t end = HWY_MAX(HWY_MIN(width - x, count), before);
  for (int32_t j = 0; j < window->height; j++) {
    const float *const row = plane + static_cast<ptrdiff_t>(within(y + j, height)) * width;
    float *const out = window->samples + j * window->row;
    for (int32_t i = 0; i < before; i++) out[i] = row[0];
    if (end > before) memcpy(out + before, row + x + before, sizeof(float) * (end - before));
    for (int32_t i = end; i < count; i++) out[i] = row[width - 1];
  }
}
#endif
