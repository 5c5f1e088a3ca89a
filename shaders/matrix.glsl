// out = M · rgb. Words: the three rows of M, from top to bottom.

vec3 multiplied(uint at, vec3 v) {
  vec3 result;
  for (uint row = 0; row < 3; row++) {
    uint word = at + 3 * row;
    result[row] = v.r * tableFloat(word) + v.g * tableFloat(word + 1) + v.b * tableFloat(word + 2);
  }
  return result;
}
