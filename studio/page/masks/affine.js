// Affine maps of the plane, `[a, b, c, d, e, f]`: (x, y) to (a·x + b·y + c, d·x + e·y + f).

export const identity = [1, 0, 0, 0, 1, 0];
export const translation = (x, y) => [1, 0, x, 0, 1, y];
export const scaling = (x, y) => [x, 0, 0, 0, y, 0];

/** First `one`, then `other`. */
export function then([a, b, c, d, e, f], [g, h, i, j, k, l]) {
  return [g * a + h * d, g * b + h * e, g * c + h * f + i, j * a + k * d, j * b + k * e, j * c + k * f + l];
}

export const apply = ([a, b, c, d, e, f], { x, y }) => ({ x: a * x + b * y + c, y: d * x + e * y + f });

/** Signed: negative where the map mirrors. */
export const area = ([a, b, , d, e]) => a * e - b * d;

export function inverse(map) {
  const [a, b, c, d, e, f] = map;
  const size = area(map);
  return [e / size, -b / size, (b * f - c * e) / size, -d / size, a / size, (c * d - a * f) / size];
}
