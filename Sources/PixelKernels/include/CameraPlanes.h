// Planes of 8-bit luma and chroma, as used by cameras and videos: sampling, and conversion to RGB and back.
// Part of `PixelKernels.h`, whose conventions apply.
#ifndef SAFELIGHT_CAMERA_PLANES_H
#define SAFELIGHT_CAMERA_PLANES_H

#include "Geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

// One channel of a plane: samples `step` (1, 2 or 4) bytes apart, the first at `channel` bytes from the start
// of the row. Rows hold `width` whole steps; the last may end after its sample.
typedef struct {
  const uint8_t *base;
  ptrdiff_t row_bytes;
  int32_t width, height;
  int32_t step, channel;
} sl_samples;

// Copies the samples of columns x…x+width-1 and rows y…y+height-1, one byte apart; outside the plane the
// nearest sample is used. Reads only bytes of samples, or of their neighbours within a step.
void sl_copy_window(const sl_samples *src, int32_t x, int32_t y, int32_t width, int32_t height, uint8_t *dst,
                    size_t dst_row_bytes);

// The largest step along either axis that sl_resample_planes supports, in samples.
#define SL_PLANAR_MAX_STEP 1.25
// The largest vertical step from one column to the next that two passes have tables for, in samples. Plans
// stay below 0.34.
#define SL_PLANAR_MAX_CLIMB 0.4
// Samples that it reads past the last tap of a row. Past the last tap of a column it reads one row.
#define SL_PLANAR_READ_AHEAD 32

// Samples `n` pixels along a line, in each of `planes` windows of one shape. `n` is a multiple of 16. A
// window holds the samples from two before to three after every position, one more row, and
// SL_PLANAR_READ_AHEAD more bytes per row. Sums are at 64 per level and not clipped.
void sl_resample_planes(const uint8_t *const *windows, size_t planes, size_t row_bytes, sl_kernel kernel,
                        const sl_line *line, int16_t *const *dst, size_t n);

// Positions of the pixels of a tile along one axis: that of column i in row r is start + i·column + r·row, in
// Q32 samples, 0 being the centre of the window's first sample.
typedef struct {
  int64_t start, column, row;
} sl_axis;

// One plane of a tile: a window of its samples, the positions along source row r where the output's columns
// cross it (`x.row` is the step per source row), and the destination of the samples.
typedef struct {
  const uint8_t *window;
  size_t row_bytes;
  sl_axis x;
  int16_t *dst;
  size_t dst_stride;  // samples from one output row to the next
} sl_plane;

// The bytes of the tables that sl_resample_in_two_passes keeps between calls.
size_t sl_lane_tables_bytes(void);

// Samples a tile of `columns` × `rows` pixels in two passes: each source row at the positions x of the
// planes, then the resulting columns at the positions y, which all planes share. `columns` is a multiple of
// 16, `count` at most 3; neighbouring planes with the same x share work. |x.column| is at most
// SL_PLANAR_MAX_STEP. If |y.column| exceeds SL_PLANAR_MAX_CLIMB, the tile is sampled by sl_resample_planes at
// the same positions, without the shear: the magnitudes of its steps, x.column + y.column·x.row and y.column,
// must then be at most SL_PLANAR_MAX_STEP. Windows and sums are the same as there; within 16 columns, rows
// that only some of them use are sampled for all. `tables` is aligned to 64 bytes, zero before the first
// call, and used by one thread at a time. `memory` is aligned to 64 bytes and holds, for each plane, 64
// values for every source row used by 16 columns.
void sl_resample_in_two_passes(const sl_plane *planes, size_t count, sl_kernel kernel, const sl_axis *y,
                               void *tables, int16_t *memory, size_t columns, size_t rows);

// Copies the colours of a rectangle of RGBA8 pixels to three planes, as sl_copy_window does for one channel;
// `width` and `height` pixels from (x, y) on.
void sl_copy_colours(const uint8_t *base, size_t row_bytes, int32_t src_width, int32_t src_height, int32_t x,
                     int32_t y, int32_t width, int32_t height, uint8_t *const *dst, size_t dst_row_bytes);

// Planes of sums at 64 per level → opaque RGBA8, clipped and rounded.
void sl_pack_sums(const int16_t *const *sums, uint8_t *dst, size_t n);

// Sums at 64 per level → full-scale 16-bit samples, clipped; black and white stay exact.
void sl_scale_sums(const int16_t *src, uint16_t *dst, size_t n);

// Transposes samples: dst(column y, row x) = src(column x, row y). `width` and `height` are those of the
// source; only the samples are read or written.
void sl_transpose_samples(const uint8_t *src, size_t src_row_bytes, size_t width, size_t height, uint8_t *dst,
                          size_t dst_row_bytes);

// Samples unchanged, at 64 per level.
void sl_widen_samples(const uint8_t *src, int16_t *dst, size_t n);

// Full-scale R'G'B' = matrix · (Y', Cb, Cr) + offset, for samples at 64 per level; R'G'B' of 0…1.
typedef struct {
  float matrix[9];  // row-major
  float offset[3];
} sl_ycbcr_matrix;

// Planar 16-bit R'G'B', clipped and rounded to nearest. Grey: pass luma for all three.
void sl_ycbcr_to_rgb(const sl_ycbcr_matrix *matrix, const int16_t *y, const int16_t *cb, const int16_t *cr,
                     uint16_t *r, uint16_t *g, uint16_t *b, size_t n);

// Planar 16-bit R, G, B → RGBA16. Alpha is full scale if `alpha` is NULL; where it is 0, so is colour.
void sl_interleave_rgba16(const uint16_t *r, const uint16_t *g, const uint16_t *b, const uint16_t *alpha,
                          uint16_t *dst, size_t n);

// The inverse, without alpha; of bytes, codes of 16 bits.
void sl_split_rgba8(const uint8_t *src, uint16_t *r, uint16_t *g, uint16_t *b, size_t n);
void sl_split_rgba16(const uint16_t *src, uint16_t *r, uint16_t *g, uint16_t *b, size_t n);

// The fraction of each pixel along a line that lies inside a picture of width × height samples, 0…65535.
void sl_coverage(const sl_line *line, int32_t width, int32_t height, uint16_t *dst, size_t n);

// RGBA8 → luma codes and chroma at 64 per level, with a matrix and offset from codes of 0…255 to codes.
void sl_rgba8_to_ycbcr(const sl_ycbcr_matrix *matrix, const uint8_t *src, uint8_t *y, int16_t *cb,
                       int16_t *cr, size_t n);

// Subsamples one row of chroma. `rows` (1 to 3, of `columns` values at 64 per level) are added with the
// weights `down`, then each `step` (1 or 2) columns with the weights `across` of the previous column, the
// column and the next one; both sum to 4. The nearest column stands in for those outside.
void sl_thin_chroma(const int16_t *const *rows, const int32_t *down, size_t row_count, const int32_t *across,
                    int32_t step, uint8_t *dst, size_t columns);

// Y0 Cb Y1 Cr, or Cb Y0 Cr Y1 if luma is not first.
void sl_pack_yuyv(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, int luma_first, uint8_t *dst,
                  size_t pairs);
void sl_interleave_bytes(const uint8_t *first, const uint8_t *second, uint8_t *dst, size_t n);
// The inverse operations.
void sl_unpack_yuyv(const uint8_t *src, int luma_first, uint8_t *y, uint8_t *cb, uint8_t *cr, size_t pairs);
void sl_split_bytes(const uint8_t *src, uint8_t *first, uint8_t *second, size_t n);

#ifdef __cplusplus
}
#endif

#endif
