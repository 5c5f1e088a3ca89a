// The first pass of a noise reduction: a tile of the source in three planes, without coefficients that are likely noise.
// It guides the second pass, `denoise.comp`. Formulas: `denoise.glsl`.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "denoise.glsl"

void runBlock(uint plane, ivec2 corner) {
  float block[64];
  int first = (corner.y + HALO) * WINDOW_X + corner.x + HALO;
  [[unroll]] for (int k = 0; k < 64; k++) block[k] = window_samples[first + k / 8 * WINDOW_X + k % 8];
  transformBlock(block, false);
  float slope = tableFloat(planeWord(plane, SLOPE)), begin = number(RAMP_BEGIN), kept = 1.0;
  [[unroll]] for (int k = 1; k < 64; k++) {
    float gain = clamp(abs(block[k]) * slope - begin, 0.0, 1.0);
    block[k] *= gain;
    kept += gain * gain;
  }
  transformBlock(block, true);
  addBlock(corner, block, 1.0 / kept);
}

void main() {
  beginTile();
  vec3 loaded[LOADED], made[OWN];
  [[unroll]] for (uint i = 0; i < LOADED; i++) {
    uint index = min(gl_LocalInvocationIndex + i * INVOCATIONS, WINDOW_SAMPLES - 1);
    loaded[i] = planesOf(pictureAt(Place(windowPlace(index), vec2(0))).rgb);
  }
  [[unroll]] for (uint own = 0; own < OWN; own++) made[own] = vec3(0);
  for (uint plane = 0; plane < 3; plane++) {
    if (tableFloat(planeWord(plane, STRENGTH)) == 0.0) continue;
    barrier();
    clearSums();
    [[unroll]] for (uint i = 0; i < LOADED; i++) {
      uint index = min(gl_LocalInvocationIndex + i * INVOCATIONS, WINDOW_SAMPLES - 1);
      window_samples[index] = loaded[i][plane];
    }
    barrier();
    ivec2 corner;
    if (ownBlock(plane, corner)) runBlock(plane, corner);
    barrier();
    [[unroll]] for (uint own = 0; own < OWN; own++) made[own][plane] = ownSum(own);
  }
  [[unroll]] for (uint own = 0; own < OWN; own++) {
    ivec2 at = ownPlace(own);
    if (isInTile(at)) storePixel(uvec2(at) - parameters.origin, vec4(made[own], 0), 0.0);
  }
}
