// Four places of the picture that become its corners, `[{ x, y }]` in 0…1, clockwise from the top left. No DOM.

/** The furthest outside of the picture that the engine takes a place. */
const [LEAST, MOST] = [-1, 2];

const round = (value) => Math.round(value * 1e4) / 1e4 + 0;

/** The places of a text; null without any. */
export function cornersOf(text) {
  if (!text || text === "none") return null;
  const corners = text.split(" ").map((place) => {
    const [x, y] = place.split(",").map(Number);
    return { x, y };
  });
  return corners.length === 4 && corners.every(({ x, y }) => Number.isFinite(x + y)) ? corners : null;
}

export const textOfCorners = (corners) => corners.map(({ x, y }) => `${round(x)},${round(y)}`).join(" ");

/** Whether they are the corners of a convex shape, clockwise, as the engine asks for. */
export function isConvex(corners, { width, height }) {
  return corners.every((_, index) => {
    const [p, q, r] = [0, 1, 2].map((by) => {
      const { x, y } = corners[(index + by) % 4];
      return { x: x * width, y: y * height };
    });
    const turn = (q.x - p.x) * (r.y - q.y) - (q.y - p.y) * (r.x - q.x);
    return turn > 1e-3 * Math.hypot(q.x - p.x, q.y - p.y) * Math.hypot(r.x - q.x, r.y - q.y);
  });
}

/** With one corner somewhere else; as they were, if they were no convex shape then. */
export function movedCorner(corners, index, { x, y }, size) {
  const within = (value) => Math.min(MOST, Math.max(LEAST, value));
  const next = corners.map((one, at) => (at === index ? { x: within(x), y: within(y) } : one));
  return isConvex(next, size) ? next : corners;
}

/** Whole pixels of what four places of a picture enclose: the engine's own formula. */
export function perspectiveSize({ width, height }, corners, proportions = "auto") {
  const places = corners.map(({ x, y }) => ({ x: x * width, y: y * height }));
  const side = (a, b) => Math.hypot(places[b].x - places[a].x, places[b].y - places[a].y);
  let [across, down] = [Math.max(side(0, 1), side(3, 2)), Math.max(side(1, 2), side(0, 3))];
  if (proportions !== "auto") {
    const [w, h] = proportions.split(":").map(Number);
    [across, down] = [Math.max(across, (down * w) / h), Math.max(down, (across * h) / w)];
  }
  return { width: Math.max(1, Math.round(across)), height: Math.max(1, Math.round(down)) };
}

/**
 * The map from the unit square to four places. Source: Heckbert, "Fundamentals of texture mapping and image warping", 1989,
 * section 2.2.3.
 */
export function fromSquare([p0, p1, p2, p3]) {
  const [dx1, dx2, sx] = [p1.x - p2.x, p3.x - p2.x, p0.x - p1.x + p2.x - p3.x];
  const [dy1, dy2, sy] = [p1.y - p2.y, p3.y - p2.y, p0.y - p1.y + p2.y - p3.y];
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / determinant;
  const h = (dx1 * sy - sx * dy1) / determinant;
  return [
    p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x,
    p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y,
    g, h, 1,
  ];
}

/** As seen after the picture is turned by a quarter, clockwise or not. */
export const turnedCorners = (corners, clockwise) =>
  clockwise
    ? [3, 0, 1, 2].map((index) => ({ x: 1 - corners[index].y, y: corners[index].x }))
    : [1, 2, 3, 0].map((index) => ({ x: corners[index].y, y: 1 - corners[index].x }));

/** As seen after the picture is mirrored left–right ("h") or top–bottom ("v"). */
export const mirroredCorners = (corners, axis) =>
  axis === "h"
    ? [1, 0, 3, 2].map((index) => ({ x: 1 - corners[index].x, y: corners[index].y }))
    : [3, 2, 1, 0].map((index) => ({ x: corners[index].x, y: 1 - corners[index].y }));
