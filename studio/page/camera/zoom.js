// Zoom on a logarithmic scale, as the eye sees it: each doubling is as long as the one before. No DOM.

/** By the lens as far as it reaches, then by cutting away. */
export const LARGEST = 8;
/** The buttons, and where a pinch that crosses them is felt. */
export const STOPS = [1, 2, 5];

export const clampedZoom = (factor) => Math.min(LARGEST, Math.max(1, factor));

/** 0 at 1×, 1 at the largest. */
export const zoomPosition = (factor) => Math.log(clampedZoom(factor)) / Math.log(LARGEST);

/** A wheel's or trackpad's step in pixels; pinches of a trackpad are small. */
export const wheeled = (factor, delta, isPinch) =>
  clampedZoom(factor * Math.exp(-delta * (isPinch ? 0.01 : 0.0022)));

/** The part of a zoom that is cut away, beyond what a lens of a control's range (`1x…4x, …`) does. */
export function digitalPart(factor, range) {
  const lens = /^1x…(\d+(?:\.\d+)?)x/.exec(range ?? "");
  return factor / Math.min(factor, lens ? Number(lens[1]) : 1);
}

/** `1×`, `1.4×`, `5×` */
export function zoomText(factor) {
  const rounded = Math.round(factor * 10) / 10;
  return `${Number.isInteger(rounded) ? rounded : rounded.toFixed(1)}×`;
}

/** The stop whose button is lit: the last one at or below the factor. */
export const stopOf = (factor) => STOPS.findLast((stop) => factor >= stop - 0.05) ?? STOPS[0];

/** The stop that was crossed or reached between two factors, or null. */
export const crossed = (from, to) =>
  STOPS.find((stop) => (from < stop && to >= stop) || (from > stop && to <= stop)) ?? null;
