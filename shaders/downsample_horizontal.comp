// The horizontal pass: rows of the source, each downsampled to the width of the downsampled picture:
//
//     horizontal(x, y) = Σk weight(x, k) · decode(source(first(x) + k, y)) · alpha
//
// in linear light if the downsampling requires it. The stages are the decoding curve. A work group makes a part of
// one row: it decodes the source's pixels once, in chunks, and each invocation weights those that it needs.
// Weights: `KaiserSinc`, stretched by the factor of the downsampling.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "parameters.glsl"
#include "picture.glsl"
#include "stages.glsl"

const uint GROUP = 128, CHUNK = 512;
layout(local_size_x = GROUP, local_size_y = 1) in;

shared vec4 chunk[CHUNK];

vec4 lightOf(ivec2 at) {
  vec4 pixel = pictureAt(Place(at, vec2(0)));
  vec3 light = coloured(pixel.rgb);
  return vec4(HAS_ALPHA ? light * pixel.a : light, HAS_ALPHA ? pixel.a : 1);
}

void main() {
  uint x = gl_GlobalInvocationID.x, y = gl_WorkGroupID.y;
  // Taps are three words: the first sample, the number of samples, the start of their weights. Both ends rise with
  // x.
  uint list = tables[COLUMN_TAPS] + 3 * parameters.origin.x;
  uint first_column = gl_WorkGroupID.x * GROUP, last_column = min(first_column + GROUP, parameters.tile.x) - 1;
  uint begin = tables[list + 3 * first_column];
  uint end = tables[list + 3 * last_column] + tables[list + 3 * last_column + 1];

  bool writes = x < parameters.tile.x;
  uint taps = list + 3 * min(x, last_column);
  uint first = tables[taps], weights = tables[taps + 2];
  uint past = writes ? first + tables[taps + 1] : first;

  vec4 sum = vec4(0);
  for (uint start = begin; start < end; start += CHUNK) {
    for (uint i = gl_LocalInvocationIndex; i < CHUNK && start + i < end; i += GROUP) {
      chunk[i] = lightOf(ivec2(start + i, parameters.origin.y + y));
    }
    barrier();
    uint stop = min(past, start + CHUNK);
    for (uint k = max(first, start); k < stop; k++) sum += tableFloat(weights + k - first) * chunk[k - start];
    barrier();
  }
  if (writes) storePixel(uvec2(x, y), sum, 0.0);
}
