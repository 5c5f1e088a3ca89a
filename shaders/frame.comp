// A tile of the output: every pixel is sampled as the plan's geometry says, converted from camera samples,
// coloured, dithered and stored.
#version 460
#extension GL_GOOGLE_include_directive : require

// A group covers 32 × 8 pixels, one per invocation, or PASS_TILE, two per invocation.
layout(local_size_x = 256) in;

#include "parameters.glsl"
#include "picture.glsl"
#include "passes.glsl"
#include "stages.glsl"
#include "dither.glsl"

void store(uvec2 at, vec4 pixel) {
  float noise = DITHERS ? ditherThreshold(parameters.origin + at) : 0.0;
  colour_place = vec2(parameters.origin + at) + 0.5;
  storePixel(at, vec4(coloured(pixel.rgb), pixel.a), noise);
}

void main() {
  uint index = gl_LocalInvocationIndex;
  if (IN_TWO_PASSES) {
    Group group = groupOf(ivec2(gl_WorkGroupID.xy * PASS_TILE));
    makeLines(group);
    barrier();
    for (uint row = index / PASS_TILE.x; row < PASS_TILE.y; row += gl_WorkGroupSize.x / PASS_TILE.x) {
      ivec2 at = group.first + ivec2(index % PASS_TILE.x, row);
      if (at.x <= group.last.x && at.y <= group.last.y) store(uvec2(at), crossLines(group, at));
    }
  } else {
    uvec2 at = gl_WorkGroupID.xy * uvec2(32, 8) + uvec2(index % 32, index / 32);
    if (at.x < parameters.tile.x && at.y < parameters.tile.y) store(at, tilePixel(ivec2(at)));
  }
}
