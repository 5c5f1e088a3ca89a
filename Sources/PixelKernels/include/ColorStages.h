// Exact colour stages on planar float. Part of `PixelKernels.h`, whose conventions apply.
#ifndef SAFELIGHT_COLOR_STAGES_H
#define SAFELIGHT_COLOR_STAGES_H

#include "ColorCurves.h"
#include "PixelFormats.h"

#ifdef __cplusplus
extern "C" {
#endif

// y = x <= toe ? slope·x : scale·(gain·x + offset)^exponent + shift, extended oddly to negative x.
// sRGB, BT.709, pure gamma and power contrast are all of this form (ICC parametric curve type 4).
typedef struct {
  float toe, slope, scale, gain, offset, exponent, shift;
} sl_parametric_curve;

// A curve per channel as `count` samples over 0…1 of the index: x itself, or its square root if
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
// preserved:
//   n   = Σ|c|³ / Σ c²,  c within ±1e6; if Σ c² is below 1e-22 the first entry is used
//   out = gain[i]·c + offset[i],  i = clip(log2(n)·scale + bias, 0, count - 1), interpolated linearly
typedef struct {
  const float *factors;  // count gains, then count offsets
  int32_t count;
  float scale, bias;
} sl_tone;

// The light around the pixels of one picture: `width` × `height` nodes of four numbers (NULL without local
// tone), each number a plane by rows; two numbers for haze, three for the light that scatters. Pixel (x, y),
// its centre being (column + ½, row + ½), is at node (map[0]·x + map[1]·y + map[2], map[3]·x + map[4]·y +
// map[5]); outside the grid the nearest nodes count.
typedef struct {
  const float *nodes;
  int32_t width, height;
  double map[6];
  // A line for each node; 1 / A in the channels and A where the field is; whether there is light to make haze
  // of, and haze to remove, 0…1 each.
  const float *haze;
  float inverse_ambient[3], ambient[3], haze_parts[2];
  const float *glow;  // where the field is
  // Texture, on nodes of its own, and there too a line for each node of each mask that follows edges.
  const float *detail, *edges;
  int32_t detail_width, detail_height;
  double detail_map[6];
  int32_t film[4];  // by which the grain of a frame is moved: column and row of the first tile, of the second
} sl_light_grid;

// Where the pixels of a row are, for stages that depend on it.
typedef struct {
  const sl_light_grid *grids;  // NULL takes each pixel for its own surroundings
  // With a projection, two rows of three from pixels of the row to places in the picture as stored, which the
  // maps of masks begin with; NULL without one.
  const double *to_stored;
} sl_places;

// The brightness of a colour of linear RGB, in EV from middle grey:
//   c      = to_working·rgb
//   n      = Σ|c|³ / Σ c²,  c within ±1e6; 0 if Σ c² is below 1e-22
//   e      = min(log2(n + floor) + bias, most)
typedef struct {
  float to_working[9];
  float floor, bias, most;
} sl_brightness;

// Stops for regions of some brightness: amount·S(u·rise)·(1 - part·S(u·fall - from)), u the distance from
// middle grey in EV, S(w) = 3w² - 2w³ with w clipped to 0…1.
typedef struct {
  float amount, rise, fall, from, part;
} sl_region;

// Stops that depend on the brightness e of a pixel and on the light around it:
//   base   = node[0]·e + node[1] + shift,  detail = e - (node[2]·e + node[3]);  without a grid e + shift and
//   0 stops  = bright(base) + white·S(base·white_rise - white_from) + clarity·detail/√(1 + detail²)   base >
//   0
//            dark(-base) + clarity·detail/√(1 + detail²)                                            base <= 0
typedef struct {
  sl_region bright, dark;
  float white, white_rise, white_from;
  float clarity;
  float shift;  // 0 but in groups
} sl_local_light;

// Light that becomes f·c + (1 - f)·A:
//   m = clip(min over channels of (to_channels·c)/A, 0, 1),  v = clip(haze[0]·m + haze[1], 0, m)
//   t = max(1 - haze_parts[removes]·(share·v + base), least),  f = removes ? 1/t : t
typedef struct {
  float to_channels[9];
  float share, base, least;
  int32_t removes;
} sl_dehazing;

// Stops that depend on the place (x, y) of a pixel, its centre being (column + ½, row + ½):
//   u     = map[0]·x + map[1]·y + map[2],  v = map[3]·x + map[4]·y + map[5]
//   r     = (|u|^exponent + |v|^exponent)^(1/exponent)
//   stops·(3w² - 2w³),  w = clip((r - begin)·scale, 0, 1)
typedef struct {
  float map[6];
  float exponent, begin, scale, stops;
} sl_falloff;

// A square of samples that repeats: `period` along both axes, in rows of `stride` that go on from their
// start. Pixel (0, 0) has the sample at (column, row).
typedef struct {
  const int8_t *samples;
  int32_t period, stride, column, row;
} sl_grain_tile;

// Stops that vary from pixel to pixel, and with the brightness e:
//   density = e·density_scale + density_bias
//   stops   = strength·(sum of both tiles)·√max(0, density·(first + second·density))
typedef struct {
  sl_grain_tile tiles[2];
  float density_scale, density_bias, first, second, strength;
} sl_grain;

// Light multiplied by 2^stops, the sum of those of all and of texture·detail, after dehazing and after
// glow·(the cubic B-spline of the grid's glow) was added. If `is_encoded`, light is decode(sample), and the
// result is encoded again. The curves undo each other, and decode.scale is 1 and decode.shift 0.
typedef struct {
  int32_t has_local, has_falloff, has_grain, is_encoded, has_haze, has_glow, has_texture;
  int32_t grid;  // which of the grids given to sl_run_stages
  sl_dehazing haze;
  float glow, texture;
  sl_brightness brightness;  // for local light and grain
  sl_local_light local;
  sl_falloff falloff;
  sl_grain grain;
  sl_parametric_curve decode, encode;
} sl_field;

// A look-up table as given by files: an optional 1D shaper per channel, then an optional 3D table.
//   index  = clip(x·scale + bias, 0, count - 1)       in sample or node units
//   out    = in + strength · (table(in) - in)
typedef struct {
  const float *shaper;  // 3 × shaper_count: red, green, blue; NULL: none
  int32_t shaper_count;
  float shaper_scale[3], shaper_bias[3];
  const float *nodes;  // red fastest, four floats per node (the fourth unused); NULL: none
  int32_t size;
  float scale[3], bias[3];
  float strength;
} sl_lookup;

// A step of a mask, a program in postfix order: most push a value of 0…1, numbers 7…10 change what is on top
// of the values so far. (x, y) is the centre of a pixel, S(w) = 3w² - 2w³ with w clipped to 0…1, and (L, a,
// b) the OKLab and e the brightness of the colour that reaches the first group.
typedef enum {
  SL_MASK_CONSTANT = 0,   // low
  SL_MASK_LINEAR = 1,     // S(u),  u = map[0]·x + map[1]·y + map[2],  v likewise of map[3…5]
  SL_MASK_RADIAL = 2,     // 1 - S((√(u² + v²) - low)·scale)
  SL_MASK_SHAPE = 3,      // the shape at node (u, v), bilinear; outside it the nearest nodes count
  SL_MASK_LUMINANCE = 4,  // min(clip(1 + (L - low)·scale), clip(1 - (L - high)·scale))
  SL_MASK_COLOR = 5,      // 1 - S((√((a - map[0])² + (b - map[1])²) - low)·scale)
  SL_MASK_EDGES = 6,      // S(2·(a·e + b) - ½),  a, b of the grid's edges number `guide`; 0 without grids
  SL_MASK_INVERT = 7,     // 1 - top
  SL_MASK_INTERSECT = 8,  // the product of both on top
  SL_MASK_ADD = 9,        // 1 - (1 - x)·(1 - y)
  SL_MASK_SUBTRACT = 10,  // x·(1 - y), y on top
  SL_MASK_LENS = 11  // clip((1/d - 1)·part),  d = 1 + low·s + high·s² + scale·s³,  s = u² + v²; 1 for d <= 0
} sl_mask_step_kind;

// At most so many values at once.
enum { SL_MASK_DEPTH = 16 };

typedef struct {
  sl_mask_step_kind kind;
  double map[6];
  float low, high, scale, part;
  const uint8_t *nodes;  // of a shape: coverage as 0…255, by rows
  int32_t width, height;
  int32_t guide;
} sl_mask_step;

typedef struct sl_stage sl_stage;

// Stages under a mask: out = in + opacity·mask·(stages(fields(in)) - in). Where that is 0, as where the mask
// is no number, the colour stays as it was; where it is 1, it is that of the stages. What fields do is found
// from the colour p0 that reaches the first group: with s = 2^(e(in) - e(p0)) for one that removes haze, else
// 1,
//   field(in) = 2^stops(p0)·(f·in + (1 - f)·s·A),  f of p0, and v at most the m of in/s if haze is removed
typedef struct {
  const sl_mask_step *steps;
  int32_t step_count;
  float opacity;
  float gain;              // of sl_gains
  const sl_field *fields;  // of local light, texture and haze, on linear RGB
  int32_t field_count;
  const sl_stage *stages;  // which depend neither on places nor on light around them, and have no groups
  int32_t stage_count;
} sl_masked_group;

// Groups in order, each on what the last one left.
typedef struct {
  const sl_masked_group *groups;
  int32_t count;
  int32_t measures_colors;             // whether a step needs OKLab
  float to_lms[9], lab_from_roots[9];  // from linear RGB, and from the cube roots of LMS
  int32_t measures_light;              // whether a group has fields
  int32_t follows_edges;               // whether a mask does
  int32_t grid;                        // which of the grids given to sl_run_stages, for both
  sl_brightness brightness;            // how both measure light
} sl_masked;

// Light multiplied by Π(1 + opacity·mask·(gain - 1)) of groups without stages whose masks read no colours; of
// encoded samples as for sl_field.
typedef struct {
  const sl_masked_group *groups;
  int32_t count;
  int32_t is_encoded;
  sl_parametric_curve decode, encode;
} sl_gains;

typedef enum {
  SL_STAGE_MATRIX = 0,      // 3×3, row-major
  SL_STAGE_PARAMETRIC = 1,  // one curve for all channels
  SL_STAGE_SAMPLED = 2,
  SL_STAGE_OKLAB_MIX = 3,
  SL_STAGE_LOOKUP = 4,
  SL_STAGE_TONE = 5,
  SL_STAGE_FIELD = 6,
  SL_STAGE_MASKED = 7,
  SL_STAGE_GAINS = 8,
  SL_STAGE_CURVES = 9,
  SL_STAGE_HUES = 10,
  SL_STAGE_GAMUT = 11
} sl_stage_kind;

struct sl_stage {
  sl_stage_kind kind;
  union {
    float matrix[9];
    sl_parametric_curve parametric;
    sl_sampled_curve sampled;
    sl_oklab_mix oklab;
    sl_lookup lookup;
    sl_tone tone;
    sl_field field;
    sl_masked masked;
    sl_gains gains;
    sl_light_curves curves;
    sl_hues hues;
    sl_gamut gamut;
  } u;
};

// Runs the stages in order, in place, on the pixels from column `x` of row `y` on. `grids` may be NULL: every
// pixel is its own surroundings then.
void sl_run_stages(const sl_stage *stages, size_t count, int32_t x, int32_t y, const sl_places *places,
                   float *r, float *g, float *b, size_t n);

// Looks up interleaved pixels in a table that has nodes: bit-identical to sl_unpack, one SL_STAGE_LOOKUP and
// sl_pack without dither. `type` is SL_U16 or SL_F32; alpha is kept. `dst` may be `src`.
void sl_look_up_pixels(const sl_lookup *table, const void *src, void *dst, sl_sample type, size_t n);

#ifdef __cplusplus
}
#endif

#endif
