// The four nodes of a cubic grid from which a colour is interpolated: the grid's cell is divided into six
// tetrahedra along its diagonal. A path leads from the corner nearest the origin to the opposite one along the
// axes in descending order of the fractions.
// Source: Kasson, Nin, Plouffe, Hafner, "Performing color space conversions with three-dimensional linear
// interpolation", J. Electronic Imaging 4(3), 1995.

struct Tetrahedron {
  uvec4 nodes;  // numbers of nodes, red fastest
  vec4 weights;
};

// `position`: 0…size - 1 along each axis.
Tetrahedron tetrahedronAt(vec3 position, uint size) {
  uvec3 cell = min(uvec3(position), uvec3(size - 2));
  vec3 f = position - vec3(cell);
  float largest = max(max(f.r, f.g), f.b), smallest = min(min(f.r, f.g), f.b);
  float middle = max(min(f.r, f.g), min(max(f.r, f.g), f.b));
  uint green = size, blue = size * size;
  uint first = cell.r + green * cell.g + blue * cell.b;
  uint last = first + 1 + green + blue;
  // Ties choose any order: the weights between tied nodes are zero.
  uint to_second = f.r == largest ? 1 : f.g == largest ? green : blue;
  uint from_third = f.b == smallest ? blue : f.g == smallest ? green : 1;
  return Tetrahedron(uvec4(first, first + to_second, last - from_third, last),
                     vec4(1 - largest, largest - middle, middle - smallest, smallest));
}
