// A tile of the output in luma and colour differences, without a picture of RGB: as `frame.comp`, but a work group
// keeps the 8-bit colours of its pixels, of which it makes samples and stores whole words.
#version 460
#extension GL_GOOGLE_include_directive : require

// A group covers 32 × 8 pixels, or PASS_TILE, and what its colour differences depend on beside them.
layout(local_size_x = 256) in;

#include "parameters.glsl"
#include "picture.glsl"
#include "passes.glsl"
#include "stages.glsl"
#include "dither.glsl"

// Scalars, because drivers differ on constant vectors that depend on constants of the pipeline.
const uint TILE_X = IN_TWO_PASSES ? 16 : 32, TILE_Y = IN_TWO_PASSES ? 32 : 8;
const uint COLUMNS = TILE_X + HALO_X, PIXELS = COLUMNS * (TILE_Y + HALO_Y);
#include "planes.glsl"

// The colour that `frame.comp` would store as RGBA8.
void keep(uint index, ivec2 at, vec4 pixel) {
  float noise = DITHERS ? ditherThreshold(uvec2(ivec2(parameters.origin) + at)) : 0.0;
  colour_place = vec2(ivec2(parameters.origin) + at) + 0.5;
  vec3 rgb = coloured(pixel.rgb);
  colours[index] =
      quantized(rgb.r, 255.0, noise) | quantized(rgb.g, 255.0, noise) << 8 | quantized(rgb.b, 255.0, noise) << 16;
}

void main() {
  ivec2 begin = ivec2(gl_WorkGroupID.xy * uvec2(TILE_X, TILE_Y));
  ivec2 last = min(begin + ivec2(TILE_X, TILE_Y), ivec2(parameters.tile)) - 1;
  Group group;
  if (IN_TWO_PASSES) {
    group = groupOf(begin);
    makeLines(group);
    barrier();
  }
  for (uint index = gl_LocalInvocationIndex; index < PIXELS; index += gl_WorkGroupSize.x) {
    // Beyond the edges the nearest pixel counts.
    ivec2 at = begin - ivec2(HALO_X, HALO_Y) + ivec2(index % COLUMNS, index / COLUMNS);
    at = clamp(at, -ivec2(parameters.origin), last);
    keep(index, at, IN_TWO_PASSES ? crossLines(group, at) : tilePixel(at));
  }
  barrier();
  storePlanes(uvec2(begin), uvec2(last + 1 - begin));
}
