// Colour stages as a table of int16 nodes, 8160 codes per unit, with tetrahedral interpolation.
//
//     position = min(x·steep, x·gentle + offset)        x clipped to 0…1
//     out      = table(position) + slope · (rgb - clipped rgb)
//
// A node is two words: red and green, then blue. Nodes are not clipped, which preserves the edges of the gamut.

// Words: the first node, in pairs; nodes per axis; steep, gentle and offset, in nodes; slope.

vec3 bakedNode(uint first, uint node) {
  uvec2 words = table_pairs[first + node];
  return vec3(ivec3(int(words.x << 16) >> 16, int(words.x) >> 16, int(words.y << 16) >> 16));
}

vec3 baked(uint at, vec3 rgb) {
  uint first = tables[at], size = tables[at + 1];
  vec3 inside = clip(rgb, 1.0);
  vec3 position = min(inside * tableFloat(at + 2), inside * tableFloat(at + 3) + tableFloat(at + 4));
  Tetrahedron t = tetrahedronAt(position, size);
  vec3 value = t.weights.x * bakedNode(first, t.nodes.x) + t.weights.y * bakedNode(first, t.nodes.y) +
               t.weights.z * bakedNode(first, t.nodes.z) + t.weights.w * bakedNode(first, t.nodes.w);
  return value / 8160.0 + tableFloat(at + 5) * (rgb - inside);
}
