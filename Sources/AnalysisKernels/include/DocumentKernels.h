// What finding, evening out and following documents does for every pixel; see AnalysisKernels.h for the
// rules.
#ifndef SAFELIGHT_DOCUMENT_KERNELS_H
#define SAFELIGHT_DOCUMENT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Closes and then opens a plane with a square of 2^steps samples: dark and light things that are narrower,
// such as letters, take the luma around them; edges of larger ones stay where they are. `scratch` holds
// `width` samples.
//
// Source: J. Serra, Image Analysis and Mathematical Morphology, 1982.
void sla_remove_detail(const float *luma, int32_t width, int32_t height, int32_t steps, float *output,
                       float *scratch);

// Multiplies bytes by gains between two rows of them, and rounds to nearest even:
//     out = min(sample · (first + (second - first) · part), 255)
void sla_multiply_between(const uint8_t *samples, const float *first, const float *second, float part,
                          size_t count, uint8_t *out);

// Makes rows `first` … `first + rows - 1` of RGBA black or white, leaving alpha, by Sauvola's threshold of
// luma:
//     white if luma > max(m · (1 + factor · (s / 128 - 1)), least)
// m and s are the mean and the standard deviation of the picture's samples within `radius` rows and columns.
// `scratch` holds 2·width sums. The radius is at most 1000, so that they do not overflow.
void sla_sauvola(const uint8_t *luma, ptrdiff_t row_bytes, int32_t width, int32_t height, int32_t first,
                 int32_t rows, int32_t radius, float factor, float least, uint32_t *scratch, uint8_t *rgba,
                 ptrdiff_t rgba_bytes);

#ifdef __cplusplus
}
#endif

#endif
