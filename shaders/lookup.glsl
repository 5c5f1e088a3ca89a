// A table as read from a file: a shaper per channel, then a cube, crossfaded by strength.
//
//     out = rgb + strength · (cube(shaper(rgb)) - rgb)
//
// Input is clipped to the domains, output is not. At full strength the table's own value is returned: the mix
// would be tinted by inputs that are infinite or far outside the domain.

// Words: 0 strength; 1 the start of the shaper's red, followed by green and blue; 2 its count, 0 if there is none;
// 3…5 scale and 6…8 bias from a channel to its index; 9 the cube's first node, in quads; 10 its nodes per axis, 0
// if there is none; 11…13 scale and 14…16 bias.

vec3 placeInDomain(uint at, vec3 v, float top) {
  vec3 scale = vec3(tableFloat(at), tableFloat(at + 1), tableFloat(at + 2));
  vec3 bias = vec3(tableFloat(at + 3), tableFloat(at + 4), tableFloat(at + 5));
  return clip(v * scale + bias, top);
}

vec3 shaped(uint at, vec3 rgb) {
  uint first = tables[at + 1], count = tables[at + 2];
  vec3 index = placeInDomain(at + 3, rgb, float(count - 1));
  vec3 result;
  for (uint channel = 0; channel < 3; channel++) {
    uint below = min(uint(index[channel]), count - 2);
    float low = tableFloat(first + below), high = tableFloat(first + below + 1);
    result[channel] = low + (index[channel] - float(below)) * (high - low);
    first += count;
  }
  return result;
}

vec3 lookedUp(uint at, vec3 rgb) {
  vec3 value = rgb;
  if (tables[at + 2] != 0) value = shaped(at, value);
  uint size = tables[at + 10];
  if (size != 0) {
    Tetrahedron t = tetrahedronAt(placeInDomain(at + 11, value, float(size - 1)), size);
    uvec4 nodes = tables[at + 9] + t.nodes;
    value = t.weights.x * table_quads[nodes.x].rgb + t.weights.y * table_quads[nodes.y].rgb +
            t.weights.z * table_quads[nodes.z].rgb + t.weights.w * table_quads[nodes.w].rgb;
  }
  float strength = tableFloat(at);
  if (strength != 1.0) return rgb + strength * (value - rgb);
  return vec3(keepNaN(value.x, rgb.x), keepNaN(value.y, rgb.y), keepNaN(value.z, rgb.z));
}
