// A tile of the output: every pixel is sampled where the plan's geometry says, converted from the camera's samples,
// coloured, dithered and stored.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "parameters.glsl"
#include "picture.glsl"
#include "stages.glsl"
#include "dither.glsl"

layout(local_size_x = 32, local_size_y = 8) in;

void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  if (at.x >= parameters.tile.x || at.y >= parameters.tile.y) return;
  vec4 pixel = pictureAt(placeOf(at));
  float noise = DITHERS ? ditherThreshold(parameters.origin + at) : 0.0;
  storePixel(at, vec4(coloured(pixel.rgb), pixel.a), noise);
}
