// Numbers as people read and type them: a real minus, a sign where both directions exist, the unit.
import { decimals } from "./scale.js";

const MINUS = "−";

/** `+0.30 EV`, `−12`, `5200 K`, `−2.4°` */
export function format(parameter, value) {
  const digits = decimals(parameter.step);
  const size = Math.abs(value).toFixed(digits);
  const isZero = Number(size) === 0;
  const signed = parameter.minimum < 0 && !isZero;
  const sign = value < 0 && !isZero ? MINUS : signed ? "+" : "";
  const unit = parameter.unit ? (parameter.unit === "°" ? "°" : ` ${parameter.unit}`) : "";
  return sign + size + unit;
}

/** What a person typed, within the values accepted; null if it is no number. Units, signs and a decimal comma are read. */
export function parse(parameter, text) {
  const match = /^\s*([+\-−–]?)\s*(\d+(?:[.,]\d*)?|[.,]\d+)\s*(?:%|°|\p{L}*)\s*$/u.exec(text);
  if (!match) return null;
  const size = Number(match[2].replace(",", "."));
  const value = match[1] === "" || match[1] === "+" ? size : -size;
  if (!Number.isFinite(value)) return null;
  return Math.min(parameter.maximum, Math.max(parameter.minimum, value));
}

/** `2.1 MB`, `840 kB` */
export function bytes(count) {
  if (count < 1e3) return `${count} B`;
  const [size, unit] = count < 1e6 ? [count / 1e3, "kB"] : count < 1e9 ? [count / 1e6, "MB"] : [count / 1e9, "GB"];
  return `${size < 10 ? size.toFixed(1) : size.toFixed(0)} ${unit}`;
}

/** What a filter costs in the plan: `fused, +0.0 ms`, `+2.1 ms`. */
export function cost({ milliseconds, fused }) {
  const time = `+${Math.max(0, milliseconds).toFixed(1)} ms`;
  return fused ? `fused, ${time}` : time;
}
