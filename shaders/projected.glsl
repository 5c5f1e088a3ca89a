// Sampling through a projection, a lens, or both. The pixel (x, y) of a tile shows
//
//     place   = place₀ + (x·column + y·row) / w,   w = 1 + fall · (x, y)
//     ∂x      = (column - fall.x·(place - place₀)) / w,   ∂y likewise with row and fall.y
//     covers  = (√(∂x.x² + ∂y.x²), √(∂x.y² + ∂y.y²)), 1…10
//
// with place₀, its derivatives `column` and `row`, and `fall`, the derivatives of w there, for the tile's first pixel. A lens
// moves the place once more, and with it the derivatives: with q the place in the lens's plane and r = |q|,
//
//     q' = q·f(r),   f = k₀ + k₁·r + … + k₄·r⁴;   beyond a limit f = slope + rest / r
//
// What it is made of is as wide as what it covers, and sheared along the output's columns if rows come first:
//
//     Σr K((r - py)/cy) · Σk K((k - px - (r - py)·s)/cx) · source(k, r),   s = ∂y.x / ∂y.y
//
// the weights of each sum divided by theirs; likewise with columns first.
//
// Source: Heckbert, "Fundamentals of texture mapping and image warping", 1989, sections 2.2 and 3.5.1.

// `Geometry.mostCoverage` in Swift.
const float MOST_COVERAGE = 10.0;
// The nodes of the kernel from one sample to the next.
const int KERNEL_STEPS = 256;
// The samples that are weighted at once: as many as a pixel has that covers one.
const int AT_ONCE = SAMPLING == SHARP ? 6 : 2;

// The place of the current pixel in the picture as stored.
vec2 stored_place = vec2(0);

struct Projected {
  Place at;
  vec2 cover;
  // Samples along a line from one line to the next, in two passes.
  float shear;
};

// Moves the place in the picture, `moved` from the tile's first one, and its derivatives as a lens did. Words: two rows of
// the map to the lens's plane, two rows of two from there, k₀…k₄, limit, slope, rest.
void throughLens(uint lens, inout vec2 moved, inout vec2 right, inout vec2 down) {
  mat2 to = mat2(tableFloat(lens), tableFloat(lens + 3), tableFloat(lens + 1), tableFloat(lens + 4));
  mat2 from = mat2(tableFloat(lens + 6), tableFloat(lens + 8), tableFloat(lens + 7), tableFloat(lens + 9));
  vec2 place = vec2(parameters.place) + parameters.place_part + moved + 0.5;
  vec2 q = to * place + vec2(tableFloat(lens + 2), tableFloat(lens + 5));
  float r = length(q), factor, change;
  if (r <= tableFloat(lens + 15)) {
    float k1 = tableFloat(lens + 11), k2 = tableFloat(lens + 12), k3 = tableFloat(lens + 13), k4 = tableFloat(lens + 14);
    factor = tableFloat(lens + 10) + r * (k1 + r * (k2 + r * (k3 + r * k4)));
    change = k1 + r * (2.0 * k2 + r * (3.0 * k3 + r * 4.0 * k4));
  } else {
    factor = tableFloat(lens + 16) + tableFloat(lens + 17) / r;
    change = -tableFloat(lens + 17) / (r * r);
  }
  // By how much it moves, which is little: a place itself has too many digits.
  moved += from * ((factor - 1.0) * q);
  vec2 along = r > 0.0 ? change / r * q : vec2(0);
  vec2 u = to * right, v = to * down;
  right = from * (factor * u + along * dot(q, u));
  down = from * (factor * v + along * dot(q, v));
}

Projected projectedPlace(ivec2 at) {
  vec2 fall = intBitsToFloat(parameters.column);
  float w = 1.0 + dot(vec2(at), fall);
  vec2 moved = (float(at.x) * parameters.column_part + float(at.y) * parameters.row_part) / w;
  vec2 right = (parameters.column_part - fall.x * moved) / w, down = (parameters.row_part - fall.y * moved) / w;
  uint lens = tables[tables[PROJECTION] + 5];
  if (lens != 0) throughLens(lens, moved, right, down);
  vec2 cover = vec2(length(vec2(right.x, down.x)), length(vec2(right.y, down.y)));
  float shear = ORDER == ROWS_FIRST ? down.x / down.y : ORDER == COLUMNS_FIRST ? down.y / down.x : 0.0;
  return Projected(carried(parameters.place, parameters.place_part + moved), clamp(cover, 1.0, MOST_COVERAGE), shear);
}

// Words: the kernel's first node; factors and offsets from places in the source to those in the picture as stored; where
// the numbers of a lens are, or 0.
vec2 placeAsStored(Place at) {
  uint words = tables[PROJECTION];
  vec2 place = vec2(at.whole) + at.part + 0.5;
  return place * vec2(tableFloat(words + 1), tableFloat(words + 2)) +
         vec2(tableFloat(words + 3), tableFloat(words + 4));
}

// The weight of a sample at a distance, before weights are divided by their sum.
float kernelWeight(uint kernel, float distance) {
  int last = (SAMPLING == SHARP ? 3 : 1) * KERNEL_STEPS;
  float place = min(abs(distance) * float(KERNEL_STEPS), float(last));
  int node = min(int(place), last - 1);
  uint at = kernel + uint(node);
  return mix(tableFloat(at), tableFloat(at + 1), place - float(node));
}

// The samples along a line around a place, as far as `reach`, weighted.
vec4 weighedLine(uint kernel, ivec2 whole, float place, float cover, int line) {
  bool turned = ORDER == COLUMNS_FIRST;
  float reach = float(SAMPLING == SHARP ? 3 : 1) * cover;
  int last = int(floor(place + reach));
  ivec2 last_sample = parameters.size - 1;
  vec4 sum = vec4(0);
  float weights = 0.0;
  for (int begin = int(ceil(place - reach)); begin <= last; begin += AT_ONCE) {
    [[unroll]] for (int k = 0; k < AT_ONCE; k++) {
      // What lies further along may not be in the buffer.
      int at = min(begin + k, last);
      float weight = begin + k <= last ? kernelWeight(kernel, (float(at) - place) / cover) : 0.0;
      ivec2 sampled = whole + (turned ? ivec2(line, at) : ivec2(at, line));
      sum += weight * loadSample(COLOURS, clamp(sampled, ivec2(0), last_sample));
      weights += weight;
    }
  }
  return sum / weights;
}

// The weighted samples that a pixel covers: along lines, which are columns if these come first, and then across.
vec4 wideWindow(Projected pixel) {
  uint kernel = tables[tables[PROJECTION]];
  bool turned = ORDER == COLUMNS_FIRST;
  // Along lines, and across them; counted from the place's whole sample.
  vec2 place = turned ? pixel.at.part.yx : pixel.at.part, cover = turned ? pixel.cover.yx : pixel.cover;
  float reach = float(SAMPLING == SHARP ? 3 : 1) * cover.y;
  vec4 sum = vec4(0);
  float weights = 0.0;
  for (int line = int(ceil(place.y - reach)); line <= int(floor(place.y + reach)); line++) {
    float away = float(line) - place.y;
    float weight = kernelWeight(kernel, away / cover.y);
    sum += weight * weighedLine(kernel, pixel.at.whole, place.x + away * pixel.shear, cover.x, line);
    weights += weight;
  }
  return sum / weights;
}
