// The second pass of a noise reduction: coefficients weakened by those of the first pass's result, which is bound as
// light; then mixed with the samples by the strength, and from planes back to R'G'B'. Formulas: `denoise.glsl`.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "denoise.glsl"

shared float window_guides[WINDOW_SAMPLES];

// A plane of the first pass's result, which keeps its addresses where a target's second plane would have them.
float guideAt(ivec2 at, uint plane) {
  return light_nodes[parameters.chroma_word[0] + uint(at.y) * parameters.chroma_stride[0] + 4 * uint(at.x) + plane];
}

void runBlock(uint plane, ivec2 corner) {
  float gains[64];
  int first = (corner.y + HALO) * WINDOW_X + corner.x + HALO;
  [[unroll]] for (int k = 0; k < 64; k++) gains[k] = window_guides[first + k / 8 * WINDOW_X + k % 8];
  transformBlock(gains, false);
  float variance = tableFloat(planeWord(plane, VARIANCE)), kept = 1.0;
  gains[0] = 1.0;
  [[unroll]] for (int k = 1; k < 64; k++) {
    float power = gains[k] * gains[k];
    gains[k] = power / (power + variance);
    kept += gains[k] * gains[k];
  }
  float block[64];
  [[unroll]] for (int k = 0; k < 64; k++) block[k] = window_samples[first + k / 8 * WINDOW_X + k % 8];
  transformBlock(block, false);
  [[unroll]] for (int k = 0; k < 64; k++) block[k] *= gains[k];
  transformBlock(block, true);
  addBlock(corner, block, 1.0 / kept);
}

// A sample that is no picture is kept: NaN, and what is far outside 0…1.
float usableOr(float made, float sample_before) {
  return isNumber(sample_before) && sample_before >= -1.0 && sample_before <= 2.0 ? made : sample_before;
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
    float strength = tableFloat(planeWord(plane, STRENGTH));
    barrier();
    clearSums();
    [[unroll]] for (uint i = 0; i < LOADED; i++) {
      uint index = min(gl_LocalInvocationIndex + i * INVOCATIONS, WINDOW_SAMPLES - 1);
      window_samples[index] = loaded[i][plane];
      if (strength != 0.0) window_guides[index] = guideAt(windowPlace(index), plane);
    }
    barrier();
    ivec2 corner;
    if (strength != 0.0 && ownBlock(plane, corner)) runBlock(plane, corner);
    barrier();
    [[unroll]] for (uint own = 0; own < OWN; own++) {
      ivec2 at = ownPlace(own) - tile_first + HALO;
      float noisy = window_samples[at.y * WINDOW_X + at.x];
      made[own][plane] = strength != 0.0 ? noisy + strength * (ownSum(own) - noisy) : noisy;
    }
  }
  [[unroll]] for (uint own = 0; own < OWN; own++) {
    ivec2 at = ownPlace(own);
    if (!isInTile(at)) continue;
    vec4 pixel = pictureAt(Place(at, vec2(0)));
    vec3 rgb = samplesOf(made[own]);
    for (uint channel = 0; channel < 3; channel++) pixel[channel] = usableOr(rgb[channel], pixel[channel]);
    storePixel(uvec2(at) - parameters.origin, pixel, 0.0);
  }
}
