// Sampling through a projection. The pixel (x, y) of a tile shows
//
//     place   = place₀ + (x·column + y·row) / w,   w = 1 + fall · (x, y)
//     ∂x      = (column - fall.x·(place - place₀)) / w,   ∂y likewise with row and fall.y
//     covers  = (√(∂x.x² + ∂y.x²), √(∂x.y² + ∂y.y²)), 1…10
//
// with place₀, its derivatives `column` and `row`, and `fall`, the derivatives of w there, for the tile's first pixel. What
// it is made of is as wide as what it covers:
//
//     Σr K((r - py)/cy) · Σk K((k - px)/cx) · source(k, r),   the weights along each axis divided by their sum
//
// Source: Heckbert, "Fundamentals of texture mapping and image warping", 1989, sections 2.2 and 3.5.1.

// `Geometry.mostCoverage` in Swift.
const float MOST_COVERAGE = 10.0;
// The nodes of the kernel from one sample to the next.
const int KERNEL_STEPS = 256;
// The columns that are weighted at once, whose weights stay in registers: as many as a pixel has that covers one sample.
const int COLUMNS_AT_ONCE = SAMPLING == SHARP ? 6 : 2;

// The place of the current pixel in the picture as stored.
vec2 stored_place = vec2(0);

struct Projected {
  Place at;
  vec2 cover;
};

Projected projectedPlace(ivec2 at) {
  vec2 fall = intBitsToFloat(parameters.column);
  float w = 1.0 + dot(vec2(at), fall);
  vec2 moved = (float(at.x) * parameters.column_part + float(at.y) * parameters.row_part) / w;
  vec2 right = (parameters.column_part - fall.x * moved) / w, down = (parameters.row_part - fall.y * moved) / w;
  vec2 cover = vec2(length(vec2(right.x, down.x)), length(vec2(right.y, down.y)));
  return Projected(carried(parameters.place, parameters.place_part + moved), clamp(cover, 1.0, MOST_COVERAGE));
}

// Words: the kernel's first node; factors and offsets from places in the source to those in the picture as stored.
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

// The weighted samples that a pixel covers.
vec4 wideWindow(Projected pixel) {
  uint kernel = tables[tables[PROJECTION]];
  vec2 reach = float(SAMPLING == SHARP ? 3 : 1) * pixel.cover;
  ivec2 last_sample = parameters.size - 1;
  // Counted from the place's whole sample.
  ivec2 first = ivec2(ceil(pixel.at.part - reach)), last = ivec2(floor(pixel.at.part + reach));
  vec4 sum = vec4(0);
  vec2 weights = vec2(0);
  for (int begin = first.x; begin <= last.x; begin += COLUMNS_AT_ONCE) {
    float columns[6];
    [[unroll]] for (int k = 0; k < COLUMNS_AT_ONCE; k++) {
      float distance = (float(begin + k) - pixel.at.part.x) / pixel.cover.x;
      columns[k] = begin + k <= last.x ? kernelWeight(kernel, distance) : 0.0;
      weights.x += columns[k];
    }
    weights.y = 0.0;
    for (int row = first.y; row <= last.y; row++) {
      float weight = kernelWeight(kernel, (float(row) - pixel.at.part.y) / pixel.cover.y);
      weights.y += weight;
      vec4 line = vec4(0);
      [[unroll]] for (int k = 0; k < COLUMNS_AT_ONCE; k++) {
        // What lies further right may not be in the buffer.
        ivec2 place = pixel.at.whole + ivec2(min(begin + k, last.x), row);
        line += columns[k] * loadSample(COLOURS, clamp(place, ivec2(0), last_sample));
      }
      sum += weight * line;
    }
  }
  return sum / (weights.x * weights.y);
}
