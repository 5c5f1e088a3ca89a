// Safelight's pixel kernels: a C interface to SIMD code in C++ on Google Highway.
//
// One kernel text is compiled for several instruction sets; the best one that the processor has is chosen at
// run time. The environment variable SAFELIGHT_SIMD (scalar, sse4, avx2, avx512, avx512icl) lowers that
// choice; avx512icl adds what Ice Lake brought: VBMI and VNNI.
//
// Conventions: `n` counts pixels. RGBA pixels are interleaved; "planar" means separate float arrays for red,
// green and blue. Rows need no alignment. No function allocates, fails or keeps a pointer.
#ifndef SAFELIGHT_PIXEL_KERNELS_H
#define SAFELIGHT_PIXEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "MemoryBandwidth.h"
#include "Ticks.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Instruction sets

// Highway's name of the instruction set in use, for example "AVX3".
const char *sl_instruction_set(void);

// Where Highway's table of a kernel has the set in use; `compiled` are the sets of the file that asks (its
// HWY_CHOSEN_TARGET_MASK_TARGETS). Applies SAFELIGHT_SIMD when first asked. For kernel files only.
size_t sl_kernel_index(int64_t compiled);

// Chooses the best set that is no higher than `name` ("scalar", "sse4", "avx2", "avx512", "avx512icl"; NULL:
// what the environment says). Returns 0 where the name is unknown, and changes nothing then. Not for use
// while other threads run kernels; meant for start-up and tests.
int sl_limit_instruction_set(const char *name);

// MARK: Formats

// Sample types of interleaved RGBA rows: 8 and 16 bit unsigned full scale, 32 bit float.
typedef enum { SL_U8 = 0, SL_U16 = 1, SL_F32 = 2 } sl_sample;

// Interleaved RGBA → planar red, green, blue; integers are scaled to 0…1.
void sl_unpack(const void *src, sl_sample type, float *r, float *g, float *b, size_t n);

// Planar → interleaved RGBA. Alpha is copied from `alpha`, an interleaved row of type `alpha_type`.
// Integers are clipped and rounded to nearest; NaN becomes 0. Where `dither` is not NULL it holds n
// thresholds in -0.5…0.5 that are added, in units of the last place, before rounding.
void sl_pack(const float *r, const float *g, const float *b, const void *alpha, sl_sample alpha_type,
             const float *dither, void *dst, sl_sample type, size_t n);

// Copies interleaved RGBA from one sample type to another, as unpack and pack would.
void sl_convert(const void *src, sl_sample src_type, void *dst, sl_sample dst_type, size_t n);

// Looks each channel up in a table of its own: entry count 256 for 8-bit input, 65536 for 16-bit input; the
// tables follow each other (red, green, blue) and hold samples of the output type. Alpha is scaled only.
void sl_apply_tables(const void *src, sl_sample src_type, const void *tables, void *dst, sl_sample dst_type,
                     size_t n);

// MARK: Exact colour stages on planar float

// y = x <= toe ? slope·x : scale·(gain·x + offset)^exponent + shift, extended oddly to negative x.
// sRGB, BT.709, pure gamma and power contrast are all of this form (ICC parametric curve type 4).
typedef struct {
  float toe, slope, scale, gain, offset, exponent, shift;
} sl_parametric_curve;

// A curve per channel as `count` samples over 0…1 of the index: x itself, or its square root where
// `square_root_index` (denser near black). Interpolated linearly, continued with the end slope above 1 and
// oddly below 0.
typedef struct {
  const float *samples;  // 3 × count: red, green, blue
  int32_t count;
  int32_t square_root_index;
  float end_slope[3];  // of the function itself, above 1
} sl_sampled_curve;

// OKLab chroma times `chroma`: rgb → LMS (to_lms) → cube root → scale about the neutral axis → back.
typedef struct {
  float to_lms[9], from_lms[9];
  float cube_root_mix[9];  // LMS' → LMS' with a and b scaled: inverse(M2) · diag(1, c, c) · M2
} sl_oklab_mix;

// A gain and an offset that depend on the brightness of a colour, so that the ratios of its channels are
// kept:
//   n   = Σ|c|³ / Σ c²,  c within ±1e6; where Σ c² is below 1e-22 the first entry is taken
//   out = gain[i]·c + offset[i],  i = clip(log2(n)·scale + bias, 0, count - 1), interpolated linearly
typedef struct {
  const float *factors;  // count gains, then count offsets
  int32_t count;
  float scale, bias;
} sl_tone;

// A look-up table as files give it: an optional 1D shaper per channel, then an optional 3D table.
//   index  = clip(x·scale + bias, 0, count - 1)       in sample or node units
//   out    = in + strength · (table(in) - in)
typedef struct {
  const float *shaper;  // 3 × shaper_count: red, green, blue; NULL: none
  int32_t shaper_count;
  float shaper_scale[3], shaper_bias[3];
  const float *nodes;  // red fastest, four floats a node (the fourth unused); NULL: none
  int32_t size;
  float scale[3], bias[3];
  float strength;
} sl_lookup;

typedef enum {
  SL_STAGE_MATRIX = 0,      // 3×3, row-major
  SL_STAGE_PARAMETRIC = 1,  // one curve for all channels
  SL_STAGE_SAMPLED = 2,
  SL_STAGE_OKLAB_MIX = 3,
  SL_STAGE_LOOKUP = 4,
  SL_STAGE_TONE = 5
} sl_stage_kind;

typedef struct {
  sl_stage_kind kind;
  union {
    float matrix[9];
    sl_parametric_curve parametric;
    sl_sampled_curve sampled;
    sl_oklab_mix oklab;
    sl_lookup lookup;
    sl_tone tone;
  } u;
} sl_stage;

// Runs the stages in order, in place.
void sl_run_stages(const sl_stage *stages, size_t count, float *r, float *g, float *b, size_t n);

// Looks interleaved pixels up in a table that has nodes: the same, to the bit, as sl_unpack, one
// SL_STAGE_LOOKUP and sl_pack without dither. `type` is SL_U16 or SL_F32; alpha is kept. `dst` may be `src`.
void sl_look_up_pixels(const sl_lookup *table, const void *src, void *dst, sl_sample type, size_t n);

// MARK: Baked 3D LUTs, 8-bit output

// Tetrahedral interpolation. The position of a sample x (0…1) on an axis is
// min(x·steep, x·gentle + offset) node units: a knee that spends more nodes near black; steep == gentle and
// offset == 0 is a uniform grid. A node is int16 R, G, B, 0 at SL_NODE_UNIT a unit, values -2…2, red fastest.
#define SL_NODE_UNIT 8160
typedef struct {
  const int16_t *nodes;
  int32_t size;  // nodes an edge, 2…129
  float steep, gentle, offset;
  // What sl_prepare_lut wrote, or NULL: then nodes are read one by one, which takes about twice the time and
  // gives the same colours.
  const void *prepared;
  // What sl_compact_lut wrote, or NULL. Interleaved pixels of 8 bit are looked up in it, not in `prepared`,
  // and in the nodes where a cell is too steep for it.
  const void *compact;
} sl_baked_lut;

// Bytes that a table of `size` nodes an edge takes when it is laid out for speed; 0 where it is too large to
// gain by it. 6.3 MB for 33.
size_t sl_prepared_lut_bytes(int32_t size);

// Lays a table out for speed in memory of so many bytes, aligned to 64: for each cell, the differences
// between its corners. The nodes are not read again.
void sl_prepare_lut(const sl_baked_lut *lut, void *memory);

// Bytes that a table of `size` nodes an edge takes when it is laid out in compact cells; 0 where it is too
// large to gain by it. 1 MB for 33.
size_t sl_compact_lut_bytes(int32_t size);

// Lays a table out for pixels of 8 bit in memory of so many bytes, aligned to 64: for each cell, its corners
// as bytes. Returns 0, and the memory is not to be used, where the grid is not uniform or the table is too
// steep in too many places. What corners are rounded by moves colours by at most 1/64 of a level for every 8
// levels, or part of them, that the corners of a cell are apart, and by at most 1/10.
int sl_compact_lut(const sl_baked_lut *lut, void *memory);

// RGBA8 or RGBA16 (src_type) → RGBA8; alpha is kept. `dst` may be `src` where that is RGBA8.
void sl_apply_baked_lut(const sl_baked_lut *lut, const void *src, sl_sample src_type, uint8_t *dst, size_t n);

// The same for planar samples of 16 bit; alpha is full scale.
void sl_apply_baked_lut_planar(const sl_baked_lut *lut, const uint16_t *r, const uint16_t *g,
                               const uint16_t *b, uint8_t *dst, size_t n);

// MARK: Camera formats: luma and colour differences of 8 bit

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

// A straight line through samples: place of the first pixel and the step to the next one, in Q32 samples, 0
// being the centre of the first sample.
typedef struct {
  int64_t x, y, dx, dy;
} sl_line;

// How samples between samples are made: a Kaiser-windowed sinc of six taps each way, or bilinear.
typedef enum { SL_KERNEL_SHARP = 0, SL_KERNEL_BILINEAR = 1 } sl_kernel;

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
// the same places, without the shear. Windows and sums are as with that; within 16 columns, rows that some
// of them do not weigh are sampled for all. `tables` is aligned to 64 bytes, zero before the first call, and
// then for one thread at a time. `memory` is aligned to 64 bytes and holds, for each plane, 64 values for
// every source row that 16 columns weigh.
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

// MARK: Geometry

// A picture to sample from.
typedef struct {
  const void *base;
  size_t row_bytes;
  int32_t width, height;
  sl_sample type;
  // SL_U16 alone: whether a twentieth of an 8-bit level is exact enough, which takes half the time.
  int32_t is_coarse;
} sl_image;

// What lies outside a picture.
typedef enum {
  SL_OUTSIDE_CLAMP = 0,       // the nearest edge pixel
  SL_OUTSIDE_TRANSPARENT = 1  // colour as with clamp, alpha by how much of the pixel lies inside
} sl_outside;

#define SL_KERNEL_PHASES 1024
// Writes SL_KERNEL_PHASES + 1 phases of 8 weights, normalised: of the sharp kernel for the taps -2…3 around
// the sample, of the bilinear one for 0 and 1; those that are left are 0.
void sl_kernel_table(sl_kernel kernel, float *table);

// Samples `n` pixels along a straight line through the source, directly: with no shear of the kernel.
// Positions are Q32 fixed point in source pixels, 0 being the centre of the first pixel. `premultiply`
// weights colour by alpha. Integer sources give values clipped to 0…1. `dst` is RGBA16 or RGBA float.
void sl_resample_line(const sl_image *src, int64_t x, int64_t y, int64_t dx, int64_t dy, sl_outside outside,
                      int premultiply, sl_kernel kernel, void *dst, sl_sample dst_type, size_t n);

// Copies n pixels of `pixel_bytes` (4, 8 or 16) from `src`, stepping `step` bytes, to consecutive places.
void sl_copy_strided(const void *src, ptrdiff_t step, void *dst, size_t pixel_bytes, size_t n);

// One output sample of a separable shrink: `count` weights from `first` on.
typedef struct {
  int32_t first, count;
  size_t weights;  // index of the first weight
} sl_taps;

// Rows that are shrunk together: float RGBA of this many rows, interleaved pixel by pixel. Pixel x of row r
// is at 4 · (SL_SHRINK_ROWS · x + r).
#define SL_SHRINK_ROWS 4

// Puts an interleaved float RGBA row in row `r` of a block.
void sl_place_row(const float *src, size_t r, float *block, size_t n);

// Puts `row_count` rows of opaque RGBA8 in a block, each channel looked up in its table of 256 floats, as
// sl_apply_tables does; alpha becomes 1.
void sl_place_rows_by_tables(const uint8_t *const *rows, size_t row_count, const float *tables, float *block,
                             size_t n);

// Shrinks the rows of a block: dst[r][i] = Σ weights · block[first…][r], for `row_count` rows of RGBA.
void sl_shrink_rows(const float *block, const sl_taps *taps, const float *weights, float *const *dst,
                    size_t row_count, size_t n);

// dst = Σ weights[k] · rows[k], `values` floats each.
void sl_blend_rows(const float *const *rows, const float *weights, size_t row_count, float *dst,
                   size_t values);

// Planar ↔ interleaved float with alpha, for shrinking. `premultiply` weights colour by alpha on the way in
// and undoes it on the way out.
void sl_interleave(const float *r, const float *g, const float *b, const void *alpha, sl_sample alpha_type,
                   int premultiply, float *dst, size_t n);
void sl_deinterleave(const float *src, int premultiply, float *r, float *g, float *b, float *alpha, size_t n);

#ifdef __cplusplus
}
#endif

#include "BakeKernels.h"

#endif
