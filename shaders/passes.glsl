// Sharp sampling in two passes, for maps with little rotation: the value of a source line where an output column
// crosses it is the same for all pixels of that column, so a work group computes it once.
//
//     line(i, r)  = Σk K(k - X(i, r)) · source(k, r),     X(i, r) = px(i, j) + (r - py(i, j))·s for any j
//     pixel(i, j) = Σr K(r - py(i, j)) · line(i, r)
//
// This is equivalent to ROWS_FIRST, with about 14 weighted samples per pixel instead of 36; COLUMNS_FIRST is the
// same with the axes of the source exchanged.
// Source: Catmull, Smith, "3-D transformations of images in scanline order", SIGGRAPH 1980.

// A group's pixels: taller than wide, because lines are shared along columns.
const uvec2 PASS_TILE = uvec2(16, 32);
// The columns and rows before them on which colour differences of the target depend.
const uint HALO_X = REACH & 1, HALO_Y = REACH >> 1;
const uint PASS_COLUMNS = 16 + HALO_X;
// An output step is at most about one sample, so a group spans √(16² + 32²) lines plus those of the kernel.
const uint LINES = 44 + HALO_X + HALO_Y;
shared float lines[IN_TWO_PASSES ? 3 * LINES * PASS_COLUMNS : 1];

uint lineIndex(uint channel, uint line, uint column) { return (channel * LINES + line) * PASS_COLUMNS + column; }

// Swaps axes so that x is along lines.
ivec2 alongLines(ivec2 v) { return ORDER == COLUMNS_FIRST ? v.yx : v; }
vec2 alongLines(vec2 v) { return ORDER == COLUMNS_FIRST ? v.yx : v; }
Place alongLines(Place at) { return Place(alongLines(at.whole), alongLines(at.part)); }

// The place of a pixel of the tile among the samples of a plane, along lines.
Place planePlace(uint plane, ivec2 at) {
  Place place = placeOf(at);
  if (plane == CHROMA) place = chromaPlace(place);
  return alongLines(place);
}

// The lines of a plane that a group's pixels need, starting at `first`.
struct Lines {
  int first, count;
};

// A work group's pixels, from `first` to `last` of the tile, and its lines of colours or luma, and of chroma.
struct Group {
  ivec2 first, last;
  Lines main, chroma;
};

Lines linesOf(uint plane, ivec2 first, ivec2 last) {
  int a = planePlace(plane, first).whole.y, b = planePlace(plane, ivec2(last.x, first.y)).whole.y;
  int c = planePlace(plane, ivec2(first.x, last.y)).whole.y, d = planePlace(plane, last).whole.y;
  int begin = min(min(a, b), min(c, d)) - tapsBefore(SHARP);
  return Lines(begin, min(max(max(a, b), max(c, d)) + 4 - begin, int(LINES)));
}

// The group whose tile begins at `begin`, and what is before it in the picture as far as the halo reaches.
Group groupOf(ivec2 begin) {
  ivec2 first = max(begin - ivec2(HALO_X, HALO_Y), -ivec2(parameters.origin));
  ivec2 last = min(begin + ivec2(PASS_TILE), ivec2(parameters.tile)) - 1;
  if (INPUT < GRAY8) return Group(first, last, linesOf(COLOURS, first, last), Lines(0, 0));
  Lines luma = linesOf(LUMA, first, last);
  return Group(first, last, luma, INPUT == GRAY8 ? Lines(0, 0) : linesOf(CHROMA, first, last));
}

// MARK: First pass

// Computes lines of a plane, whose `channels` components are stored from `into` on.
void makeLines(Group group, Lines needed, uint plane, uint channels, uint into, ivec2 last_sample, float shear) {
  for (uint i = gl_LocalInvocationIndex; i < uint(needed.count) * PASS_COLUMNS; i += gl_WorkGroupSize.x) {
    uint column = i % PASS_COLUMNS, number = i / PASS_COLUMNS;
    int x = group.first.x + int(column);
    if (x > group.last.x) continue;
    int line = needed.first + int(number);
    Place at = planePlace(plane, ivec2(x, group.first.y));
    Place crossing = carried(at.whole, vec2(at.part.x + (float(line - at.whole.y) - at.part.y) * shear, 0));
    float weights[6];
    weigh(SHARP, crossing.part.x, weights);
    vec4 sum = vec4(0);
    [[unroll]] for (int k = 0; k < 6; k++) {
      ivec2 place = alongLines(ivec2(crossing.whole.x - tapsBefore(SHARP) + k, line));
      sum += weights[k] * loadSample(plane, clamp(place, ivec2(0), last_sample));
    }
    for (uint channel = 0; channel < channels; channel++) {
      lines[lineIndex(into + channel, number, column)] = sum[channel];
    }
  }
}

void makeLines(Group group) {
  ivec2 last = parameters.size - 1;
  if (INPUT < GRAY8) {
    makeLines(group, group.main, COLOURS, 3, 0, last, parameters.shear);
  } else {
    makeLines(group, group.main, LUMA, 1, 0, last, parameters.shear);
    if (INPUT != GRAY8) {
      makeLines(group, group.chroma, CHROMA, 2, 1, last >> chromaShift(), parameters.shear * chromaShearRatio());
    }
  }
}

// MARK: Second pass

// Returns `channels` components of a pixel, stored in lines from `from` on.
vec3 crossLines(Group group, Lines made, uint plane, uint channels, uint from, ivec2 at) {
  Place place = planePlace(plane, at);
  float weights[6];
  weigh(SHARP, place.part.y, weights);
  vec3 sum = vec3(0);
  [[unroll]] for (int r = 0; r < 6; r++) {
    // If rounding puts a pixel one line beyond the corners, that line's weight is 0.
    int line = clamp(place.whole.y - tapsBefore(SHARP) + r - made.first, 0, made.count - 1);
    for (uint channel = 0; channel < channels; channel++) {
      sum[channel] += weights[r] * lines[lineIndex(from + channel, uint(line), uint(at.x - group.first.x))];
    }
  }
  return sum;
}

// Returns a pixel of the group, once all its lines are computed.
vec4 crossLines(Group group, ivec2 at) {
  float inside = IS_OPEN ? coverage(placeOf(at)) : 1.0;
  if (inside == 0.0) return vec4(0);
  if (INPUT < GRAY8) {
    vec3 rgb = crossLines(group, group.main, COLOURS, 3, 0, at);
    return vec4(CLIPS ? clamp(rgb, 0.0, 1.0) : rgb, inside);
  }
  float luma = crossLines(group, group.main, LUMA, 1, 0, at).x;
  vec2 chroma = INPUT == GRAY8 ? vec2(0) : crossLines(group, group.chroma, CHROMA, 2, 1, at).xy;
  return vec4(fromYCbCr(vec3(luma, chroma)), inside);
}
