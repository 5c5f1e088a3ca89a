// Grids on which masks are found: for each pixel its place in the photo, in pixels of that. No DOM.

/** Nodes along the photo's long edge: a third of those on which the engine draws outlines, for edges that are soft anyway. */
const FLAT = 340;

/**
 * A grid of `width` × `height` over `area` of a view: `{ width, height, size, places, toGrid, step, pixels }`.
 *
 * `places` has x and y of each pixel's middle, `toGrid(x, y)` the way back, null for what is nowhere in the view; `step` is
 * the photo's pixels for one of the grid, in its middle. `pixels` is RGBA for ranges of colours, and for others to set.
 */
export function createGrid(place, area, width, height) {
  const { size } = place;
  const [across, down] = [width / area.width, height / area.height];
  const places = new Float64Array(2 * width * height);
  for (let row = 0, i = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const found = place.toMask({ x: area.x + (column + 0.5) / across, y: area.y + (row + 0.5) / down });
      places[i++] = found.x * size.width;
      places[i++] = found.y * size.height;
    }
  }
  const middle = place.toMask({ x: area.x + area.width / 2, y: area.y + area.height / 2 });
  return {
    width,
    height,
    size,
    places,
    toGrid(x, y) {
      const point = { x: x / size.width, y: y / size.height };
      if (!place.sees(point)) return null;
      const seen = place.toView(point);
      return { x: (seen.x - area.x) * across, y: (seen.y - area.y) * down };
    },
    step: 1 / (place.pixelAt(middle) * across),
    pixels: null,
  };
}

/** A grid over the whole photo itself, where circles are circles. */
export function flatGrid(size, edge = FLAT) {
  const step = Math.max(size.width, size.height) / edge;
  const width = Math.max(1, Math.round(size.width / step));
  const height = Math.max(1, Math.round(size.height / step));
  const [across, down] = [size.width / width, size.height / height];
  const places = new Float64Array(2 * width * height);
  for (let row = 0, i = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      places[i++] = (column + 0.5) * across;
      places[i++] = (row + 0.5) * down;
    }
  }
  return {
    width,
    height,
    size,
    places,
    toGrid: (x, y) => ({ x: x / across, y: y / down }),
    step,
    pixels: null,
  };
}

/** Values of a flat grid at the places of another, between nodes in proportion; beyond the edges those at the edge. */
export function sampled(values, flat, { places, size }) {
  const found = new Float32Array(places.length / 2);
  const { width, height } = flat;
  const [across, down] = [width / size.width, height / size.height];
  for (let i = 0; i < found.length; i++) {
    const x = Math.min(width - 1, Math.max(0, places[2 * i] * across - 0.5));
    const y = Math.min(height - 1, Math.max(0, places[2 * i + 1] * down - 0.5));
    const left = Math.floor(x);
    const right = Math.min(width - 1, left + 1);
    const top = Math.floor(y) * width;
    const bottom = Math.min(height - 1, Math.floor(y) + 1) * width;
    const upper = values[top + left] + (x - left) * (values[top + right] - values[top + left]);
    const lower = values[bottom + left] + (x - left) * (values[bottom + right] - values[bottom + left]);
    found[i] = upper + (y - Math.floor(y)) * (lower - upper);
  }
  return found;
}
