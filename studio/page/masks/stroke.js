// Strokes of the brush: points come thick and fast, and few of them are needed. No DOM.

const round = (value) => Math.round(value * 1e4) / 1e4 + 0;

/** Points closer together than this part of the radius draw nothing that is seen. */
const NEAR = 0.12;
/** How far a point may be from the line without it, in radii. */
const FLAT = 0.03;

export const newStroke = (place, { radius, hardness, flow, erase }) => ({
  points: [[round(place.x), round(place.y)]],
  radius: round(radius),
  hardness,
  ...(flow < 1 ? { flow } : {}),
  ...(erase ? { erase: true } : {}),
});

const scaled = ([x, y], size) => ({ x: x * size.width, y: y * size.height });

/** With one more point, or the same stroke where it adds nothing. */
export function extended(stroke, place, size) {
  const last = scaled(stroke.points.at(-1), size);
  const next = [round(place.x), round(place.y)];
  const to = scaled(next, size);
  const near = NEAR * stroke.radius * Math.max(size.width, size.height);
  if (Math.hypot(to.x - last.x, to.y - last.y) < near) return stroke;
  return { ...stroke, points: [...stroke.points, next] };
}

function distance(p, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / squared)) : 0;
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/** Without points that lie on the line of their neighbours (Ramer 1972, Douglas and Peucker 1973). */
export function thinned(stroke, size) {
  const points = stroke.points.map((one) => scaled(one, size));
  const flat = FLAT * stroke.radius * Math.max(size.width, size.height);
  const kept = new Set([0, points.length - 1]);
  const open = [[0, points.length - 1]];
  while (open.length) {
    const [first, last] = open.pop();
    let [far, most] = [-1, flat];
    for (let i = first + 1; i < last; i++) {
      const away = distance(points[i], points[first], points[last]);
      if (away > most) [far, most] = [i, away];
    }
    if (far < 0) continue;
    kept.add(far);
    open.push([first, far], [far, last]);
  }
  return { ...stroke, points: stroke.points.filter((_, index) => kept.has(index)) };
}
