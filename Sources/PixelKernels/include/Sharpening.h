// Unsharp masking on luma. Part of `PixelKernels.h`, whose conventions apply.
#ifndef SAFELIGHT_SHARPENING_H
#define SAFELIGHT_SHARPENING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// All rows here are floats in memory that a whole vector may read and write beyond the last pixel.
#define SL_SHARPEN_LANES 16

// A symmetric window along one axis. `weights` are those of the centre and of the samples at distances
// 1…radius; those of both sides and the centre sum to 1.
typedef struct {
  const float *weights;
  int32_t radius;
} sl_window;

// How a difference from the blurred luma becomes what is added:
//   t     = |d|·inverse_limit
//   e     = √max(0, blurred squares - blurred²),  w = clip((e - mask_begin)·mask_scale, 0, 1)
//   added = (d < 0 ? dark_gain : gain) · d / (1 + t³) · (3w² - 2w³)
// Without a mask, mask_scale is 0 and the last factor is left out.
typedef struct {
  float gain, dark_gain, inverse_limit;
  float mask_begin, mask_scale;
} sl_unsharp;

// y = clip(weights · (r, g, b), 0, 1); NaN becomes 0.
void sl_luma(const float weights[3], const float *r, const float *g, const float *b, float *y, size_t n);

// The same of interleaved RGBA of 16 bits.
void sl_luma_rgba16(const float weights[3], const uint16_t *rgba, float *y, size_t n);

// The sums of samples i - radius … i + radius; `src` has as many samples on both sides of the row.
void sl_blur_row(const sl_window *window, const float *src, float *dst, size_t n);

// The sums of 2·radius + 1 rows, from the first to the last.
void sl_blur_column(const sl_window *window, const float *const *rows, float *dst, size_t n);

// Adds to `added` what `unsharp` makes of the luma `y`. `squares` is NULL without a mask. `alpha`, if not
// NULL, divides both blurred rows, whose samples were multiplied with alpha before; without alpha around a
// pixel nothing is added to it.
void sl_unsharp_row(const sl_unsharp *unsharp, const float *y, const float *blurred, const float *squares,
                    const float *alpha, float *added, size_t n);

// Adds a row to three.
void sl_add_to_rgb(const float *added, float *r, float *g, float *b, size_t n);

// Adds a row to the colours of RGBA of 16 bits, rounded to 8 bits: within 1/32 of a level before rounding.
// Only the row itself is written.
void sl_add_to_rgba16(const float *added, const uint16_t *rgba, uint8_t *dst, size_t n);

#ifdef __cplusplus
}
#endif

#endif
