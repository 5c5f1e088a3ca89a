// Kernels for exposure fusion and for aligning brackets. Part of `AnalysisKernels.h`, whose conventions
// apply.
//
// Rows of float samples have room for SLA_ROW_MARGIN more samples on both sides of `width`, which kernels may
// read and write; where a kernel reads neighbours, the caller has set them.
#ifndef SAFELIGHT_FUSION_KERNELS_H
#define SAFELIGHT_FUSION_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLA_ROW_MARGIN 48

// One row of a picture as planes of samples 0…1, and its luma 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601-7).
typedef struct {
  float *red, *green, *blue, *luma;
} sla_color_row;

// Takes a row of 8- or 16-bit RGBA apart. Column x is that of the picture's column x + shift, or of the
// nearest one that it has. Alpha is ignored.
void sla_split_row(const void *row, int32_t bits, int32_t width, int32_t shift, const sla_color_row *out);

// The exponents of the measures that a weight is the product of.
typedef struct {
  float contrast, saturation, exposedness;
} sla_fusion_exponents;

// The weights of a row's pixels by T. Mertens, J. Kautz, F. Van Reeth, Exposure Fusion, Pacific Graphics
// 2007:
//
//     |Laplacian of luma|^contrast · s^saturation · exp(-Σ (c - ½)² / 0.08)^exposedness + 1e-12
//
// where s is the root of the sum of the squared distances of red, green and blue from their mean. Reads luma
// one sample beyond both ends, in the rows above and below as well.
void sla_fusion_weights(const float *above, const sla_color_row *row, const float *below,
                        const sla_fusion_exponents *exponents, int32_t width, float *weights);

// Divides the weights of `count` pictures by their sum, in place.
void sla_normalize_weights(float *const *weights, int32_t count, int32_t width);

// Halves a row: weights it with 1 4 6 4 1 around every even column. Reads two samples beyond both ends.
void sla_reduce_row(const float *row, int32_t columns, float *out);

// The same across five rows, each from sla_reduce_row, divided by the sum of all weights, 256.
void sla_reduce_rows(const float *const rows[5], int32_t columns, float *out);

// A row between rows of half the size: (above + 6 row + below) / 8.
void sla_expand_even(const float *above, const float *row, const float *below, int32_t columns, float *out);
// (above + below) / 2.
void sla_expand_odd(const float *above, const float *below, int32_t columns, float *out);

// Doubles a row: even columns are (left + 6 sample + right) / 8, odd ones (sample + right) / 2. Reads one
// sample beyond both ends, writes 2·columns.
void sla_expand_row(const float *row, int32_t columns, float *out);

// sum += weights · (samples - coarse)
void sla_add_detail(const float *weights, const float *samples, const float *coarse, int32_t width,
                    float *sum);

// sum += weights · samples
void sla_add_weighted(const float *weights, const float *samples, int32_t width, float *sum);

// Rounds samples, clipped to 0…1, to a row of opaque 16-bit RGBA.
void sla_store_rgba16(const float *red, const float *green, const float *blue, int32_t width, uint16_t *out);

// MARK: Bitmaps

// One bit for each of a row's 8-bit samples, the first in the lowest bit: whether it is above the threshold,
// and whether it differs from it by more than `tolerance`. Writes ceil(width / 64) words to each; bits past
// the width are 0.
void sla_threshold_bits(const uint8_t *luma, int32_t width, uint8_t threshold, uint8_t tolerance,
                        uint64_t *above, uint64_t *certain);

#ifdef __cplusplus
}
#endif

#endif
