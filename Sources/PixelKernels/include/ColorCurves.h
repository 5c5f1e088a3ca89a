// Colour stages that are tables over light or hue, and gamuts, of `ColorStages.h`.
#ifndef SAFELIGHT_COLOR_CURVES_H
#define SAFELIGHT_COLOR_CURVES_H

#include "PixelFormats.h"

#ifdef __cplusplus
extern "C" {
#endif

// What curves of light act on; f is the curve, c a channel.
typedef enum {
  SL_CURVES_CHANNELS = 0,     // f of each channel
  SL_CURVES_HUE_KEEPING = 1,  // f(min) + (f(max) - f(min))·(c - min) / (max - min)
  SL_CURVES_LUMINANCE = 2     // f(0) + c·(f(Y) - f(0)) / Y,  Y = max(luminance·rgb, 1e-6)
} sl_curve_mode;

// A curve per channel, or one: `count` samples at (i / (count - 1))² over 0…1, interpolated linearly by i,
// and straight lines beyond: f(0) + below·x, f(1) + above·(x - 1).
typedef struct {
  const float *samples;  // 3 × count: red, green, blue; count of one curve
  int32_t count;
  sl_curve_mode mode;
  float below[3], above[3];
  float luminance[3];
} sl_light_curves;

// Changes of colours by their hue in OKLab, z = a + ib:
//   t     = p + 1 for a >= 0, else 3 - p,  p = b / (|a| + |b|), 0 of grey
//   up    = 1 + C²/(C² + fade)·(tables[0] + i·tables[1] + tables[2]/(1 + C²/vibrance))
//   gain  = 1 + tables[4]·C²/(C² + lightness)
//   L'    = gain·L,  z' = min(gain, 1)·tables[3]·up·z
// Each table has `count` + 1 entries over t in 0…4, interpolated linearly.
typedef struct {
  float to_lms[9], lab_from_roots[9], roots_from_lab[9], from_lms[9];
  const float *tables;
  int32_t count;
  float fade, vibrance, lightness;
} sl_hues;

// Colours with a channel above 1 brought below along lines of OKLab, linear in the cube roots of LMS:
//   d     = L - ½,  e = ½ + |d| + alpha·C,  grey = ½·(1 + sign(d)·2|d| / (e + √(e² - 2|d|)))
//   roots = grey + t·(roots - grey),  t the largest in 0…1 without a channel above 1, found by halving
// Channels below 0 and NaN count as 0; NaN stays NaN.
typedef struct {
  float to_lms[9], lab_from_roots[9], from_lms[9];
  float alpha;
  int32_t halvings;
} sl_gamut;

#ifdef __cplusplus
}
#endif

#endif
