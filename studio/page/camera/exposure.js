// The sun beside the focus square: stops of a drag. No DOM.

export const MOST = 2;
/** CSS pixels of a drag for one stop. */
export const PIXELS = 44;
const MAGNET = 0.08;

/** Stops after a drag by `dy` CSS pixels (up is brighter), pulled to neutral where it is near. */
export function draggedStops(start, dy) {
  const raw = Math.min(MOST, Math.max(-MOST, start - dy / PIXELS));
  return Math.abs(raw) <= MAGNET ? 0 : Math.round(raw * 20) / 20;
}

/** `0`, `+0.7`, `−1.5` */
export function stopsText(stops) {
  const text = Math.abs(stops).toFixed(1);
  if (Number(text) === 0) return "0";
  return `${stops < 0 ? "−" : "+"}${text}`;
}
