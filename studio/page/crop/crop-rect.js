// Rectangles of the crop, `{ x, y, width, height }` in pixels of the picture before the crop; bounds are `{ width, height }`.

export const whole = (bounds) => ({ x: 0, y: 0, ...bounds });
const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

/** Shifted into the bounds, and made smaller (keeping its proportions) only if it must be. */
export function inside(rect, bounds) {
  const scale = Math.min(1, bounds.width / rect.width, bounds.height / rect.height);
  const width = rect.width * scale;
  const height = rect.height * scale;
  const x = rect.x + (rect.width - width) / 2;
  const y = rect.y + (rect.height - height) / 2;
  return { x: clamp(x, 0, bounds.width - width), y: clamp(y, 0, bounds.height - height), width, height };
}

export const moved = (rect, dx, dy, bounds) => ({
  ...rect,
  x: clamp(rect.x + dx, 0, bounds.width - rect.width),
  y: clamp(rect.y + dy, 0, bounds.height - rect.height),
});

/**
 * Dragged by a grabber: `handle` has n, s, e, w; `aspect` is width / height, null for any; `least` is the smallest side.
 */
export function resized(rect, handle, dx, dy, bounds, { aspect = null, least = 16 } = {}) {
  const small = { width: Math.min(least, bounds.width), height: Math.min(least, bounds.height) };
  let left = rect.x;
  let top = rect.y;
  let right = rect.x + rect.width;
  let bottom = rect.y + rect.height;
  if (handle.includes("w")) left = clamp(left + dx, 0, right - small.width);
  if (handle.includes("e")) right = clamp(right + dx, left + small.width, bounds.width);
  if (handle.includes("n")) top = clamp(top + dy, 0, bottom - small.height);
  if (handle.includes("s")) bottom = clamp(bottom + dy, top + small.height, bounds.height);
  if (!aspect) return { x: left, y: top, width: right - left, height: bottom - top };

  let width = right - left;
  let height = bottom - top;
  const across = /[ew]/.test(handle);
  const along = /[ns]/.test(handle);
  // A corner follows whichever direction asks for more; an edge decides alone.
  if (across && along) width = Math.max(width, height * aspect);
  else if (along) width = height * aspect;
  // What stays: the opposite corner, or the middle of the opposite edge.
  const anchor = {
    x: handle.includes("w") ? rect.x + rect.width : handle.includes("e") ? rect.x : rect.x + rect.width / 2,
    y: handle.includes("n") ? rect.y + rect.height : handle.includes("s") ? rect.y : rect.y + rect.height / 2,
  };
  const room = (at, size, low, high) => (low ? at : high ? size - at : 2 * Math.min(at, size - at));
  const roomX = room(anchor.x, bounds.width, handle.includes("w"), handle.includes("e"));
  const roomY = room(anchor.y, bounds.height, handle.includes("n"), handle.includes("s"));
  const most = Math.min(roomX, roomY * aspect);
  width = Math.min(most, Math.max(width, small.width, small.height * aspect));
  height = width / aspect;
  return {
    x: handle.includes("w") ? anchor.x - width : handle.includes("e") ? anchor.x : anchor.x - width / 2,
    y: handle.includes("n") ? anchor.y - height : handle.includes("s") ? anchor.y : anchor.y - height / 2,
    width,
    height,
  };
}

/** The same centre and about the same area with other proportions, inside the bounds. */
export function withAspect(rect, aspect, bounds) {
  const width = Math.sqrt(rect.width * rect.height * aspect);
  const fits = Math.min(1, bounds.width / width, bounds.height / (width / aspect));
  const next = { width: width * fits, height: (width / aspect) * fits };
  return inside(
    { x: rect.x + (rect.width - next.width) / 2, y: rect.y + (rect.height - next.height) / 2, ...next },
    bounds,
  );
}

/** The largest centred one with these proportions. */
export function largest(aspect, bounds) {
  const width = Math.min(bounds.width, bounds.height * aspect);
  const height = width / aspect;
  return { x: (bounds.width - width) / 2, y: (bounds.height - height) / 2, width, height };
}

/** Seen after the picture is turned by 90° clockwise (or counterclockwise). */
export const turnedRect = ({ x, y, width, height }, bounds, clockwise) =>
  clockwise
    ? { x: bounds.height - y - height, y: x, width: height, height: width }
    : { x: y, y: bounds.width - x - width, width: height, height: width };

export const mirroredRect = (rect, bounds, axis) => ({
  ...rect,
  x: axis === "h" ? bounds.width - rect.x - rect.width : rect.x,
  y: axis === "v" ? bounds.height - rect.y - rect.height : rect.y,
});

/** Whole pixels inside the bounds; proportions are kept to the nearest pixel. */
export function wholePixels(rect, bounds) {
  const width = clamp(Math.round(rect.width), 1, bounds.width);
  const height = clamp(Math.round(rect.height), 1, bounds.height);
  return {
    x: clamp(Math.round(rect.x), 0, bounds.width - width),
    y: clamp(Math.round(rect.y), 0, bounds.height - height),
    width,
    height,
  };
}

export const isWhole = (rect, bounds) =>
  rect.x < 0.5 && rect.y < 0.5 && rect.width > bounds.width - 0.5 && rect.height > bounds.height - 0.5;
