// Projective maps of the plane, `[a, b, c, d, e, f, g, h, i]`: (x, y) to ((a·x + b·y + c) / w, (d·x + e·y + f) / w) with
// w = g·x + h·y + i. Affine ones end in 0, 0, 1.

export const translation = (x, y) => [1, 0, x, 0, 1, y, 0, 0, 1];
export const scaling = (x, y) => [x, 0, 0, 0, y, 0, 0, 0, 1];

/** First `one`, then `other`. */
export function then(one, other) {
  const product = [];
  for (let row = 0; row < 9; row += 3) {
    for (let column = 0; column < 3; column++) {
      product.push(other[row] * one[column] + other[row + 1] * one[column + 3] + other[row + 2] * one[column + 6]);
    }
  }
  return product;
}

/** Above 0 for places that are seen; 0 on the horizon of the plane. */
export const depth = (map, { x, y }) => map[6] * x + map[7] * y + map[8];

/** Called for each pixel of a grid: numbers by their index are found in half the time. */
export function apply(map, point) {
  const { x, y } = point;
  const w = depth(map, point);
  return { x: (map[0] * x + map[1] * y + map[2]) / w, y: (map[3] * x + map[4] * y + map[5]) / w };
}

export function inverse([a, b, c, d, e, f, g, h, i]) {
  const cofactors = [
    e * i - f * h, c * h - b * i, b * f - c * e,
    f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d,
  ];
  const determinant = a * cofactors[0] + b * cofactors[3] + c * cofactors[6];
  return cofactors.map((value) => value / determinant);
}
