// Groups of stages under masks.
//
//     out = in + opacity * mask * (stages(fields(in)) - in)    group by group, each on what the last one left
//
// A mask is a program in postfix order, whose steps push a value of 0…1 or change what is on top of the values so far.
// (x, y) is the centre of a pixel, (L, a, b) the OKLab and e the brightness of the colour that reaches the first group.

const uint MASK_DEPTH = 16;
const uint MASK_CONSTANT = 0, MASK_LINEAR = 1, MASK_RADIAL = 2, MASK_SHAPE = 3, MASK_LUMINANCE = 4, MASK_COLOUR = 5,
           MASK_EDGES = 6, MASK_INVERT = 7, MASK_INTERSECT = 8, MASK_ADD = 9, MASK_SUBTRACT = 10, MASK_LENS = 11;
// The words of a step: its kind, two rows of a map, low, high, scale, part; of a shape: nodes along both axes and the word
// of the first four nodes; of edges: nodes along both axes and the first float of their lines.
const uint MASK_STEP = 11;

// Applies one stage that has no groups: GLSL has no recursion.
vec3 plainStage(uint kind, uint at, vec3 rgb) {
  if (kind == MATRIX) return multiplied(at, rgb);
  if (kind == PARAMETRIC) return parametric(at, rgb);
  if (kind == SAMPLED) return sampled(at, rgb);
  if (kind == OKLAB_MIX) return oklabMixed(at, rgb);
  if (kind == TONE) return toned(at, rgb);
  if (kind == LOOKUP) return lookedUp(at, rgb);
  if (kind == CURVES) return lightCurves(at, rgb);
  if (kind == HUES) return huesChanged(at, rgb);
  return rgb;
}

// Coverage, four nodes in a word, the first in the lowest bits.
float shapeNode(uint first, uint index) {
  return float(tables[first + index / 4] >> 8 * (index % 4) & 0xffu) / 255.0;
}

// Between the four nodes around a place; outside the shape the nearest ones count.
float shapeCoverage(uint at, vec2 place) {
  uvec2 size = uvec2(tables[at + 7], tables[at + 8]);
  uint first = tables[at + 9];
  place = clamp(place, vec2(0), vec2(size - 1));
  uvec2 low = min(uvec2(place), uvec2(max(ivec2(size) - 2, 0)));
  uvec2 high = min(low + 1, size - 1);
  vec2 part = place - vec2(low);
  float top = mix(shapeNode(first, low.y * size.x + low.x), shapeNode(first, low.y * size.x + high.x), part.x);
  float bottom = mix(shapeNode(first, high.y * size.x + low.x), shapeNode(first, high.y * size.x + high.x), part.x);
  return mix(top, bottom, part.y);
}

// The mask along the edges of the picture: S(2 * (a * e + b) - 1/2), S(w) = 3w^2 - 2w^3, w clipped to 0…1, a and b
// between the four nodes around the pixel.
float maskAlongEdges(uint at, float e) {
  uvec2 size = uvec2(tables[at + 7], tables[at + 8]);
  uint first = tables[at + 9];
  vec2 place = mapped(at + 1);
  float a = betweenNodes(first, size, place), b = betweenNodes(first + size.x * size.y, size, place);
  return smoothStep(clamp(2.0 * (a * e + b) - 0.5, 0.0, 1.0));
}

// The value that a step pushes.
float maskValue(uint at, vec3 lab, float e) {
  uint kind = tables[at];
  float low = tableFloat(at + 7), high = tableFloat(at + 8), scale = tableFloat(at + 9);
  if (kind == MASK_CONSTANT) return low;
  if (kind == MASK_LUMINANCE) {
    float rising = clamp(1.0 + (lab.x - low) * scale, 0.0, 1.0);
    return min(rising, clamp(1.0 - (lab.x - high) * scale, 0.0, 1.0));
  }
  if (kind == MASK_COLOUR) {
    float distance = length(lab.yz - vec2(tableFloat(at + 1), tableFloat(at + 2)));
    return 1.0 - smoothStep(clamp((distance - low) * scale, 0.0, 1.0));
  }
  if (kind == MASK_EDGES) return maskAlongEdges(at, e);
  vec2 place = mapped(at + 1);
  if (kind == MASK_LINEAR) return smoothStep(clamp(place.x, 0.0, 1.0));
  if (kind == MASK_LENS) {
    // What is recorded of the light there.
    float s = dot(place, place), recorded = 1.0 + s * (low + s * (high + s * scale));
    return recorded > 0.0 ? clamp((1.0 / recorded - 1.0) * tableFloat(at + 10), 0.0, 1.0) : 1.0;
  }
  if (kind == MASK_RADIAL) return 1.0 - smoothStep(clamp((length(place) - low) * scale, 0.0, 1.0));
  return shapeCoverage(at, place);
}

// The mask of a program of `count` steps at the current pixel.
float maskWeight(uint first, uint count, vec3 lab, float e) {
  float values[MASK_DEPTH];
  uint depth = 0;
  for (uint step = 0; step < count; step++) {
    uint at = first + step * MASK_STEP, kind = tables[at];
    if (kind < MASK_INVERT || kind == MASK_LENS) {
      if (depth < MASK_DEPTH) values[depth++] = maskValue(at, lab, e);
    } else if (kind == MASK_INVERT) {
      values[depth - 1] = 1.0 - values[depth - 1];
    } else {
      float y = values[--depth], x = values[depth - 1];
      values[depth - 1] = kind == MASK_INTERSECT ? x * y
                          : kind == MASK_ADD     ? 1.0 - (1.0 - x) * (1.0 - y)
                                                 : x * (1.0 - y);
    }
  }
  return depth > 0 ? values[0] : 0.0;
}

// A field of a group. What it does is found from the colour that reached the first group; haze went through the groups
// before with the light that it veils.
//
// Words: as of inField, without falloff, grain, encoding and scattered light; at `measure` those of brightness.
vec3 inGroupField(uint slot, uint measure, vec3 first, vec3 rgb) {
  uint at = tables[slot], around = tables[slot + 1];
  float stops = 0.0;
  if (tables[at] != 0) stops += localStops(at + 28, first);
  if (around != 0) {
    stops += textureStops(around);
    if (tables[around] != 0 && hazePart(around) != 0.0) {
      float m = veilLimit(around, first), most = m, scale = 1.0;
      if (tables[around + 1] != 0) {
        scale = exp2(brightness(measure, rgb) - brightness(measure, first));
        most = min(m, veilLimit(around, rgb / scale));
      }
      rgb = unveiled(around, uvec2(tables[around + 22], tables[around + 23]), mapped(around + 16), m, most, scale, rgb);
    }
  }
  return rgb * exp2(stops);
}

// Words: where the numbers are. There: the count of groups; 1 if masks look at colours, plus 2 if they follow edges;
// the matrices from RGB to LMS and from the cube roots of LMS to OKLab; brightness; of each group: the first step, their
// count, whether they look at colours, the opacity, the first stage's slot, the count of stages, the first field's two
// words, the count of fields.
vec3 inGroups(uint slot, vec3 rgb) {
  uint at = tables[slot];
  uint groups = tables[at];
  vec3 lab = vec3(0), first = rgb;
  bool is_number = true;
  float e = (tables[at + 1] & 2) != 0 ? brightness(at + 20, rgb) : 0.0;
  if ((tables[at + 1] & 1) != 0) {
    vec3 lms = multiplied(at + 2, rgb);
    lab = multiplied(at + 11, vec3(cubeRoot(lms.x), cubeRoot(lms.y), cubeRoot(lms.z)));
    is_number = isNumber(lab.x) && isNumber(lab.y) && isNumber(lab.z);
  }
  for (uint group = 0; group < groups; group++) {
    uint words = at + 32 + 8 * group;
    if (!is_number && tables[words + 2] != 0) continue;
    float weight = tableFloat(words + 3) * maskWeight(tables[words], tables[words + 1], lab, e);
    if (weight <= 0.0) continue;
    vec3 changed = rgb;
    for (uint field = 0; field < tables[words + 7]; field++) {
      changed = inGroupField(tables[words + 6] + 2 * field, at + 20, first, changed);
    }
    for (uint stage = 0; stage < tables[words + 5]; stage++) {
      uint place = tables[words + 4] + stage * SLOT;
      changed = plainStage(tables[place + SLOT - 1], place, changed);
    }
    // At full weight as it is: an infinite colour would become no number.
    rgb = weight >= 1.0 ? changed : rgb + weight * (changed - rgb);
  }
  return rgb;
}

// Light multiplied by 1 + opacity * mask * (gain - 1) of each of some masks of places; of encoded samples as in
// field.glsl.
//
// Words: where the numbers are. There: the count of masks; whether samples are encoded; the curves of decoding and
// encoding; of each mask: the first step, their count, the opacity, the gain.
vec3 inGains(uint slot, vec3 rgb) {
  uint at = tables[slot];
  float product = 1.0;
  for (uint mask = 0; mask < tables[at]; mask++) {
    uint words = at + 16 + 4 * mask;
    float weight = tableFloat(words + 2) * maskWeight(tables[words], tables[words + 1], vec3(0), 0.0);
    product *= 1.0 + weight * (tableFloat(words + 3) - 1.0);
  }
  if (product == 1.0) return rgb;
  return tables[at + 1] != 0 ? parametric(at + 9, product * parametric(at + 2, rgb)) : product * rgb;
}
