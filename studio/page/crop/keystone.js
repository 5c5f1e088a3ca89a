// What a keystone leaves of a picture: the engine's own formula, so that the page foresees its size.

/** The diagonal of 35 mm film, in mm. */
const FILM = Math.hypot(36, 24);
/** The focal length that is assumed without one. */
export const USUAL_FOCAL_LENGTH = 26;

/**
 * Whole pixels of a picture of `size` whose camera is turned by angles in degrees; null where that would look beyond the
 * horizon, which the engine refuses.
 */
export function keystoneSize({ width, height }, vertical, horizontal, focalLength = USUAL_FOCAL_LENGTH) {
  // The engine keeps its parameters in single precision.
  const radians = (degrees) => (Math.fround(degrees) * Math.PI) / 180;
  const [pitch, yaw] = [radians(vertical), radians(horizontal)];
  if (pitch === 0 && yaw === 0) return { width, height };
  const focal = (Math.fround(focalLength) / FILM) * Math.hypot(width, height);
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) =>
    seenTurned((x * width) / 2, (y * height) / 2, focal, pitch, yaw));
  const scale = corners.includes(null) ? null : windowScale(width, height, corners);
  if (scale === null) return null;
  return { width: Math.max(1, Math.trunc(scale * width)), height: Math.max(1, Math.trunc(scale * height)) };
}

/** Where the turned camera shows what the real one saw at x, y from the middle; null if that is behind it. */
function seenTurned(x, y, focal, pitch, yaw) {
  const [cp, sp, cy, sy] = [Math.cos(pitch), Math.sin(pitch), Math.cos(yaw), Math.sin(yaw)];
  const [y1, z1] = [cp * y - sp * focal, sp * y + cp * focal];
  const [x0, z0] = [cy * x + sy * z1, -sy * x + cy * z1];
  return z0 > 0 ? { x: (x0 / z0) * focal, y: (y1 / z0) * focal } : null;
}

const determinant = ([a, b, c], [d, e, f], [g, h, i]) =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);

/**
 * How large the largest rectangle of the proportions `width` : `height` in a convex quadrilateral is; null if the shape is
 * not one.
 *
 * Each edge n·x ≤ d bounds the centre c and the scale s by n·c + s·(|nx|·w + |ny|·h) / 2 ≤ d, so the largest s is where
 * three of the four bounds meet.
 */
function windowScale(width, height, corners) {
  const bounds = corners.map((a, index) => {
    const b = corners[(index + 1) % 4];
    const [nx, ny] = [b.y - a.y, a.x - b.x];
    return { normal: [nx, ny, (Math.abs(nx) * width + Math.abs(ny) * height) / 2], limit: nx * a.x + ny * a.y };
  });
  const isConvex = bounds.every(({ normal: [nx, ny], limit }, index) => {
    const next = corners[(index + 2) % 4];
    return nx * next.x + ny * next.y < limit;
  });
  if (!isConvex) return null;
  let best = null;
  for (const bound of bounds) {
    const [p, q, r] = bounds.filter((other) => other !== bound);
    const rows = [p.normal, q.normal, r.normal];
    const whole = determinant(...rows);
    if (Math.abs(whole) <= 1e-12) continue;
    const limits = [p.limit, q.limit, r.limit];
    // Cramer's rule.
    const solution = [0, 1, 2].map((column) => {
      const replaced = rows.map((row, index) => row.map((value, at) => (at === column ? limits[index] : value)));
      return determinant(...replaced) / whole;
    });
    const reached = solution.reduce((sum, value, index) => sum + value * bound.normal[index], 0);
    const isWithin = reached <= bound.limit + 1e-9 * Math.abs(bound.limit) + 1e-9;
    if (solution[2] > (best ?? 0) && isWithin) best = solution[2];
  }
  return best;
}
