// The per-pixel work of aligning and merging frames. AnalysisKernels.h gives the conventions.
#ifndef SAFELIGHT_MERGE_KERNELS_H
#define SAFELIGHT_MERGE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Planes of float samples in memory of the caller: sample (x, y) of channel c is samples[c·plane + y·row +
// x].
//
// `row` is a multiple of SLA_WINDOW_STEP and at least `sla_window_row(width)`: kernels read and write whole
// vectors beyond `width`, but never use what they find there.
typedef struct {
  float *samples;
  int32_t width, height;
  ptrdiff_t row, plane;
} sla_window;

#define SLA_WINDOW_STEP 16

// The least distance from one row of a window to the next, in samples.
static inline ptrdiff_t sla_window_row(int32_t width) {
  return ((ptrdiff_t)width + 2 * SLA_WINDOW_STEP - 1) / SLA_WINDOW_STEP * SLA_WINDOW_STEP;
}

// MARK: Reading

// The positions and the meaning of a picture's samples, as in sla_color_picture, with the positions of
// subsampled chroma: chroma at a column is a mean of two samples, weighted as given.
typedef struct {
  const uint8_t *base[3];
  ptrdiff_t row_bytes[3];
  int32_t step[3], column_shift[3], row_shift[3];
  int32_t bits;  // 8, 16 or 32 (float)
  float matrix[9], offset[3];
  int32_t width, height;
  // At even columns (rows): the previous and this chroma column (row); at odd ones, this and the next.
  float even_columns[2], odd_columns[2], even_rows[2], odd_rows[2];
} sla_merge_picture;

// The number of floats that `sla_read_window` takes as scratch.
size_t sla_read_window_scratch(int32_t width);

// Reads R', G', B' of the pixels from (x, y) on into three channels, unclipped. Pixels outside of the picture
// are those nearest to them. Subsampled chroma is interpolated linearly.
void sla_read_window(const sla_merge_picture *picture, int32_t x, int32_t y, const sla_window *window,
                     float *scratch);

// Copies the samples from (x, y) on of a plane without row gaps; those outside are the nearest.
void sla_copy_window(const float *plane, int32_t width, int32_t height, int32_t x, int32_t y,
                     const sla_window *window);

// MARK: Warping

// Displacements in pixels at the nodes of a grid, linear in between. Node (i, j) lies at the corner
// (i·spacing, j·spacing) of the picture, whose first pixel has its centre at (0.5, 0.5).
typedef struct {
  const float *dx, *dy;   // columns · rows each
  int32_t columns, rows;  // at least 2
  float spacing;
} sla_displacements;

// The number of floats that `sla_warp_window` takes as scratch.
size_t sla_warp_window_scratch(int32_t source_width, int32_t grid_columns, int32_t channels);

// The reach of the interpolation: pixels before and after a position that it reads.
#define SLA_WARP_BEFORE 3
#define SLA_WARP_AFTER 4

// Interpolates `channels` of `source`, which has the picture's pixel (source_x, source_y) at its first place:
// the output's pixel (i, j) is the source at (x + i, y + j) plus the displacement there. Pixels outside of
// the picture of `width` × `height` are the nearest in it; positions are clipped to it, and the source must
// hold what is read around them.
//
// `inside` becomes 1 where the position lies in the picture, otherwise 0.
//
// Columns first, then rows, with the piecewise cubic of six samples that is exact for cubic polynomials.
// Source: R. Keys, Cubic Convolution Interpolation for Digital Image Processing, IEEE Transactions on
// Acoustics, Speech, and Signal Processing 29, 1981, equation 25.
void sla_warp_window(const sla_window *source, int32_t source_x, int32_t source_y, int32_t channels,
                     const sla_displacements *field, int32_t width, int32_t height, int32_t x, int32_t y,
                     const sla_window *output, const sla_window *inside, float *scratch);

// MARK: Aligning

#define SLA_ALIGNMENT_TILE 16

// Sums over a tile, in which r is the reference, a the warped frame and g the gradient of r, with weights
// w = 1 / (1 + ((r - a) / tolerance)²) that leave out what is hidden.
typedef struct {
  float xx, xy, yy;  // w·g·gᵀ
  float x, y;        // w·g·(r - a)
  float weights;     // w
  float squares;     // w·(r - a)²
} sla_tile_sums;

// Adds up tiles of 16 × 16 samples. `reference` has one sample more than `warped` on each side; `inside`
// excludes what lies outside of the frame. Writes (width / 16) · (height / 16) tiles of `warped`.
void sla_sum_tiles(const sla_window *reference, const sla_window *warped, const sla_window *inside,
                   float tolerance, sla_tile_sums *tiles);

// MARK: Merging

// The number of pixels around one that decide on its weight, in each direction.
#define SLA_MERGE_RADIUS 2

#define SLA_NOISE_LEVELS 64

// The variance of the noise of each channel by its level: entry i at (i + 0.5) / SLA_NOISE_LEVELS, linear in
// between.
typedef struct {
  float variance[3][SLA_NOISE_LEVELS];
  // The displacement that counts as exact, in pixels: gradients times it count as noise.
  float misalignment;
} sla_noise_model;

// The number of floats that `sla_invert_deviation`, `sla_merge_weights` and `sla_sum_differences` take as
// scratch, for windows without their rims.
size_t sla_merge_scratch(int32_t width, int32_t height);

// 1 / the standard deviation of the difference of two frames, for every channel of `reference` without a rim
// of SLA_MERGE_RADIUS; `inverse` is smaller by it.
//
//     variance = 2·(that of the noise at the mean of 5 × 5 pixels) + (misalignment·gradient)²
void sla_invert_deviation(const sla_window *reference, const sla_noise_model *noise,
                          const sla_window *inverse, float *scratch);

// Where a frame's weight begins to fall and where it is 0, as multiples of what noise gives: mean squares of
// differences, and squares of mean differences, both over 5 × 5 pixels and all channels. Each is 1 for white
// noise of the model's variance; the gains make it 1 for the noise there is.
typedef struct {
  float square_gain, square_full, square_none;
  float mean_gain, mean_full, mean_none;
} sla_merge_limits;

// The weights, 0…1, of a warped frame. The other windows have a rim of SLA_MERGE_RADIUS around `weights`.
void sla_merge_weights(const sla_window *reference, const sla_window *frame, const sla_window *inside,
                       const sla_window *inverse, const sla_merge_limits *limits, const sla_window *weights,
                       float *scratch);

// A function over `from`…`to` in equal steps, one table for each channel.
typedef struct {
  const float *entries;  // 3·count
  int32_t count;
  float from, to;
} sla_function_tables;

// sums += weights · decode(frame) for three channels; sums of a fourth channel are of the weights. Returns
// the sum of the weights. `frame` has a rim of SLA_MERGE_RADIUS.
double sla_merge_add(const sla_window *frame, const sla_window *weights, const sla_function_tables *decode,
                     const sla_window *sums);

// Divides the sums by their weights, encodes them and writes rows of opaque 16-bit RGBA: the reference, which
// has weight 1 and a rim, and the frames. `encode` is over the square root of light. Pixels whose weights are
// all 0 are those of `reference`.
void sla_merge_store(const sla_window *reference, const sla_window *sums, const sla_function_tables *decode,
                     const sla_function_tables *encode, uint16_t *output, ptrdiff_t output_row_bytes);

// Sums over tiles of 16 × 16 pixels, from which the noise is estimated: per channel, of the reference, of
// squared differences, and of squares of mean differences over 5 × 5 pixels.
typedef struct {
  float level[3], square[3], mean_square[3];
  float reference_square[3];  // of the reference about the tile's mean
  float inside;               // the number of pixels inside of the frame
} sla_difference_sums;

// As for `sla_merge_weights`; writes (width / 16) · (height / 16) tiles of the inner pixels.
void sla_sum_differences(const sla_window *reference, const sla_window *frame, const sla_window *inside,
                         sla_difference_sums *tiles, float *scratch);

#ifdef __cplusplus
}
#endif

#endif
