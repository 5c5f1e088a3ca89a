// The light around the pixels of a picture: brightness, and the grids of guided filters. Part of
// `PixelKernels.h`, whose conventions apply.
#ifndef SAFELIGHT_LOCAL_LIGHT_H
#define SAFELIGHT_LOCAL_LIGHT_H

#include "ColorStages.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes the brightness of n colours of linear RGB to `e`, in EV from middle grey.
void sl_light_brightness(const sl_brightness *measure, const float *r, const float *g, const float *b,
                         float *e, size_t n);

// A window of 2·radius + 1 nodes along both axes, cut at the edges, and ε in EV².
typedef struct {
  int32_t radius;
  float epsilon;
} sl_guided_filter;

// Rows `first` to `end` of a plane of nodes.
typedef struct {
  int32_t width, height, first, end;
} sl_node_rows;

// The floats of `scratch` that the guided filter needs.
size_t sl_guided_scratch(int32_t width, sl_guided_filter filter);

// Writes rows of the first step of the guided filter of `input` with `guide` to the planes a and b of
// `lines`: with mean values over a window, a = covariance / (variance of the guide + ε) and b = mean input -
// a·mean guide. If `input` is `guide`, these are v / (v + ε) and (1 - a)·m.
void sl_guided_lines(const float *guide, const float *input, sl_node_rows rows, sl_guided_filter filter,
                     float *scratch, float *lines);

// Writes rows of the second step to the planes of `nodes`: the means of both planes over the same window.
void sl_mean_lines(const float *lines, sl_node_rows rows, sl_guided_filter filter, float *scratch,
                   float *nodes);

// The floats of `scratch` that the functions below need.
size_t sl_light_scratch(int32_t width, int32_t height);

// Writes the least value of the window of 2·radius + 1 nodes along both axes to `target`, which may be
// `source`.
void sl_least_light(const float *source, float *target, int32_t width, int32_t height, int32_t radius,
                    float *scratch);

// Writes half the sum of a plane blurred by two windows along both axes to `target`; their weights are those
// of the centre and of the nodes on one side. At the edges the weights are those of the nodes that are there.
void sl_scatter_light(const float *source, float *target, int32_t width, int32_t height,
                      const float *const windows[2], const int32_t reaches[2], float *scratch);

// Writes d/√(1 + (d/limit)²)·S(dark, lit, e), d = e - (a·e + b), for n nodes; S is 3w² - 2w³ of w = (e -
// dark) / (lit - dark), clipped to 0…1.
void sl_light_detail(const float *e, const float *a, const float *b, float limit, float dark, float lit,
                     float *target, size_t n);

// The most samples of a node of a proxy along either axis.
#define SL_SAMPLES_PER_NODE 4

// A row of nodes of a camera's picture. Channels are luma, Cb and Cr.
typedef struct {
  const uint8_t *rows[3][SL_SAMPLES_PER_NODE];  // of each channel, `row_count` rows
  const int32_t *columns[3];                    // bytes from a row's start, `columns_per_node` for each node
  int32_t row_count, columns_per_node;
  float matrix[9], offset[3];  // from codes of 0…255 to R'G'B'
} sl_camera_nodes;

// Writes the mean colours of n nodes, clipped to 0…1.
void sl_sample_camera_nodes(const sl_camera_nodes *nodes, float *r, float *g, float *b, size_t n);

#define SL_LIGHT_ROW_TERMS 6

// A field of encoded samples ahead of a table of 16-bit codes. `decode` holds for its samples of 0…1.
//   light  = sample <= decode.toe ? decode.slope·sample : Σ decode[i]·sample^i
//   out    = scale · the sample that the field makes, in 0…1
typedef struct {
  const sl_field *field;  // is_encoded
  float decode[SL_LIGHT_ROW_TERMS];
  float scale;
} sl_light_row;

// Multiplies the light of n pixels from column `x` of row `y` on, in place; within a code or two of 8 bits of
// sl_run_stages.
void sl_multiply_light(const sl_light_row *row, const sl_light_grid *grids, int32_t x, int32_t y, uint16_t *r,
                       uint16_t *g, uint16_t *b, size_t n);

#ifdef __cplusplus
}
#endif

#endif
