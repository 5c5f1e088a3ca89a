// A crop as text, as recipes and the command line write it: `whole`, `4:3`, `16:9@0.5,0.2`, `square`, `X,Y,W,H`.
import { isWhole, whole, wholePixels } from "./crop-rect.js";

/** Width / height of `W:H` or `square`; null for anything else. */
export function aspectOf(text) {
  const shape = text.split("@")[0];
  if (shape === "square") return 1;
  const match = /^([\d.]+):([\d.]+)$/.exec(shape);
  if (!match) return null;
  const ratio = Number(match[1]) / Number(match[2]);
  return Number.isFinite(ratio) && ratio > 0 ? ratio : null;
}

/** The pixels of a picture of size `bounds` that a text keeps. Nonsense keeps all. */
export function rectOf(text, bounds) {
  if (!text || text === "whole") return whole(bounds);
  const aspect = aspectOf(text);
  if (aspect) {
    const place = (text.split("@")[1] ?? "0.5,0.5").split(",").map(Number);
    const [x, y] = place.length === 2 && place.every((value) => value >= 0 && value <= 1) ? place : [0.5, 0.5];
    // Rounded as the engine does.
    const wide = aspect >= bounds.width / bounds.height;
    const width = wide ? bounds.width : Math.max(1, Math.round(bounds.height * aspect));
    const height = wide ? Math.max(1, Math.round(bounds.width / aspect)) : bounds.height;
    return { x: Math.round(x * (bounds.width - width)), y: Math.round(y * (bounds.height - height)), width, height };
  }
  const numbers = text.split(",").map(Number);
  if (numbers.length !== 4 || !numbers.every(Number.isFinite)) return whole(bounds);
  const [x, y, width, height] = numbers;
  return wholePixels({ x, y, width, height }, bounds);
}

/** The text of a rectangle in whole pixels; null for the whole picture, which is neutral. */
export function textOf(rect, bounds) {
  if (isWhole(rect, bounds)) return null;
  const { x, y, width, height } = wholePixels(rect, bounds);
  return `${x},${y},${width},${height}`;
}
