// A pixel of the source, in RGB, at any place.
#include "numbers.glsl"
#include "formats.glsl"
#include "sampling.glsl"
#include "ycbcr.glsl"

// Divides colours by alpha; pixels without coverage become black.
vec4 unpremultiplied(vec4 sum) {
  float alpha = clip(sum.a, 1.0);
  return vec4(alpha > 1e-6 ? sum.rgb / alpha : vec3(0), alpha);
}

vec4 pictureAt(Place at) {
  float inside = IS_OPEN ? coverage(at) : 1.0;
  if (inside == 0.0) return vec4(0);
  if (INPUT >= GRAY8) return vec4(cameraPixel(at), inside);

  ivec2 last = parameters.size - 1;
  if (SAMPLING == WHOLE) return loadRGBA(clamp(at.whole, ivec2(0), last));
  vec4 pixel = window(COLOURS, last, uvec2(SAMPLING), ORDER, parameters.shear, at);
  pixel = HAS_ALPHA ? unpremultiplied(pixel) : vec4(pixel.rgb, 1);
  if (CLIPS) pixel = clamp(pixel, 0.0, 1.0);
  return vec4(pixel.rgb, pixel.a * inside);
}
