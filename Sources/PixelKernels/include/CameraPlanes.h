// Planes of luma and colour differences of 8 bit, as cameras and videos have them: sampling, and the way to
// RGB and back. Part of `PixelKernels.h`, whose conventions hold.
#ifndef SAFELIGHT_CAMERA_PLANES_H
#define SAFELIGHT_CAMERA_PLANES_H

#include "Geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

// One channel of a plane: samples `step` (1, 2 or 4) bytes apart, the first at `channel` bytes from the row's
// beginning. Rows hold `width` whole steps or, of the last, at least the sample itself.
typedef struct {
  const uint8_t *base;
  ptrdiff_t row_bytes;
  int32_t width, height;
  int32_t step, channel;
} sl_samples;

// Copies the samples of columns x…x+width-1 and rows y…y+height-1, one byte apart; what lies outside is the
// nearest sample inside. Reads no byte that is no sample's, or no neighbour's within a step.
void sl_copy_window(const sl_samples *src, int32_t x, int32_t y, int32_t width, int32_t height, uint8_t *dst,
                    size_t dst_row_bytes);

// The longest step along either axis that sl_resample_planes takes, in samples.
#define SL_PLANAR_MAX_STEP 1.25
// The longest step down from one column to the next that two passes have tables for, in samples. Plans stay
// below 0.34.
#define SL_PLANAR_MAX_CLIMB 0.4
// Samples that it reads past the last tap of a row. Past the last tap of a column it reads one row.
#define SL_PLANAR_READ_AHEAD 32

// Samples `n` pixels along a line, in each of `planes` windows of one shape. `n` is a multiple of 16. A
// window holds the samples from two ahead of to three behind every position, one row more, and
// SL_PLANAR_READ_AHEAD bytes more of each row. Sums are 64 a level and not clipped.
void sl_resample_planes(const uint8_t *const *windows, size_t planes, size_t row_bytes, sl_kernel kernel,
                        const sl_line *line, int16_t *const *dst, size_t n);

// Places of the pixels of a tile along one axis: that of column i in row r is start + i·column + r·row, in
// Q32 samples, 0 being the centre of the window's first sample.
typedef struct {
  int64_t start, column, row;
} sl_axis;

// One plane of a tile: a window of its samples, the places along source row r where the output's columns
// cross it (`x.row` is a step of one source row), and where the samples go.
typedef struct {
  const uint8_t *window;
  size_t row_bytes;
  sl_axis x;
  int16_t *dst;
  size_t dst_stride;  // samples from one output row to the next
} sl_plane;

// Bytes of the tables that sl_resample_in_two_passes keeps from one call to the next.
size_t sl_lane_tables_bytes(void);

// Samples a tile of `columns` × `rows` pixels in two passes: each source row at the places x of the planes,
// then the columns of that at the places y, which all planes share. `columns` is a multiple of 16, `count` at
// most 3; neighbouring planes with the same x share work. x.column is at most SL_PLANAR_MAX_STEP either way.
// Where y.column is more than SL_PLANAR_MAX_CLIMB either way, the tile is sampled by sl_resample_planes at
// the same places, without the shear: its steps, x.column + y.column·x.row and y.column, must then be at most
// SL_PLANAR_MAX_STEP either way. Windows and sums are as with that; within 16 columns, rows that some of them
// do not weigh are sampled for all. `tables` is aligned to 64 bytes, zero before the first call, and then for
// one thread at a time. `memory` is aligned to 64 bytes and holds, for each plane, 64 values for every source
// row that 16 columns weigh.
void sl_resample_in_two_passes(const sl_plane *planes, size_t count, sl_kernel kernel, const sl_axis *y,
                               void *tables, int16_t *memory, size_t columns, size_t rows);

// Copies the colours of a rectangle of RGBA8 pixels to three planes, as sl_copy_window does for one channel;
// `width` and `height` pixels from (x, y) on.
void sl_copy_colours(const uint8_t *base, size_t row_bytes, int32_t src_width, int32_t src_height, int32_t x,
                     int32_t y, int32_t width, int32_t height, uint8_t *const *dst, size_t dst_row_bytes);

// Planes of sums at 64 a level → opaque RGBA8, clipped and rounded.
void sl_pack_sums(const int16_t *const *sums, uint8_t *dst, size_t n);

// Sums at 64 a level → samples of 16 bit full scale, clipped; black and white stay exact.
void sl_scale_sums(const int16_t *src, uint16_t *dst, size_t n);

// dst(column y, row x) = src(column x, row y): samples turned about their diagonal. `width` and `height` are
// those of the source; nothing but the samples is read or written.
void sl_transpose_samples(const uint8_t *src, size_t src_row_bytes, size_t width, size_t height, uint8_t *dst,
                          size_t dst_row_bytes);

// Samples as they are, at 64 a level.
void sl_widen_samples(const uint8_t *src, int16_t *dst, size_t n);

// Full-scale R'G'B' = matrix · (Y', Cb, Cr) + offset, for samples at 64 a level; R'G'B' of 0…1.
typedef struct {
  float matrix[9];  // row-major
  float offset[3];
} sl_ycbcr_matrix;

// Planar R'G'B' of 16 bit, clipped and rounded to nearest. Grey: pass luma for all three.
void sl_ycbcr_to_rgb(const sl_ycbcr_matrix *matrix, const int16_t *y, const int16_t *cb, const int16_t *cr,
                     uint16_t *r, uint16_t *g, uint16_t *b, size_t n);

// Planar R, G, B of 16 bit → RGBA16. Alpha is full scale where `alpha` is NULL; where it is 0, so is colour.
void sl_interleave_rgba16(const uint16_t *r, const uint16_t *g, const uint16_t *b, const uint16_t *alpha,
                          uint16_t *dst, size_t n);

// How much of each pixel along a line lies inside a picture of width × height samples, 0…65535.
void sl_coverage(const sl_line *line, int32_t width, int32_t height, uint16_t *dst, size_t n);

// RGBA8 → luma codes and colour differences at 64 a level, with a matrix and offset from codes of 0…255 to
// codes.
void sl_rgba8_to_ycbcr(const sl_ycbcr_matrix *matrix, const uint8_t *src, uint8_t *y, int16_t *cb,
                       int16_t *cr, size_t n);

// One row of thinned colour differences. `rows` (1 to 3 of `columns` values at 64 a level) are added with the
// weights `down`, then each `step` (1 or 2) columns with the weights `across` of the column before, the
// column and the one behind; both sum to 4. `sums` holds `columns` values between one to spare on either
// side.
void sl_thin_chroma(const int16_t *const *rows, const int32_t *down, size_t row_count, const int32_t *across,
                    int32_t step, int32_t *sums, uint8_t *dst, size_t columns);

// Y0 Cb Y1 Cr, or Cb Y0 Cr Y1 where luma is not first.
void sl_pack_yuyv(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, int luma_first, uint8_t *dst,
                  size_t pairs);
void sl_interleave_bytes(const uint8_t *first, const uint8_t *second, uint8_t *dst, size_t n);
// And back.
void sl_unpack_yuyv(const uint8_t *src, int luma_first, uint8_t *y, uint8_t *cb, uint8_t *cr, size_t pairs);
void sl_split_bytes(const uint8_t *src, uint8_t *first, uint8_t *second, size_t n);

#ifdef __cplusplus
}
#endif

#endif
