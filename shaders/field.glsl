// Light multiplied by a gain for each pixel, and light added to it, both depending on its place and on the light around
// it.
//
//     out = 2^(local + texture + falloff + grain) * (f * c + (1 - f) * A + glow),  c linear RGB, or the light of encoded
//     samples: out = encode(… decode(c) …)

// The centre of the pixel that is coloured, in pixels of the target picture.
vec2 colour_place = vec2(0);

vec2 mapped(uint at, vec2 place) {
  return vec2(tableFloat(at) * place.x + tableFloat(at + 1) * place.y + tableFloat(at + 2),
              tableFloat(at + 3) * place.x + tableFloat(at + 4) * place.y + tableFloat(at + 5));
}

// Where what depends on the picture as it is stored, and masks, find the pixel: behind a projection, which is no map of
// six numbers, in that picture.
vec2 mapped(uint at) { return mapped(at, PROJECTED ? stored_place : colour_place); }

float smoothStep(float w) { return w * w * (3.0 - 2.0 * w); }

// MARK: Light that falls off
//
//     r     = (|u|^p + |v|^p)^(1/p),  (u, v) the place in the frame
//     stops * S(r),  S(r) = 3w^2 - 2w^3, w = clip((r - begin) * scale, 0, 1)
//
// Words: two rows of the map from pixels to (u, v); p, begin, scale, stops.
float falloffStops(uint at) {
  // Powers of zero are undefined in places.
  vec2 place = max(abs(mapped(at, colour_place)), 1e-12);
  float exponent = tableFloat(at + 6);
  float r = exponent == 2.0 ? length(place) : pow(pow(place.x, exponent) + pow(place.y, exponent), 1.0 / exponent);
  return tableFloat(at + 9) * smoothStep(clamp((r - tableFloat(at + 7)) * tableFloat(at + 8), 0.0, 1.0));
}

// MARK: Brightness
//
//     n = Σ|c|³ / Σ c²,  c = to_working * rgb
//     e = min(log2(n + floor) + bias, most)
//
// Words: three rows of the matrix; floor, bias, most.
float brightness(uint at, vec3 rgb) {
  // NaN is no light, and the cubes of larger values would be infinite.
  vec3 c = multiplied(at, rgb);
  c = min(abs(vec3(isNumber(c.r) ? c.r : 0.0, isNumber(c.g) ? c.g : 0.0, isNumber(c.b) ? c.b : 0.0)), 1e6);
  float squares = dot(c, c);
  float norm = squares > 1e-22 ? dot(c * c, c) / squares : 0.0;
  return min(log2(norm + tableFloat(at + 9)) + tableFloat(at + 10), tableFloat(at + 11));
}

// MARK: Local tone
//
//     base   = a * e + b,  detail = e - (c * e + d)            a, b, c, d between the four nodes around the pixel
//     stops  = regions(base) + clarity * detail / sqrt(1 + detail²)
//     region = amount * S(u * rise) * (1 - part * S(u * fall - from)),  u the distance from middle grey
//
// Words: those of brightness; amount, rise, fall, from and part of bright regions and of dark ones; those of white, its
// amount, rise and from; clarity; two rows of the map from pixels to nodes; the nodes along both axes; the first float of
// the grid; what is added to base ahead of its region.
float regionStops(uint at, float distance) {
  float rising = smoothStep(clamp(distance * tableFloat(at + 1), 0.0, 1.0));
  float falling = smoothStep(clamp(distance * tableFloat(at + 2) - tableFloat(at + 3), 0.0, 1.0));
  return tableFloat(at) * rising * (1.0 - tableFloat(at + 4) * falling);
}

vec4 lightNode(uint first, uvec2 size, uvec2 at) {
  uint count = size.x * size.y, index = first + at.y * size.x + at.x;
  return vec4(light_nodes[index], light_nodes[index + count], light_nodes[index + 2 * count],
              light_nodes[index + 3 * count]);
}

float localStops(uint at, vec3 rgb) {
  float e = brightness(at, rgb);
  uvec2 size = uvec2(tables[at + 32], tables[at + 33]);
  uint first = tables[at + 34];
  vec2 place = clamp(mapped(at + 26), vec2(0), vec2(size - 1));
  uvec2 low = min(uvec2(place), uvec2(max(ivec2(size) - 2, 0)));
  uvec2 high = min(low + 1, size - 1);
  vec2 part = place - vec2(low);
  vec4 node = mix(mix(lightNode(first, size, low), lightNode(first, size, uvec2(high.x, low.y)), part.x),
                  mix(lightNode(first, size, uvec2(low.x, high.y)), lightNode(first, size, high), part.x), part.y);
  float base = node.x * e + node.y, detail = e - (node.z * e + node.w);

  base += tableFloat(at + 35);
  float stops = regionStops(base > 0.0 ? at + 12 : at + 17, abs(base));
  stops += tableFloat(at + 22) * smoothStep(clamp(base * tableFloat(at + 23) - tableFloat(at + 24), 0.0, 1.0));
  return stops + tableFloat(at + 25) * detail * inversesqrt(1.0 + detail * detail);
}

// MARK: Grain
//
//     density = e * density_scale + density_bias
//     stops   = strength * (sum of both tiles) * sqrt(max(0, density * (first + second * density)))
//
// Words: those of brightness; density_scale, density_bias, first, second, strength; for each tile the start of its samples, four
// a word, its period, stride, column and row.
//
// The first float of the grids is the piece of film that a frame shows: tiles are moved by its columns and rows.
int grainSample(uint at) {
  uint period = tables[at + 1], film = uint(light_nodes[0]);
  uvec2 moved = uvec2(tables[at + 3], tables[at + 4]) + uvec2(film % period, film / period % period);
  uvec2 place = (uvec2(colour_place) + moved) % period;
  uint index = place.y * tables[at + 2] + place.x;
  return bitfieldExtract(int(tables[tables[at] + index / 4]), int(8 * (index % 4)), 8);
}

float grainStops(uint at, vec3 rgb) {
  float density = brightness(at, rgb) * tableFloat(at + 12) + tableFloat(at + 13);
  float spread = max(0.0, density * (tableFloat(at + 14) + tableFloat(at + 15) * density));
  return tableFloat(at + 16) * float(grainSample(at + 17) + grainSample(at + 22)) * sqrt(spread);
}

// MARK: The stored picture: haze, scattered light, texture
//
// Words: whether there is haze, and whether it is removed; three rows of the matrix to channels; share, base and least
// of haze; the factors of scattered light and of texture; two rows of the map from pixels to nodes, and the nodes along
// both axes, of the coarse grid and of the fine one; the first floats of haze, scattered light, texture and ambient light.

// One number between the four nodes around a place.
float betweenNodes(uint first, uvec2 size, vec2 at) {
  vec2 place = clamp(at, vec2(0), vec2(size - 1));
  uvec2 low = min(uvec2(place), uvec2(max(ivec2(size) - 2, 0)));
  uvec2 high = min(low + 1, size - 1);
  vec2 part = place - vec2(low);
  uint top = first + low.y * size.x, bottom = first + high.y * size.x;
  return mix(mix(light_nodes[top + low.x], light_nodes[top + high.x], part.x),
             mix(light_nodes[bottom + low.x], light_nodes[bottom + high.x], part.x), part.y);
}

float textureStops(uint at) {
  if (tableFloat(at + 15) == 0.0) return 0.0;
  return tableFloat(at + 15) *
         betweenNodes(tables[at + 34], uvec2(tables[at + 30], tables[at + 31]), mapped(at + 24));
}

// The weights of four nodes of a cubic B-spline.
vec4 splineWeights(float t) {
  float u = 1.0 - t;
  return vec4(u * u * u, 3.0 * t * t * (t - 2.0) + 4.0, 3.0 * u * u * (u - 2.0) + 4.0, t * t * t) / 6.0;
}

// The light that scatters to the pixel.
vec3 glowAround(uint first, uvec2 size, vec2 at) {
  vec2 place = clamp(at, vec2(0), vec2(size - 1));
  ivec2 low = ivec2(place);
  vec4 across = splineWeights(place.x - float(low.x)), down = splineWeights(place.y - float(low.y));
  uint count = size.x * size.y;
  vec3 sum = vec3(0);
  for (int row = 0; row < 4; row++) {
    uint y = uint(clamp(low.y + row - 1, 0, int(size.y) - 1));
    for (int column = 0; column < 4; column++) {
      uint node = first + y * size.x + uint(clamp(low.x + column - 1, 0, int(size.x) - 1));
      sum += down[row] * across[column] *
             vec3(light_nodes[node], light_nodes[node + count], light_nodes[node + 2 * count]);
    }
  }
  return sum;
}

// Light without its haze, or with more:
//     m = clip(min over channels of c / A, 0, 1),  v = clip(a * m + b, 0, m)
//     t = max(1 - found * (share * v + base), least),  f = 1 / t, or t where haze is put in
//
// `found` is whether there is haze to remove, or light to make haze of, 0…1.
float hazePart(uint at) { return light_nodes[tables[at + 35] + 6 + tables[at + 1]]; }

// m
float veilLimit(uint at, vec3 rgb) {
  uint ambient = tables[at + 35];
  vec3 c = multiplied(at + 2, rgb);
  c = vec3(isNumber(c.r) ? c.r : 0.0, isNumber(c.g) ? c.g : 0.0, isNumber(c.b) ? c.b : 0.0);
  c *= vec3(light_nodes[ambient], light_nodes[ambient + 1], light_nodes[ambient + 2]);
  return clamp(min(c.r, min(c.g, c.b)), 0.0, 1.0);
}

// Where v is found from m and is at most `most`, and A is `scale` times as bright.
vec3 unveiled(uint at, uvec2 size, vec2 place, float m, float most, float scale, vec3 rgb) {
  uint ambient = tables[at + 35], first = tables[at + 32];
  float a = betweenNodes(first, size, place), b = betweenNodes(first + size.x * size.y, size, place);
  float v = clamp(a * m + b, 0.0, most);
  float t = max(1.0 - hazePart(at) * (tableFloat(at + 11) * v + tableFloat(at + 12)), tableFloat(at + 13));
  float f = tables[at + 1] != 0 ? 1.0 / t : t;
  vec3 light = vec3(light_nodes[ambient + 3], light_nodes[ambient + 4], light_nodes[ambient + 5]);
  return f * rgb + (1.0 - f) * scale * light;
}

vec3 withSurroundings(uint at, vec3 rgb) {
  uvec2 size = uvec2(tables[at + 22], tables[at + 23]);
  vec2 place = mapped(at + 16);
  vec3 light = rgb;
  if (tables[at] != 0 && hazePart(at) != 0.0) {
    float m = veilLimit(at, rgb);
    light = unveiled(at, size, place, m, m, 1.0, rgb);
  }
  float strength = tableFloat(at + 14);
  return strength == 0.0 ? light : light + strength * glowAround(tables[at + 33], size, place);
}

// MARK: All of them

// Words: where the numbers are, and those of the stored picture; 0 without. At the first: whether there are local tone
// and a falloff, and whether samples are encoded; where the grain is, or 0; the falloff; the curves of decoding and
// encoding as in curve.glsl; local tone.
vec3 inField(uint slot, vec3 rgb) {
  uint at = tables[slot], around = tables[slot + 1];
  bool is_encoded = tables[at + 2] != 0;
  vec3 light = is_encoded ? parametric(at + 14, rgb) : rgb;
  float stops = 0.0;
  if (tables[at] != 0) stops += localStops(at + 28, light);
  if (tables[at + 1] != 0) stops += falloffStops(at + 4);
  if (tables[at + 3] != 0) stops += grainStops(tables[at + 3], light);
  if (around != 0) {
    stops += textureStops(around);
    light = withSurroundings(around, light);
  }
  light *= exp2(stops);
  return is_encoded ? parametric(at + 21, light) : light;
}
