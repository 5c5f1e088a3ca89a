// Feathering: three means in a row along each axis are almost a Gaussian, σ half the radius, as the engine does it.
// Source: Kovesi, "Fast almost-Gaussian filtering", DICTA 2010.

/** Widths of the means for a radius, in pixels. */
export function widthsOf(radius) {
  const sigma = radius / 2;
  const lower = (Math.trunc(Math.sqrt(4 * sigma * sigma + 1)) - 1) | 1;
  const lowers = Math.round((12 * sigma * sigma - 3 * lower * lower - 12 * lower - 9) / (-4 * lower - 4));
  return [0, 1, 2].map((pass) => (pass < lowers ? lower : lower + 2));
}

/** Blurs values in place; beyond the edges the nearest pixel counts. */
export function blur(values, { width, height }, radius) {
  if (radius < 0.5) return values;
  for (const size of widthsOf(radius)) {
    for (let y = 0; y < height; y++) mean(values, y * width, 1, width, size);
    for (let x = 0; x < width; x++) mean(values, x, width, height, size);
  }
  return values;
}

function mean(values, start, step, count, size) {
  const half = (size - 1) / 2;
  const line = new Float32Array(count);
  for (let i = 0; i < count; i++) line[i] = values[start + i * step];
  const at = (i) => line[Math.min(count - 1, Math.max(0, i))];
  let sum = 0;
  for (let i = -half; i <= half; i++) sum += at(i);
  for (let i = 0; i < count; i++) {
    values[start + i * step] = sum / size;
    sum += at(i + half + 1) - at(i - half);
  }
}
