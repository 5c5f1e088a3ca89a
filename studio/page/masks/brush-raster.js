// Strokes on a grid. While one is painted only its new points are drawn: those before stay as they are.
import { apply, inverse } from "./affine.js";

const curve = (value) => value * value * (3 - 2 * value);

/** @returns a function of strokes and a grid; see raster.js */
export function createBrushRaster() {
  let key = "";
  /** Strokes that are done, by the values that they leave. */
  let done = [];
  let below = null;
  /** The last stroke: for each pixel the square of the distance to it. */
  let last = null;

  function begin(stroke, grid) {
    last = { stroke, drawn: 0, squares: new Float32Array(grid.width * grid.height).fill(Infinity) };
  }

  /** The same stroke, grown: all its points but the last ones are those that were drawn. */
  const grows = (from, to) =>
    from.radius === to.radius && from.hardness === to.hardness && from.erase === to.erase &&
    from.points.length <= to.points.length && from.points.every((one, index) => one === to.points[index]);

  return (strokes, grid) => {
    const now = JSON.stringify([grid.width, grid.height, grid.toMask]);
    const before = strokes.slice(0, -1);
    if (now !== key || done.length > before.length || done.some((one, index) => one !== before[index])) {
      key = now;
      done = [];
      below = new Float32Array(grid.width * grid.height);
      last = null;
    }
    const toGrid = inverse(grid.toMask);
    for (const stroke of before.slice(done.length)) {
      if (!last || !grows(last.stroke, stroke)) begin(stroke, grid);
      measure(last, stroke, grid, toGrid);
      below = covered(below, last.squares, stroke, grid);
      done = [...done, stroke];
      last = null;
    }
    const stroke = strokes.at(-1);
    if (!stroke) return below;
    if (!last || !grows(last.stroke, stroke)) begin(stroke, grid);
    measure(last, stroke, grid, toGrid);
    last.stroke = stroke;
    return covered(below, last.squares, stroke, grid);
  };
}

/** Adds the lines of a stroke that are not measured yet. */
function measure(memory, stroke, { width, height, long }, toGrid) {
  const places = stroke.points.map(([x, y]) => apply(toGrid, { x, y }));
  const reach = stroke.radius * long + 1;
  const { squares } = memory;
  for (let i = Math.max(0, memory.drawn - 1); i < places.length; i++) {
    const [a, b] = [places[Math.max(0, i - 1)], places[i]];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = dx * dx + dy * dy;
    const left = Math.max(0, Math.floor(Math.min(a.x, b.x) - reach));
    const right = Math.min(width, Math.ceil(Math.max(a.x, b.x) + reach));
    const top = Math.max(0, Math.floor(Math.min(a.y, b.y) - reach));
    const bottom = Math.min(height, Math.ceil(Math.max(a.y, b.y) + reach));
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const px = x + 0.5 - a.x;
        const py = y + 0.5 - a.y;
        const t = length > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy) / length)) : 0;
        const square = (px - t * dx) ** 2 + (py - t * dy) ** 2;
        if (square < squares[y * width + x]) squares[y * width + x] = square;
      }
    }
  }
  memory.drawn = places.length;
}

/** A stroke over what lies below it. */
function covered(below, squares, { radius, hardness = 0.5, flow = 1, erase = false }, { long }) {
  const outer = Math.max(radius * long, 0.5);
  const inner = Math.min(outer * hardness, outer - 0.5);
  const values = below.slice();
  for (let i = 0; i < values.length; i++) {
    if (squares[i] >= outer * outer) continue;
    const part = Math.min(1, Math.max(0, (Math.sqrt(squares[i]) - inner) / (outer - inner)));
    const strength = flow * (1 - curve(part));
    values[i] = erase ? values[i] * (1 - strength) : 1 - (1 - values[i]) * (1 - strength);
  }
  return values;
}
