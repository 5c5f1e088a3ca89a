// The points of a curve: how they are written, and how they move. They never turn back: x rises by the parameter's least
// step from point to point, and y never falls. No DOM.

/** Of a text `0,0 0.25,0.2 1,1`, or of a list of pairs, as recipes have it. */
export function pointsOf(value) {
  if (Array.isArray(value)) return value.map(([x, y]) => ({ x, y }));
  return value.split(" ").filter(Boolean).map((pair) => {
    const [x, y] = pair.split(",").map(Number);
    return { x, y };
  });
}

/** Without what adding up decimal fractions leaves behind. */
const plain = (number) => String(Number(number.toFixed(12)));

/** `0,0 0.25,0.2 1,1` */
export const textOf = (points) => points.map(({ x, y }) => `${plain(x)},${plain(y)}`).join(" ");

const clamp = (value, [low, high]) => Math.min(high, Math.max(low, value));

/** To a multiple of `step`, but never out of the limits. */
const rounded = (value, step, limits) => clamp(Number((Math.round(value / step) * step).toFixed(9)), limits);

/** Where a point may be between `before` and `after`, of which either may be missing. */
function room(before, after, { x, y, curveStep }) {
  return {
    x: [before ? before.x + curveStep : x.minimum, after ? after.x - curveStep : x.maximum],
    y: [before ? before.y : y.minimum, after ? after.y : y.maximum],
  };
}

/** `{ x: [least, most], y: [least, most] }` of a point. */
export const limitsOf = (points, index, parameter) => room(points[index - 1], points[index + 1], parameter);

/**
 * With one point moved to `place`, as far as its neighbours let it.
 *
 * @param {number} part of the parameter's steps: 1 for keys; a pointer moves in tenths
 */
export function moved(points, index, place, parameter, part = 1) {
  const limits = limitsOf(points, index, parameter);
  const point = {
    x: rounded(place.x, parameter.x.step * part, limits.x),
    y: rounded(place.y, parameter.y.step * part, limits.y),
  };
  return points.map((one, i) => (i === index ? point : one));
}

/** With a point more, as near to `place` as may be: `{ points, index }`; null where there is no room for one. */
export function inserted(points, place, parameter, part = 1) {
  if (points.length >= parameter.maximumPoints) return null;
  const next = points.findIndex(({ x }) => place.x < x);
  const index = next < 0 ? points.length : next;
  const limits = room(points[index - 1], points[index], parameter);
  // Decimal fractions are not exact.
  if (limits.x[1] - limits.x[0] < -1e-9) return null;
  const point = {
    x: rounded(place.x, parameter.x.step * part, limits.x),
    y: rounded(place.y, parameter.y.step * part, limits.y),
  };
  return { points: [...points.slice(0, index), point, ...points.slice(index)], index };
}

/** Without a point; the ends stay, and go back to where those of the neutral curve are. */
export function removed(points, index, parameter) {
  const neutral = pointsOf(parameter.neutral);
  if (index === 0) return [neutral[0], ...points.slice(1)];
  if (index === points.length - 1) return [...points.slice(0, -1), neutral.at(-1)];
  return points.length > parameter.minimumPoints ? points.filter((_, i) => i !== index) : points;
}

/** Pixels of the square in which the curve is drawn: 0,0 is at its lower left. */
export const toPixels = ({ x, y }, { left, top, width, height }, parameter) => ({
  x: left + ((x - parameter.x.minimum) / (parameter.x.maximum - parameter.x.minimum)) * width,
  y: top + (1 - (y - parameter.y.minimum) / (parameter.y.maximum - parameter.y.minimum)) * height,
});

/** The place of a pixel, also of one outside. */
export const toPlace = ({ x, y }, { left, top, width, height }, parameter) => ({
  x: parameter.x.minimum + ((x - left) / width) * (parameter.x.maximum - parameter.x.minimum),
  y: parameter.y.minimum + (1 - (y - top) / height) * (parameter.y.maximum - parameter.y.minimum),
});

/** The point that is nearest to a pixel, within `reach`; -1 if there is none. */
export function nearest(points, pixel, area, parameter, reach) {
  let best = { index: -1, distance: reach };
  points.forEach((point, index) => {
    const at = toPixels(point, area, parameter);
    const distance = Math.hypot(at.x - pixel.x, at.y - pixel.y);
    if (distance <= best.distance) best = { index, distance };
  });
  return best.index;
}
