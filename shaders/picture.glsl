// A pixel of the source, in RGB, at any place.
#include "numbers.glsl"
#include "formats.glsl"
#include "sampling.glsl"
#include "projected.glsl"
#include "ycbcr.glsl"

// Divides colours by alpha; pixels without coverage become black.
vec4 unpremultiplied(vec4 sum) {
  float alpha = clip(sum.a, 1.0);
  return vec4(alpha > 1e-6 ? sum.rgb / alpha : vec3(0), alpha);
}

// A pixel of weighted samples, of which `inside` is the part within the source.
vec4 pixelOf(vec4 sum, float inside) {
  vec4 pixel = HAS_ALPHA ? unpremultiplied(sum) : vec4(sum.rgb, 1);
  if (CLIPS) pixel = clamp(pixel, 0.0, 1.0);
  return vec4(pixel.rgb, pixel.a * inside);
}

vec4 pictureAt(Place at) {
  float inside = IS_OPEN ? coverage(at) : 1.0;
  if (inside == 0.0) return vec4(0);
  if (INPUT >= GRAY8) return vec4(cameraPixel(at), inside);

  ivec2 last = parameters.size - 1;
  if (SAMPLING == WHOLE) return loadRGBA(clamp(at.whole, ivec2(0), last));
  return pixelOf(window(COLOURS, last, uvec2(SAMPLING), ORDER, parameters.shear, at), inside);
}

// A pixel of the tile.
vec4 tilePixel(ivec2 at) {
  if (!PROJECTED) return pictureAt(placeOf(at));
  Projected pixel = projectedPlace(at);
  stored_place = placeAsStored(pixel.at);
  float inside = IS_OPEN ? coverage(pixel.at) : 1.0;
  return inside == 0.0 ? vec4(0) : pixelOf(wideWindow(pixel), inside);
}
