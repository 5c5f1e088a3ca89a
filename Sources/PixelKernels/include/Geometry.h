// Rotating, scaling and downsampling interleaved RGBA. Part of `PixelKernels.h`, whose conventions apply.
#ifndef SAFELIGHT_GEOMETRY_H
#define SAFELIGHT_GEOMETRY_H

#include "PixelFormats.h"

#ifdef __cplusplus
extern "C" {
#endif

// A straight line through samples: the position of the first pixel and the step to the next one, in Q32
// samples, 0 being the centre of the first sample.
typedef struct {
  int64_t x, y, dx, dy;
} sl_line;

// The interpolation between samples: a Kaiser-windowed sinc of six taps per axis, or bilinear.
typedef enum { SL_KERNEL_SHARP = 0, SL_KERNEL_BILINEAR = 1 } sl_kernel;

// A picture to sample from.
typedef struct {
  const void *base;
  size_t row_bytes;
  int32_t width, height;
  sl_sample type;
  // SL_U16 only: whether a twentieth of an 8-bit level is exact enough, which takes half the time.
  int32_t is_coarse;
} sl_image;

// The treatment of pixels outside a picture.
typedef enum {
  SL_OUTSIDE_CLAMP = 0,       // the nearest edge pixel
  SL_OUTSIDE_TRANSPARENT = 1  // colour as with clamp, alpha by the fraction of the pixel inside
} sl_outside;

#define SL_KERNEL_PHASES 1024
// Writes SL_KERNEL_PHASES + 1 phases of 8 weights, normalized: for the sharp kernel the taps -2…3 around the
// sample, for the bilinear one 0 and 1; the remaining weights are 0.
void sl_kernel_table(sl_kernel kernel, float *table);

// Samples `n` pixels along a straight line through the source, directly: without shearing the kernel.
// Positions are Q32 fixed point in source pixels, 0 being the centre of the first pixel. `premultiply`
// weights colour by alpha. Integer sources give values clipped to 0…1. `dst` is RGBA16 or RGBA float.
void sl_resample_line(const sl_image *src, int64_t x, int64_t y, int64_t dx, int64_t dy, sl_outside outside,
                      int premultiply, sl_kernel kernel, void *dst, sl_sample dst_type, size_t n);

// The most input pixels that an output pixel of a block covers along an axis; more count as as many.
#define SL_MOST_COVERAGE 10
// The most pixels along each side of a block.
#define SL_LARGEST_BLOCK 64

// How the samples around a place are weighted.
typedef enum {
  SL_ORDER_DIRECT = 0,
  SL_ORDER_ROWS_FIRST = 1,    // in two passes: along the source's rows, then along the block's columns
  SL_ORDER_COLUMNS_FIRST = 2  // along the source's columns, then along the block's columns
} sl_order;

// A rectangle of a resample's result: where its pixels are in the source, and what they cover there.
typedef struct {
  // The places of 4 × 4 nodes, evenly spaced from one edge of the rectangle to the other along each axis, row
  // by row, in samples; 0 is the centre of the first sample.
  double x[16], y[16];
  int32_t width, height;  // in pixels, 1…SL_LARGEST_BLOCK
  // The samples that a pixel covers, at the nodes' columns. The kernel is as much wider; up to 1 counts as 1.
  float cover_x[4], cover_y[4];
  sl_order order;
  sl_kernel kernel;
  sl_outside outside;
  int32_t premultiplies;  // whether alpha weights colour
} sl_block;

// The memory of sl_resample_block, which grows on demand. Used by one thread at a time.
typedef struct sl_block_memory sl_block_memory;
sl_block_memory *sl_make_block_memory(void);
void sl_free_block_memory(sl_block_memory *memory);

// Samples the pixels of a block from (column, row) on, `columns` × `rows` of them. Each is the same in
// whatever part it is computed. Integer sources give values clipped to 0…1. `dst` is RGBA16 or RGBA float.
void sl_resample_block(const sl_image *src, const sl_block *block, int32_t column, int32_t row,
                       int32_t columns, int32_t rows, sl_block_memory *memory, void *dst, sl_sample dst_type,
                       size_t dst_row_bytes);

// Copies n pixels of `pixel_bytes` (4, 8 or 16), `step` bytes apart in `src`, to consecutive positions.
void sl_copy_strided(const void *src, ptrdiff_t step, void *dst, size_t pixel_bytes, size_t n);

// One output sample of a separable downsample: `count` weights from `first` on.
typedef struct {
  int32_t first, count;
  size_t weights;  // index of the first weight
} sl_taps;

// The number of rows that are downsampled together: float RGBA of this many rows, interleaved pixel by pixel.
// Pixel x of row r is at 4 · (SL_DOWNSAMPLE_ROWS · x + r).
#define SL_DOWNSAMPLE_ROWS 4

// Copies an interleaved float RGBA row to row `r` of a block.
void sl_place_row(const float *src, size_t r, float *block, size_t n);

// Copies `row_count` rows of opaque RGBA8 to a block, looking up each channel in its table of 256 floats, as
// sl_apply_tables does; alpha becomes 1.
void sl_place_rows_by_tables(const uint8_t *const *rows, size_t row_count, const float *tables, float *block,
                             size_t n);

// Downsamples the rows of a block: dst[r][i] = Σ weights · block[first…][r], for `row_count` rows of RGBA.
void sl_downsample_horizontal(const float *block, const sl_taps *taps, const float *weights,
                              float *const *dst, size_t row_count, size_t n);

// dst = Σ weights[k] · rows[k], `values` floats each.
void sl_downsample_vertical(const float *const *rows, const float *weights, size_t row_count, float *dst,
                            size_t values);

// Planar ↔ interleaved float with alpha, for downsampling. `premultiply` weights colour by alpha when
// interleaving and undoes it when deinterleaving.
void sl_interleave(const float *r, const float *g, const float *b, const void *alpha, sl_sample alpha_type,
                   int premultiply, float *dst, size_t n);
void sl_deinterleave(const float *src, int premultiply, float *r, float *g, float *b, float *alpha, size_t n);

#ifdef __cplusplus
}
#endif

#endif
