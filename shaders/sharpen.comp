// Sharpens a tile of the output, behind `frame.comp`, which left its pixels and those around them in a picture in
// between:
//
//     Y   = clip(luma · rgb, 0, 1)
//     d   = Y - G(Y),  e = √max(0, G(Y²) - G(Y)²)
//     out = rgb + Σ gain · d / (1 + (|d| / limit)³) · S(e)
//
// with a sum over windows G, weighted by alpha; `Sharpening` in Swift has the formulas and their sources. A window is
// separable: a work group keeps the sums along rows, of its pixels' columns, in shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require

// A group covers 32 × 8 pixels, and what its colour differences depend on beside them.
layout(local_size_x = 256) in;

#include "parameters.glsl"
#include "numbers.glsl"
#include "formats.glsl"
#include "dither.glsl"

// The columns and rows before a group's pixels on which colour differences of the target depend.
const uint HALO_X = REACH & 1, HALO_Y = REACH >> 1;
const uint COLUMNS = 32 + HALO_X, PIXELS = COLUMNS * (8 + HALO_Y);
#include "planes.glsl"

// `SharpeningWords` in Swift: the number of windows, the luma weights, then the words of each window.
const uint LUMA_WEIGHTS = 1, WINDOWS = 4, WINDOW_WORDS = 7;
// The most pixels on each side of a window.
const uint MOST_REACH = 18;
// Sums of what windows weight.
const uint LUMA_SUM = 0, SQUARES_SUM = 1, ALPHA_SUM = 2;
shared float line_sums[33 * (9 + 2 * MOST_REACH)];

// The pixels of an invocation.
const uint OWN = 2;

ivec2 group_first, group_last;

vec4 pixelAt(ivec2 at) { return loadRGBA(clamp(at, ivec2(0), parameters.size - 1)); }

float lumaOf(vec4 pixel) {
  uint weights = tables[SHARPENING] + LUMA_WEIGHTS;
  return clip(
      tableFloat(weights) * pixel.r + tableFloat(weights + 1) * pixel.g + tableFloat(weights + 2) * pixel.b, 1.0);
}

// What a pixel adds to a sum, before its weight in the window.
float sampleOf(uint sum, vec4 pixel) {
  float alpha = HAS_ALPHA ? clip(pixel.a, 1.0) : 1.0;
  if (sum == ALPHA_SUM) return alpha;
  float luma = lumaOf(pixel);
  return alpha * (sum == SQUARES_SUM ? luma * luma : luma);
}

// The place in the picture of an invocation's pixel; beyond the edges of the tile the nearest one.
ivec2 placeOfPixel(uint index) {
  return clamp(group_first + ivec2(index % COLUMNS, index / COLUMNS), ivec2(0), group_last);
}

// Sums along rows, for every column of the group and every row that its windows reach.
void sumRows(uint sum, int reach, uint weights) {
  uint count = COLUMNS * (8 + HALO_Y + 2 * uint(reach));
  for (uint index = gl_LocalInvocationIndex; index < count; index += gl_WorkGroupSize.x) {
    ivec2 at = group_first + ivec2(index % COLUMNS, int(index / COLUMNS) - reach);
    // What lies further right or down may not be in the buffer, and no pixel of the tile needs it.
    at = min(at, group_last + ivec2(0, reach));
    at.x = max(at.x, 0);
    float total = tableFloat(weights) * sampleOf(sum, pixelAt(at));
    for (int k = 1; k <= reach; k++) {
      float both = sampleOf(sum, pixelAt(at - ivec2(k, 0))) + sampleOf(sum, pixelAt(at + ivec2(k, 0)));
      total += tableFloat(weights + k) * both;
    }
    line_sums[index] = total;
  }
}

// The sum over the window of a pixel.
float windowSum(ivec2 at, int reach, uint weights) {
  ivec2 place = at - group_first;
  uint middle = uint(place.y + reach) * COLUMNS + uint(place.x);
  float total = tableFloat(weights) * line_sums[middle];
  for (int k = 1; k <= reach; k++) {
    total += tableFloat(weights + k) * (line_sums[middle - k * COLUMNS] + line_sums[middle + k * COLUMNS]);
  }
  return total;
}

// What a window of the given sums adds to a pixel of luma `own`.
float added(uint words, float own, float sums[3]) {
  float alpha = HAS_ALPHA ? sums[ALPHA_SUM] : 1.0;
  if (!(alpha > 1e-6)) return 0.0;
  float mean = sums[LUMA_SUM] / alpha, difference = own - mean;
  float t = abs(difference) * tableFloat(words + 3);
  float value = tableFloat(words + (difference < 0.0 ? 2 : 1)) * difference / (1.0 + t * t * t);
  float scale = tableFloat(words + 5);
  if (scale > 0.0) {
    float edge = sqrt(max(sums[SQUARES_SUM] / alpha - mean * mean, 0.0));
    float w = clamp((edge - tableFloat(words + 4)) * scale, 0.0, 1.0);
    value *= w * w * (3.0 - 2.0 * w);
  }
  return value;
}

void main() {
  ivec2 begin = ivec2(parameters.origin) + ivec2(gl_WorkGroupID.xy * uvec2(32, 8));
  group_first = begin - ivec2(HALO_X, HALO_Y);
  group_last = min(begin + ivec2(32, 8), ivec2(parameters.origin + parameters.tile)) - 1;

  float sum[OWN] = float[](0.0, 0.0);
  uint list = tables[SHARPENING], windows = tables[list];
  for (uint window = 0; window < windows; window++) {
    uint words = list + WINDOWS + window * WINDOW_WORDS;
    int reach = int(tables[words]);
    uint weights = tables[words + 6];
    float sums[OWN][3];
    for (uint kind = 0; kind < 3; kind++) {
      if (kind == SQUARES_SUM && tableFloat(words + 5) == 0.0) continue;
      if (kind == ALPHA_SUM && !HAS_ALPHA) continue;
      barrier();
      sumRows(kind, reach, weights);
      barrier();
      for (uint own = 0; own < OWN; own++) {
        uint index = gl_LocalInvocationIndex + own * gl_WorkGroupSize.x;
        if (index < PIXELS) sums[own][kind] = windowSum(placeOfPixel(index), reach, weights);
      }
    }
    for (uint own = 0; own < OWN; own++) {
      uint index = gl_LocalInvocationIndex + own * gl_WorkGroupSize.x;
      if (index < PIXELS) sum[own] += added(words, lumaOf(pixelAt(placeOfPixel(index))), sums[own]);
    }
  }

  for (uint own = 0; own < OWN; own++) {
    uint index = gl_LocalInvocationIndex + own * gl_WorkGroupSize.x;
    if (index >= PIXELS) continue;
    ivec2 at = placeOfPixel(index);
    vec4 pixel = pixelAt(at);
    pixel.rgb += sum[own];
    float noise = DITHERS ? ditherThreshold(uvec2(at)) : 0.0;
    if (OUTPUT >= GRAY8) {
      colours[index] = quantized(pixel.r, 255.0, noise) | quantized(pixel.g, 255.0, noise) << 8 |
                       quantized(pixel.b, 255.0, noise) << 16;
    } else if (at == group_first + ivec2(index % COLUMNS, index / COLUMNS)) {
      storePixel(uvec2(at) - parameters.origin, pixel, noise);
    }
  }
  if (OUTPUT < GRAY8) return;
  barrier();
  storePlanes(uvec2(begin) - parameters.origin, uvec2(group_last + 1 - begin));
}
