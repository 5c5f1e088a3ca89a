// The curve that the engine draws through points: smooth, and never turning back between them. No DOM.
//
// Source: Fritsch and Butland, "A method for constructing local monotone piecewise cubic interpolants", SIAM J. Sci. Stat.
// Comput. 5, 1984; ends as in SciPy's PchipInterpolator. Tests hold it against values of SciPy and of the engine.

/** Of a parabola through three points, but neither against the first piece nor over three times as steep. */
function endSlope(width, next, rise, nextRise) {
  const slope = ((2 * width + next) * rise - width * nextRise) / (width + next);
  if (slope * rise <= 0) return 0;
  return rise * nextRise <= 0 && Math.abs(slope) > 3 * Math.abs(rise) ? 3 * rise : slope;
}

function slopesOf(points) {
  const pairs = points.slice(1).map((point, index) => [points[index], point]);
  const widths = pairs.map(([a, b]) => b.x - a.x);
  const rises = pairs.map(([a, b]) => (b.y - a.y) / (b.x - a.x));
  const last = rises.length;
  if (last === 1) return [rises[0], rises[0]];
  return points.map((_, index) => {
    if (index === 0) return endSlope(widths[0], widths[1], rises[0], rises[1]);
    if (index === last) return endSlope(widths[last - 1], widths[last - 2], rises[last - 1], rises[last - 2]);
    const [before, after] = [rises[index - 1], rises[index]];
    if (before * after <= 0) return 0;
    // The harmonic mean, weighted by widths.
    const first = 2 * widths[index] + widths[index - 1];
    const second = widths[index] + 2 * widths[index - 1];
    return (first + second) / (first / before + second / after);
  });
}

/** @returns a function of x; before the first point and behind the last one it is level */
export function monotone(points) {
  const slopes = slopesOf(points);
  return (x) => {
    if (x <= points[0].x) return points[0].y;
    const next = points.findIndex((point) => x < point.x);
    if (next < 0) return points.at(-1).y;
    const [a, b] = [points[next - 1], points[next]];
    const width = b.x - a.x;
    const t = (x - a.x) / width;
    const [t2, t3] = [t * t, t * t * t];
    // Hermite's basis.
    return (
      a.y * (2 * t3 - 3 * t2 + 1) + width * slopes[next - 1] * (t3 - 2 * t2 + t) +
      b.y * (3 * t2 - 2 * t3) + width * slopes[next] * (t3 - t2)
    );
  };
}
