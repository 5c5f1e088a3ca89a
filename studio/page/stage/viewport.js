// Where the picture lies on the canvas. All in device pixels, no DOM.

/** Device pixels per pixel of the picture that let it fit; `pane.most` bounds how far a small one is enlarged. */
export const fitScale = (full, pane) =>
  Math.min(pane.width / full.width, pane.height / full.height, pane.most ?? Infinity);

/** The rectangle that the whole picture takes on the canvas, for a view in a pane; `scaled` is its size if known. */
export function pictureRect(view, pane, full, scaled = null) {
  const scale = view.mode === "fit" ? fitScale(full, pane) : view.scale;
  // The server renders no larger than the picture is: what is more is the page's.
  const known = scale > 1 ? null : scaled;
  const width = known?.width ?? Math.max(1, Math.round(full.width * scale));
  const height = known?.height ?? Math.max(1, Math.round(full.height * scale));
  const x = view.mode === "fit" ? 0.5 : view.x;
  const y = view.mode === "fit" ? 0.5 : view.y;
  // Whole pixels, so that a frame of the right size is copied and not resampled.
  return {
    x: pane.x + Math.round(pane.width / 2 - x * width),
    y: pane.y + Math.round(pane.height / 2 - y * height),
    width,
    height,
  };
}

/** A view with its centre where no more of the pane is empty than need be. */
export function clampedView(view, pane, full) {
  if (view.mode === "fit") return view;
  const place = (value, size, room) => {
    if (size <= room) return 0.5;
    const half = room / 2 / size;
    return Math.min(1 - half, Math.max(half, value));
  };
  return {
    ...view,
    x: place(view.x, full.width * view.scale, pane.width),
    y: place(view.y, full.height * view.scale, pane.height),
  };
}

/** The largest zoom: eight device pixels for one of the picture. */
export const MOST = 8;

/**
 * A view at a new scale, with the picture's point under (x, y) of the canvas kept there.
 *
 * `pane` is that of a zoomed picture; `least` is the scale of the fitted one: at or below it the view is "fit".
 */
export function zoomedAt(view, pane, full, { scale, x, y, least }) {
  const next = Math.min(Math.max(MOST, least), scale);
  if (next <= least * 1.001) return { mode: "fit", scale: least, x: 0.5, y: 0.5 };
  const now = pictureRect(asZoom(view, least), pane, full);
  const u = (x - now.x) / now.width;
  const v = (y - now.y) / now.height;
  const zoomed = {
    mode: "zoom",
    scale: next,
    x: u + (pane.x + pane.width / 2 - x) / (full.width * next),
    y: v + (pane.y + pane.height / 2 - y) / (full.height * next),
  };
  return clampedView(zoomed, pane, full);
}

/** A fitted view as a zoomed one of the same scale: margins are alike on both sides, so its centre is the same. */
export const asZoom = (view, least) =>
  view.mode === "fit" ? { mode: "zoom", scale: least, x: 0.5, y: 0.5 } : view;

/** What to ask the server for, to fill a pane with a zoomed view: above 100 %, the pixels themselves and one around. */
export function askedOf({ scale, x, y }, { width, height }) {
  if (scale <= 1) return { width, height, mode: "zoom", scale, x, y };
  const pixels = (size) => Math.ceil(size / scale) + 2;
  return { width: pixels(width), height: pixels(height), mode: "zoom", scale: 1, x, y };
}

/** A view moved with the pointer by (dx, dy). */
export function panned(view, pane, full, dx, dy) {
  if (view.mode === "fit") return view;
  const moved = {
    ...view,
    x: view.x - dx / (full.width * view.scale),
    y: view.y - dy / (full.height * view.scale),
  };
  return clampedView(moved, pane, full);
}

/** Where a frame's pixels go, when the whole picture takes `rect`. */
export function frameRect(frame, rect) {
  const { scaled, window } = frame;
  const sx = rect.width / scaled.width;
  const sy = rect.height / scaled.height;
  return {
    x: rect.x + window.x * sx,
    y: rect.y + window.y * sy,
    width: window.width * sx,
    height: window.height * sy,
  };
}

export const mix = (a, b, t) => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
  width: a.width + (b.width - a.width) * t,
  height: a.height + (b.height - a.height) * t,
});

/** The rectangle of a part (0…1) of a rectangle. */
export const partOf = (rect, part) => ({
  x: rect.x + part.x * rect.width,
  y: rect.y + part.y * rect.height,
  width: part.width * rect.width,
  height: part.height * rect.height,
});

/** The rectangle of which `part` (0…1) is `rect`. */
export const wholeOf = (rect, part) => ({
  x: rect.x - (part.x / part.width) * rect.width,
  y: rect.y - (part.y / part.height) * rect.height,
  width: rect.width / part.width,
  height: rect.height / part.height,
});

/** CSS pixels that stay free around a fitted picture, on a stage of some width. */
export const fitMargin = (width) => (width < 700 ? 0 : 24);

/**
 * The panes of the canvas: one, or two side by side (or one above the other, whichever shows more of the picture).
 * `margin` is kept free around each while the picture is fitted, which enlarges it to `most` at most.
 */
export function panesOf(canvas, { margin, side, full, gap, most }) {
  const inset = (pane, by) => ({
    x: pane.x + by,
    y: pane.y + by,
    width: Math.max(1, pane.width - 2 * by),
    height: Math.max(1, pane.height - 2 * by),
    most,
  });
  if (!side) return [inset({ x: 0, y: 0, ...canvas }, margin)];
  const half = Math.floor((canvas.width - gap) / 2);
  const across = [0, canvas.width - half].map((x) => inset({ x, y: 0, width: half, height: canvas.height }, margin));
  const tall = Math.floor((canvas.height - gap) / 2);
  const stacked = [0, canvas.height - tall].map((y) =>
    inset({ x: 0, y, width: canvas.width, height: tall }, margin),
  );
  return !full || fitScale(full, across[0]) >= fitScale(full, stacked[0]) ? across : stacked;
}
