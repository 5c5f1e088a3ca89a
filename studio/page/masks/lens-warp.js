// Where a lens recorded what belongs at each place: along the line from its centre. The engine's own formula.

/**
 * @param {object} lens as the server describes it: `terms` k₀…k₄, the distance `limit` up to which they hold, and `toLens`,
 *   `[a, b, c, d, e, f]`: the affine map from places to the lens's plane, with its centre at 0
 */
export function createLensWarp({ terms: [k0, k1, k2, k3, k4], limit, toLens: [a, b, c, d, e, f] }) {
  const valueOf = (r) => k0 + r * (k1 + r * (k2 + r * (k3 + r * k4)));
  const changeOf = (r) => k1 + r * (2 * k2 + r * (3 * k3 + r * 4 * k4));
  // Beyond the limit, where profiles are guesses, the curve goes on as a straight line.
  const end = limit * valueOf(limit);
  const slope = valueOf(limit) + limit * changeOf(limit);
  const size = a * e - b * d;

  /** The distance at which what belongs at a distance r was recorded. */
  const recorded = (r) => (r > limit ? end + slope * (r - limit) : r * valueOf(r));

  /** The inverse of `recorded`, by Newton's steps within what is known of the root. */
  function belongs(distance) {
    if (distance >= end) return limit + (distance - end) / slope;
    let [low, high] = [0, limit];
    let r = Math.min(distance / k0, limit);
    for (let step = 0; step < 60; step++) {
      const error = r * valueOf(r) - distance;
      if (error > 0) high = r;
      else low = r;
      if (Math.abs(error) < 1e-14) break;
      const next = r - error / (valueOf(r) + r * changeOf(r));
      r = next > low && next < high ? next : (low + high) / 2;
    }
    return r;
  }

  function along({ x, y }, move) {
    const u = a * x + b * y + c;
    const v = d * x + e * y + f;
    const r = Math.hypot(u, v);
    if (r === 0) return { x, y };
    const factor = move(r) / r;
    const p = u * factor - c;
    const q = v * factor - f;
    return { x: (e * p - b * q) / size, y: (a * q - d * p) / size };
  }

  return {
    apply: (point) => along(point, recorded),
    inverse: (point) => along(point, belongs),
  };
}
