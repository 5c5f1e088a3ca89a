// What straightening leaves of a picture: the engine's own formula, so that the page foresees its size.

/** Whole pixels of a picture of `size` straightened by `angle` degrees; `corners` is "crop" or "keep". */
export function straightenedSize({ width: w, height: h }, angle, corners = "crop") {
  // The engine keeps the angle in single precision.
  const radians = (Math.fround(angle) * Math.PI) / 180;
  if (radians === 0) return { width: w, height: h };
  const cosine = Math.cos(radians);
  const sine = Math.abs(Math.sin(radians));
  const spanX = w * cosine + h * sine;
  const spanY = w * sine + h * cosine;
  if (corners === "keep") {
    return { width: Math.ceil(spanX - 1e-6), height: Math.ceil(spanY - 1e-6) };
  }
  const scale = Math.min(w / spanX, h / spanY);
  return { width: Math.max(1, Math.trunc(w * scale)), height: Math.max(1, Math.trunc(h * scale)) };
}

/** Turns a vector clockwise (y points down) by degrees. */
export function turnedVector({ x, y }, degrees) {
  const radians = (degrees * Math.PI) / 180;
  const cosine = Math.cos(radians);
  const sine = Math.sin(radians);
  return { x: x * cosine - y * sine, y: x * sine + y * cosine };
}

/** A point (0…1) of the picture before straightening, as a point (0…1) of the straightened one. */
export function straightenedPoint(point, size, full, angle) {
  const from = { x: (point.x - 0.5) * size.width, y: (point.y - 0.5) * size.height };
  const to = turnedVector(from, angle);
  return { x: 0.5 + to.x / full.width, y: 0.5 + to.y / full.height };
}
