// The per-pixel work of frame analysis, in C++ on Google Highway behind a C interface.
//
// The instruction set is chosen at run time, as described in PixelKernels.h; all of them give the same bits.
//
// Every function is pure except for the memory passed to it and keeps no pointer. None but sla_measure_edges
// allocates or can fail, so the frame loop may call the others. Sizes are in samples, row distances in bytes
// unless a name says otherwise.
#ifndef SAFELIGHT_ANALYSIS_KERNELS_H
#define SAFELIGHT_ANALYSIS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "DocumentKernels.h"
#include "FusionKernels.h"
#include "MergeKernels.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Shrinking

// The position of luma in a picture. The packed formats interleave luma with chroma, so that it is in every
// second byte; luma of RGBA is 0.2126 R + 0.7152 G + 0.0722 B of the encoded samples (ITU-R BT.709-6).
typedef enum {
  SLA_LUMA_PLANE,       // a plane of 8-bit luma
  SLA_LUMA_EVEN_BYTES,  // Y0 C Y1 C
  SLA_LUMA_ODD_BYTES,   // C Y0 C Y1
  SLA_LUMA_RGBA8,
  SLA_LUMA_RGBA16,
  SLA_LUMA_RGBAF32,  // clipped to 0…1; NaN is 0
} sla_luma_source;

typedef struct {
  const void *base;
  ptrdiff_t row_bytes;
  int32_t width, height;
  sla_luma_source source;
} sla_luma_picture;

// A plane of float samples whose rows and columns may run in any direction: column x of row y is
// base[x·column_step + y·row_step], steps in samples. Negative and exchanged steps mirror and rotate the
// picture.
typedef struct {
  float *base;
  ptrdiff_t column_step, row_step;
  int32_t width, height;  // as counted by the steps, that is, before rotation
} sla_oriented_plane;

// Memory for `sla_area_average` and a picture of `width` columns.
typedef struct {
  float *samples;    // 5·width
  int32_t *columns;  // width
} sla_area_scratch;

// Shrinks luma by averaging areas, each source sample weighted by its overlap with the output sample.
//
//     out = clip((mean - black) · gain, 0, 1), mean being 0…1
//
// `output` is no larger than the picture on either axis.
void sla_area_average(const sla_luma_picture *picture, const sla_oriented_plane *output, float black,
                      float gain, const sla_area_scratch *scratch);

// Takes the square root of every sample: converts linear light to approximately display encoding.
void sla_square_root(float *samples, size_t count);

// Halves a plane without row gaps by averaging 2×2 samples; drops an odd last row or column.
void sla_halve(const float *luma, int32_t width, int32_t height, float *output);

// Shrinks interleaved 8- or 16-bit RGBA by an integer factor, row by row: adds up to `factor` rows to sums
// that begin at zero (four for each output pixel), then averages. The last column is the mean of the rest of
// the row. `factor` is at most 256, so that sums do not overflow.
void sla_shrink_add(const void *row, int32_t bits, int32_t width, int32_t factor, uint32_t *sums);
// Writes ceil(width / factor) pixels; `rows` is the number of rows added. Rounds to nearest.
void sla_shrink_average(const uint32_t *sums, int32_t rows, int32_t bits, int32_t width, int32_t factor,
                        void *out);
// The same for non-premultiplied colours, weighted by alpha, the fourth channel, so that invisible pixels do
// not contribute. In addition to the sums above it keeps those of colour · alpha (three for each output
// pixel); if there is any alpha, they replace the colour means written by `sla_shrink_average`.
void sla_shrink_add_weighted(const void *row, int32_t bits, int32_t width, int32_t factor,
                             uint64_t *weighted);
void sla_shrink_average_weighted(const uint32_t *sums, const uint64_t *weighted, int32_t bits,
                                 int32_t columns, void *out);

// MARK: Colour samples

// The positions of a colour picture's samples. Planes may share memory: packed formats use the same base with
// different offsets. Position of the sample of channel c at pixel (x, y), in bytes:
//     base[c] + (y >> row_shift[c]) · row_bytes[c] + (x >> column_shift[c]) · step[c]
typedef struct {
  const uint8_t *base[3];
  ptrdiff_t row_bytes[3];
  int32_t step[3], column_shift[3], row_shift[3];
  int32_t bits;  // 8, 16 or 32 (float)
  // Samples, as 0…1, → R, G, B:  rgb = matrix · sample + offset.
  float matrix[9], offset[3];
  int32_t width, height;
} sla_color_picture;

// Takes one pixel of each cell of a columns × rows grid as encoded R, G, B in three contiguous planes,
// clipped to 0…1; NaN becomes 0. Pixels are picked, not averaged: averages would hide small clipped areas.
// The position within each cell is fixed but irregular, so that regular patterns are sampled without bias.
//
// At most 65,535 columns and rows, and no more than the picture has, which is at most 65,535 on either axis.
// Positions are exact if cells hold a whole number of samples, and otherwise to 1/128 of a sample.
void sla_sample_colors(const sla_color_picture *picture, int32_t columns, int32_t rows, float *planes);

// OKLab L of encoded R, G, B samples (planes as above). `decode` holds `decode_count` samples of the transfer
// function over 0…1 for each channel in turn, read at the nearest entry; `to_lms` is linear RGB → cone
// responses; `mix` is the row of L in the cube roots of the cone responses.
void sla_oklab_lightness(const float *planes, size_t count, const float *decode, int32_t decode_count,
                         const float to_lms[9], const float mix[3], float *lightness);

// Adds one to bins[round(255·x)] for every sample 0…1.
void sla_histogram(const float *samples, size_t count, uint32_t bins[256]);

typedef struct {
  uint32_t highlights;  // pixels with at least one channel at full scale, to 8 bits
  uint32_t shadows;     // pixels with all channels at zero, to 8 bits
} sla_clip_counts;

sla_clip_counts sla_count_clipped(const float *planes, size_t count);

// MARK: Gradients

// The sum over the picture's inner samples of gx² + gy², by Sobel's operators divided by 8 (luma per sample).
double sla_sobel_energy(const float *luma, int32_t width, int32_t height);

// The sums over inner samples, like those of sla_sobel_energy, of gx², gx·gy and gy². `row_samples` is the
// distance of rows, for parts of a picture.
void sla_gradient_tensor(const float *luma, ptrdiff_t row_samples, int32_t width, int32_t height,
                         double tensor[3]);

// The standard deviation of the noise, in luma: Immerkær's operator (Computer Vision and Image Understanding
// 64, 1996), which is zero on flat areas, ramps and most edges, over blocks of 16 × 16; `blocks` holds one
// float per block and is sorted. Uses the quietest tenth of the blocks, so that texture is not taken for
// noise.
float sla_noise_deviation(const float *luma, int32_t width, int32_t height, float *blocks);

// MARK: Edge widths

// 8-bit luma of a row of 8- or 16-bit RGBA: 0.2126 R + 0.7152 G + 0.0722 B of the encoded samples (ITU-R
// BT.709-6); for linear light, its square root.
void sla_luma8(const void *row, int32_t bits, int32_t is_linear, int32_t width, uint8_t *luma);

// As `sla_halve`, for 8 bits, rounded to nearest.
void sla_halve8(const uint8_t *luma, int32_t width, int32_t height, uint8_t *out);

#define SLA_NOISE_BINS 256

// Adds one to bins[8·σ] for each block of 16 × 16, where σ is the standard deviation of its noise by
// Immerkær's operator, in 8-bit codes. Skips blocks that are nearly black or white.
void sla_count_noise(const uint8_t *luma, int32_t width, int32_t height, uint32_t *bins);

typedef struct {
  int32_t tile;        // edge of the square tiles that sums are kept for
  int32_t stride;      // only every n-th row, column and diagonal is scanned
  float reversal;      // how far, in 8-bit codes, a line must turn back to end a run
  float least_height;  // the minimum height of runs that count, in 8-bit codes
} sla_edge_settings;

// Sums over the runs that are steepest in a tile: of their weights, of their weights divided by their widths,
// and their number.
typedef struct {
  double weight, inverse_width;
  uint32_t count;
} sla_edge_tile;

// Scans `rows` rows from `first` on along rows, columns, falling and rising diagonals. A run extends from one
// extreme to the next; its width is its height divided by its largest step, in steps: a wide ramp has many.
// The luma is smoothed by 1 2 1 in both directions first. Runs that extend beyond these rows do not count.
//
// `tiles`, initially zero, holds ceil(width / tile) · ceil(rows / tile) tiles for each of the four
// directions. Returns 0 if memory is short, otherwise 1.
int sla_measure_edges(const uint8_t *luma, int32_t width, int32_t height, int32_t first, int32_t rows,
                      const sla_edge_settings *settings, sla_edge_tile *tiles);

// MARK: Line segments

// A straight edge: end points in samples, centre of the first sample at (0.5, 0.5). The darker side is on the
// left going from the first to the second end point, with y pointing down.
typedef struct {
  float x0, y0, x1, y1;
  float width;
  // The mean gradient across the edge, in luma per sample.
  float contrast;
  // -log10 of the number of false alarms: chance is unlikely above 0.
  float significance;
} sla_segment;

// Memory for `sla_find_segments` and a picture of width × height samples.
typedef struct {
  float *gradient_x, *gradient_y, *magnitude;  // width·height each
  uint8_t *state;                              // width·height
  uint32_t *order, *region;                    // width·height each
} sla_segment_scratch;

// Finds straight edges: regions of similar gradient direction, grown from the strongest gradients, as
// rectangles that are accepted if chance would not align so many samples. Writes at most `capacity` segments,
// longest first, and returns their number. `shortest` is the minimum length, in samples.
//
// Source: R. Grompone von Gioi, J. Jakubowicz, J.-M. Morel, G. Randall: LSD: a Line Segment Detector, Image
// Processing On Line 2, 2012. Differences: gradients are Scharr's, the threshold of their magnitude adapts to
// the picture, so that exposure does not matter, and the tail of the binomial distribution is bounded by
// Chernoff's inequality.
size_t sla_find_segments(const float *luma, int32_t width, int32_t height, float shortest,
                         const sla_segment_scratch *scratch, sla_segment *segments, size_t capacity);

// MARK: Boundaries

// A straight boundary between a lighter and a darker part of a picture that runs roughly from side to side.
typedef struct {
  float slope;        // rows per column, downwards to the right
  float middle;       // row where it crosses the middle of the picture, centre of the first row at 0.5
  float slope_error;  // standard deviation of `slope`
  float coverage;     // fraction of its visible length along which it was seen, 0…1
  float coherence;    // mean of the clipped steps across it, over the picture's width, 0…1
  float rival;        // the same for the best line elsewhere, as a fraction of `coherence`, 0…1
  int light_above;    // whether the lighter part is above
  float calm;         // texture above the line as a fraction of the total, 0…1: skies are calm
} sla_boundary;

// The slopes of boundaries tried: this many angles, this many degrees apart, around level.
#define SLA_BOUNDARY_ANGLES 61
#define SLA_BOUNDARY_DEGREES 1.5f

// The number of floats that `sla_find_boundary` takes as scratch.
size_t sla_boundary_scratch(int32_t width, int32_t height);

// Finds the line, at most 45° from level, across which the picture changes most consistently between light
// and dark: the edge of a sea is often too soft and too broken for line segments. Returns 0 if there is none
// worth reporting. `profile` receives the coherence of the best line of each angle, beginning with lines that
// fall to the left; 0 if the picture is too small.
int sla_find_boundary(const float *luma, int32_t width, int32_t height, float *scratch,
                      sla_boundary *boundary, float profile[SLA_BOUNDARY_ANGLES]);

// MARK: Hashes of pictures

// Hashes of 256 bits, as arrays of their first, second, third and fourth words.
typedef struct {
  const uint64_t *words[4];
} sla_hash_words;

// Writes the places of the hashes that differ from `hash`, four words, in at most `limit` bits, in ascending
// order, and returns how many there are. `found` has room for `count`.
size_t sla_near_hashes(const sla_hash_words *hashes, size_t count, const uint64_t *hash, uint32_t limit,
                       uint32_t *found);

#ifdef __cplusplus
}
#endif

#endif
