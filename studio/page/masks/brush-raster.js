// Strokes on a grid. While one is painted only its new points are drawn: those before stay as they are. Distances are those in
// the photo, in its pixels.

/** Of a box that is projected, the part by which its outline may bend between the places that are looked at. */
const BULGE = 0.1;

const curve = (value) => value * value * (3 - 2 * value);

/** @returns a function of strokes and a grid; see grid.js */
export function createBrushRaster() {
  /** The places of the grid that was drawn on. */
  let key = null;
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
    const before = strokes.slice(0, -1);
    if (grid.places !== key || done.length > before.length || done.some((one, index) => one !== before[index])) {
      key = grid.places;
      done = [];
      below = new Float32Array(grid.width * grid.height);
      last = null;
    }
    for (const stroke of before.slice(done.length)) {
      if (!last || !grows(last.stroke, stroke)) begin(stroke, grid);
      measure(last, stroke, grid);
      below = covered(below, last.squares, stroke, grid);
      done = [...done, stroke];
      last = null;
    }
    const stroke = strokes.at(-1);
    if (!stroke) return below;
    if (!last || !grows(last.stroke, stroke)) begin(stroke, grid);
    measure(last, stroke, grid);
    last.stroke = stroke;
    return covered(below, last.squares, stroke, grid);
  };
}

const longOf = ({ size }) => Math.max(size.width, size.height);

/** The pixels of a grid in which a box of the photo lies: `[left, top, right, bottom]`. */
function boundsOf(left, top, right, bottom, { width, height, toGrid }) {
  const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
  const places = [left, middleX, right].flatMap((x) => [top, middleY, bottom].map((y) => toGrid(x, y)));
  // It reaches beyond the horizon.
  if (places.includes(null)) return [0, 0, width, height];
  const range = (values, most) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const more = 1 + BULGE * (high - low);
    return [Math.max(0, Math.floor(low - more)), Math.min(most, Math.ceil(high + more))];
  };
  const [x0, x1] = range(places.map(({ x }) => x), width);
  const [y0, y1] = range(places.map(({ y }) => y), height);
  return [x0, y0, x1, y1];
}

/** Adds the lines of a stroke that are not measured yet. */
function measure(memory, stroke, grid) {
  const { size, places, width } = grid;
  const points = stroke.points.map(([x, y]) => ({ x: x * size.width, y: y * size.height }));
  const reach = stroke.radius * longOf(grid) + grid.step;
  const { squares } = memory;
  for (let i = Math.max(0, memory.drawn - 1); i < points.length; i++) {
    const [a, b] = [points[Math.max(0, i - 1)], points[i]];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = dx * dx + dy * dy;
    const [left, top, right, bottom] = boundsOf(
      Math.min(a.x, b.x) - reach,
      Math.min(a.y, b.y) - reach,
      Math.max(a.x, b.x) + reach,
      Math.max(a.y, b.y) + reach,
      grid,
    );
    for (let y = top; y < bottom; y++) {
      for (let at = y * width + left; at < y * width + right; at++) {
        const px = places[2 * at] - a.x;
        const py = places[2 * at + 1] - a.y;
        const t = length > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy) / length)) : 0;
        const square = (px - t * dx) ** 2 + (py - t * dy) ** 2;
        if (square < squares[at]) squares[at] = square;
      }
    }
  }
  memory.drawn = points.length;
}

/** A stroke over what lies below it. */
function covered(below, squares, { radius, hardness = 0.5, flow = 1, erase = false }, grid) {
  // An edge is as wide as a pixel of the grid.
  const outer = Math.max(radius * longOf(grid), 0.5 * grid.step);
  const inner = Math.min(outer * hardness, outer - 0.5 * grid.step);
  const values = below.slice();
  for (let i = 0; i < values.length; i++) {
    if (squares[i] >= outer * outer) continue;
    const part = Math.min(1, Math.max(0, (Math.sqrt(squares[i]) - inner) / (outer - inner)));
    const strength = flow * (1 - curve(part));
    values[i] = erase ? values[i] * (1 - strength) : 1 - (1 - values[i]) * (1 - strength);
  }
  return values;
}
