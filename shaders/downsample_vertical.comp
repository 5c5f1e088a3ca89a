// The vertical pass: the downsampled picture from horizontally downsampled rows:
//
//     downsampled(x, y) = encode((Σk weight(y, k) · horizontal(x, first(y) + k)) / alpha)
//
// The stages are the encoding curve. Weights: `KaiserSinc`, stretched by the factor of the downsampling.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "parameters.glsl"
#include "picture.glsl"
#include "stages.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  if (at.x >= parameters.tile.x || at.y >= parameters.tile.y) return;
  // Taps are three words: the first sample, the number of samples, the start of their weights.
  uint taps = tables[ROW_TAPS] + 3 * (parameters.origin.y + at.y);
  uint first = tables[taps], count = tables[taps + 1], weights = tables[taps + 2];
  vec4 sum = vec4(0);
  for (uint k = 0; k < count; k++) {
    sum += tableFloat(weights + k) * loadRGBA(ivec2(parameters.origin.x + at.x, first + k));
  }
  vec4 pixel = HAS_ALPHA ? unpremultiplied(sum) : vec4(sum.rgb, 1);
  pixel.rgb = coloured(pixel.rgb);
  if (CLIPS) pixel = vec4(clip(pixel.rgb, 1.0), pixel.a);
  storePixel(at, pixel, 0.0);
}
