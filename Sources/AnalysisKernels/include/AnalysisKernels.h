// What the analyses of a frame do for every pixel, in C++ on Google Highway behind a C interface.
//
// The instruction set is chosen at run time, as PixelKernels.h says; every one gives the same bits.
//
// Every function is pure but for the memory it is handed: none allocates, fails or keeps a pointer, so the
// frame loop may call them. Sizes are in samples, row distances in bytes unless a name says otherwise.
#ifndef SAFELIGHT_ANALYSIS_KERNELS_H
#define SAFELIGHT_ANALYSIS_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Shrinking

// Where the luma of a picture comes from. The packed formats interleave luma with chroma, so that it lies in
// every second byte; luma of RGBA is 0.2126 R + 0.7152 G + 0.0722 B of the encoded samples (ITU-R BT.709-6).
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
// base[x·column_step + y·row_step], steps in samples. Negative and exchanged steps mirror and turn the
// picture.
typedef struct {
  float *base;
  ptrdiff_t column_step, row_step;
  int32_t width, height;  // as the steps count them, that is, before turning
} sla_oriented_plane;

// Memory of `sla_area_average` for a picture of `width` columns.
typedef struct {
  float *samples;    // 5·width
  int32_t *columns;  // width
} sla_area_scratch;

// Shrinks luma by averaging areas, each source sample weighted by how much of it an output sample covers.
//
//     out = clip((mean - black) · gain, 0, 1), mean being 0…1
//
// `output` is no larger than the picture on either axis.
void sla_area_average(const sla_luma_picture *picture, const sla_oriented_plane *output, float black,
                      float gain, const sla_area_scratch *scratch);

// Takes the square root of every sample: linear light → close to the encodings that displays take.
void sla_square_root(float *samples, size_t count);

// Halves a plane of tight rows by averaging 2×2 samples; an odd last row or column is left out.
void sla_halve(const float *luma, int32_t width, int32_t height, float *output);

// Shrinking interleaved RGBA of 8 or 16 bits by a whole factor, row by row: add up to `factor` rows to sums
// that begin at zero (four for each output pixel), then average. The last column is the mean of what is left
// of the row. `factor` is at most 256, so that sums do not overflow.
void sla_shrink_add(const void *row, int32_t bits, int32_t width, int32_t factor, uint32_t *sums);
// Writes ceil(width / factor) pixels; `rows` is the number of rows that were added. Rounds to nearest.
void sla_shrink_average(const uint32_t *sums, int32_t rows, int32_t bits, int32_t width, int32_t factor,
                        void *out);
// The same for colours that are not multiplied by alpha, the fourth channel, which weighs them: what is
// invisible has no say. Beside the sums above, those of colour · alpha are kept (three for each output
// pixel), and replace the means of the colours that `sla_shrink_average` wrote, where there is any alpha.
void sla_shrink_add_weighted(const void *row, int32_t bits, int32_t width, int32_t factor,
                             uint64_t *weighted);
void sla_shrink_average_weighted(const uint32_t *sums, const uint64_t *weighted, int32_t bits,
                                 int32_t columns, void *out);

// MARK: Colour samples

// Where the samples of a colour picture lie. Planes may share memory: packed formats name the same base with
// other offsets. Position of the sample of channel c at pixel (x, y), in bytes:
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

// Takes one pixel of each cell of a columns × rows grid as encoded R, G, B in three tight planes, one after
// the other, clipped to 0…1; NaN is 0. Pixels are picked, not averaged: averages would hide small clipped
// areas. Where in its cell is fixed but irregular, so that regular patterns are met as often as they occur.
//
// At most 65,535 columns and rows, and no more than the picture has, which is at most 65,535 on either axis.
// Positions are exact where cells hold a whole number of samples, and to 1/128 of a sample otherwise.
void sla_sample_colors(const sla_color_picture *picture, int32_t columns, int32_t rows, float *planes);

// OKLab L of encoded R, G, B samples (planes as above). `decode` holds `decode_count` samples of the transfer
// function over 0…1 for each channel, one after the other, read at the nearest entry; `to_lms` is linear RGB
// → cone responses; `mix` is the row of L in cone responses' cube roots.
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

// Sums over the picture's inner samples of gx² + gy², by Sobel's operators divided by 8 (luma units per
// sample).
double sla_sobel_energy(const float *luma, int32_t width, int32_t height);

// The standard deviation of the noise, luma units: Immerkær's operator (Computer Vision and Image
// Understanding 64, 1996), which flat areas, ramps and most edges leave at zero, over blocks of 16 × 16;
// `blocks` holds one float a block and is sorted. The quietest tenth of the blocks counts, so that texture is
// not taken for noise.
float sla_noise_deviation(const float *luma, int32_t width, int32_t height, float *blocks);

// MARK: Edge widths

// 8-bit luma of a row of RGBA of 8 or 16 bits: 0.2126 R + 0.7152 G + 0.0722 B of the encoded samples (ITU-R
// BT.709-6), of linear light its square root.
void sla_luma8(const void *row, int32_t bits, int32_t is_linear, int32_t width, uint8_t *luma);

// As `sla_halve`, for 8 bits, rounded to nearest.
void sla_halve8(const uint8_t *luma, int32_t width, int32_t height, uint8_t *out);

#define SLA_NOISE_BINS 256

// Adds one to bins[8·σ] for each block of 16 × 16, σ being the standard deviation of its noise by Immerkær's
// operator, in codes of 8 bits. Blocks that are nearly black or white are left out.
void sla_count_noise(const uint8_t *luma, int32_t width, int32_t height, uint32_t *bins);

typedef struct {
  int32_t tile;        // edge of the square tiles that sums are kept for
  int32_t stride;      // only every n-th row, column and diagonal is followed
  float reversal;      // by how much, in codes of 8 bits, a line has to turn back before a run ends
  float least_height;  // of runs that count, in codes of 8 bits
} sla_edge_settings;

// Of the runs that are steepest in a tile: the sum of their weights, of their weights divided by their
// widths, and their number.
typedef struct {
  double weight, inverse_width;
  uint32_t count;
} sla_edge_tile;

// Follows `rows` rows from `first` on along rows, columns, falling and rising diagonals. A run is the way
// from one extreme to the next; its width is its height divided by its largest step, in steps: a wide ramp
// takes many. The luma is smoothed by 1 2 1 both ways before. Runs that reach out of these rows do not count.
//
// `tiles`, zero before, holds ceil(width / tile) · ceil(rows / tile) tiles for each of the four directions.
void sla_measure_edges(const uint8_t *luma, int32_t width, int32_t height, int32_t first, int32_t rows,
                       const sla_edge_settings *settings, sla_edge_tile *tiles);

// MARK: Line segments

// A straight edge: end points in samples, centre of the first sample at (0.5, 0.5). The darker side lies to
// the left of the way from the first to the second end point, seen with y pointing down.
typedef struct {
  float x0, y0, x1, y1;
  float width;
  // Mean gradient across the edge, luma units per sample.
  float contrast;
  // -log10 of the number of false alarms: above 0 is unlikely to be chance.
  float significance;
} sla_segment;

// Memory of `sla_find_segments` for a picture of width × height samples.
typedef struct {
  float *gradient_x, *gradient_y, *magnitude;  // width·height each
  uint8_t *state;                              // width·height
  uint32_t *order, *region;                    // width·height each
} sla_segment_scratch;

// Finds straight edges: regions of like gradient direction, grown from the strongest gradient on, as
// rectangles that are accepted where chance would not align so many samples. Writes at most `capacity`
// segments, the longest first, returns their number. `shortest` is the least length, in samples.
//
// Source: R. Grompone von Gioi, J. Jakubowicz, J.-M. Morel, G. Randall: LSD: a Line Segment Detector, Image
// Processing On Line 2, 2012. Different here: gradients are Scharr's, the threshold of their size follows the
// picture, so that exposure does not matter, and the tail of the binomial distribution is bounded by
// Chernoff's inequality.
size_t sla_find_segments(const float *luma, int32_t width, int32_t height, float shortest,
                         const sla_segment_scratch *scratch, sla_segment *segments, size_t capacity);

// MARK: Boundaries

// A straight boundary between a lighter and a darker part of a picture that runs from side to side, more or
// less.
typedef struct {
  float slope;        // rows per column, downwards to the right
  float middle;       // row where it crosses the middle of the picture, centre of the first row at 0.5
  float slope_error;  // standard deviation of `slope`
  float coverage;     // part of the visible way along which it was seen, 0…1
  float coherence;    // mean of the clipped steps across it, over the picture's width, 0…1
  float rival;        // the same of the best line that runs elsewhere, as a part of `coherence`, 0…1
  int light_above;    // whether the lighter part lies above
  float calm;         // texture above the line as a part of that above and below, 0…1: skies are calm
} sla_boundary;

// Slopes of boundaries that are tried: this many angles, this many degrees apart, around level.
#define SLA_BOUNDARY_ANGLES 61
#define SLA_BOUNDARY_DEGREES 1.5f

// The number of floats that `sla_find_boundary` takes as scratch.
size_t sla_boundary_scratch(int32_t width, int32_t height);

// Finds the line, at most 45° from level, across which the picture steps most steadily between light and
// dark: the edge of a sea is often too soft and too broken for line segments. Returns 0 where there is none
// worth to be told. `profile` gets the coherence of the best line of each angle, from falling to the left on;
// 0 where the picture is too small.
int sla_find_boundary(const float *luma, int32_t width, int32_t height, float *scratch,
                      sla_boundary *boundary, float profile[SLA_BOUNDARY_ANGLES]);

#ifdef __cplusplus
}
#endif

#endif
