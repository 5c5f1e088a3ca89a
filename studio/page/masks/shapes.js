// New masks, and what dragging their handles does. Places are 0…1 of the photo, which is `size` pixels large.

const round = (value) => Math.round(value * 1e4) / 1e4 + 0;
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
/** Places that the engine takes. */
const FAR = 10;
const LEAST = 0.002;

export const pair = ({ x, y }) => [round(clamp(x, -FAR, FAR)), round(clamp(y, -FAR, FAR))];
export const point = ([x, y]) => ({ x, y });
const pixels = (place, size) => ({ x: place.x * size.width, y: place.y * size.height });
const unit = (place, size) => ({ x: place.x / size.width, y: place.y / size.height });
const longOf = (size) => Math.max(size.width, size.height);
const radians = (degrees) => (degrees * Math.PI) / 180;

/** A gradient that fades in upwards as seen, within the part of the photo that is seen (`place` maps to the view). */
export function newLinear(place, seen) {
  const at = (y) => pair(place.toMask({ x: seen.x + seen.width / 2, y: seen.y + y * seen.height }));
  return { kind: "linear", from: at(0.6), to: at(0.3) };
}

export function newRadial(place, seen) {
  const centre = place.toMask({ x: seen.x + seen.width / 2, y: seen.y + seen.height / 2 });
  const radius = round((0.28 * Math.min(seen.width, seen.height)) / place.longAt(centre));
  return { kind: "radial", center: pair(centre), radius, feather: 0.5 };
}

export const middleOf = ({ from, to }) => ({ x: (from[0] + to[0]) / 2, y: (from[1] + to[1]) / 2 });

/** `start` and `now` are the pointer's places; handles are "from", "to", "middle" and "turn". */
export function draggedLinear(mask, handle, start, now, size) {
  const by = { x: now.x - start.x, y: now.y - start.y };
  const moved = ([x, y]) => pair({ x: x + by.x, y: y + by.y });
  let next;
  if (handle === "middle") next = { ...mask, from: moved(mask.from), to: moved(mask.to) };
  else if (handle === "turn") next = turnedLinear(mask, start, now, size);
  else next = { ...mask, [handle]: moved(mask[handle]) };
  const [a, b] = [pixels(point(next.from), size), pixels(point(next.to), size)];
  // Both ends at one place are no gradient.
  return Math.hypot(a.x - b.x, a.y - b.y) < LEAST * longOf(size) ? mask : next;
}

function turnedLinear(mask, start, now, size) {
  const centre = pixels(middleOf(mask), size);
  const angle = (place) => {
    const at = pixels(place, size);
    return Math.atan2(at.y - centre.y, at.x - centre.x);
  };
  return turnedBy(mask, angle(now) - angle(start), size);
}

/** A gradient turned about its middle, by radians clockwise. */
export function turnedBy(mask, turn, size) {
  const centre = pixels(middleOf(mask), size);
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
  const turned = (end) => {
    const at = pixels(point(end), size);
    const [dx, dy] = [at.x - centre.x, at.y - centre.y];
    return pair(unit({ x: centre.x + dx * cosine - dy * sine, y: centre.y + dx * sine + dy * cosine }, size));
  };
  return { ...mask, from: turned(mask.from), to: turned(mask.to) };
}

export const radiiOf = ({ radius }) => (Array.isArray(radius) ? radius : [radius, radius]);
/** One number for a circle. */
export const radiusOf = ([x, y]) => (x === y ? x : [x, y]);
export const featherOf = (mask) => mask.feather ?? 0.5;

/** The place of (u, v) in units of an ellipse's radii, along its own axes. */
export function onEllipse(mask, u, v, size) {
  const [rx, ry] = radiiOf(mask).map((radius) => radius * longOf(size));
  const turn = radians(mask.angle ?? 0);
  const centre = pixels(point(mask.center), size);
  return unit({
    x: centre.x + u * rx * Math.cos(turn) - v * ry * Math.sin(turn),
    y: centre.y + u * rx * Math.sin(turn) + v * ry * Math.cos(turn),
  }, size);
}

/** Turned to an angle, in -180…180; recipes leave out 0. */
export function withAngle({ angle: _, ...mask }, degrees) {
  const angle = degrees - 360 * Math.round(degrees / 360);
  return angle === 0 ? mask : { ...mask, angle };
}

/** Where a place is from an ellipse's centre along its axes, relative to the long edge. */
function onAxes(mask, place, size) {
  const at = pixels(place, size);
  const centre = pixels(point(mask.center), size);
  const turn = radians(mask.angle ?? 0);
  const [dx, dy] = [at.x - centre.x, at.y - centre.y];
  const long = longOf(size);
  return {
    x: (dx * Math.cos(turn) + dy * Math.sin(turn)) / long,
    y: (-dx * Math.sin(turn) + dy * Math.cos(turn)) / long,
  };
}

/**
 * Handles are "centre", "x", "y" (radii), "turn" and "inner"; `at` is where the handle is to be. With `even`, both
 * radii grow alike and turns stop at every 15°.
 */
export function draggedRadial(mask, handle, at, size, even = false) {
  const radii = radiiOf(mask);
  const local = onAxes(mask, at, size);
  switch (handle) {
    case "centre":
      return { ...mask, center: pair(at) };
    case "turn": {
      const [to, centre] = [pixels(at, size), pixels(point(mask.center), size)];
      const degrees = (Math.atan2(to.y - centre.y, to.x - centre.x) * 180) / Math.PI;
      return withAngle(mask, even ? Math.round(degrees / 15) * 15 : Math.round(degrees * 10) / 10);
    }
    case "inner":
      return { ...mask, feather: round(clamp(1 - Math.hypot(local.x / radii[0], local.y / radii[1]), 0, 1)) };
    default: {
      const index = handle === "x" ? 0 : 1;
      const length = clamp(Math.abs(handle === "x" ? local.x : local.y), LEAST, FAR);
      const factor = length / radii[index];
      const radius = radii.map((old, i) => (i === index || even ? round(clamp(old * factor, LEAST, FAR)) : old));
      return { ...mask, radius: radiusOf(radius) };
    }
  }
}

/** The range of lightness around a colour that was picked. */
export const lightnessAround = ({ lightness }) => ({
  from: round(clamp(lightness - 0.1, 0, 1)),
  to: round(clamp(lightness + 0.1, 0, 1)),
});
