// What stands behind the points of a curve: the picture's histogram, a grid of quarters, and the curves themselves.
import { heightsOf } from "../../scopes/counts.js";
import { monotone } from "./monotone.js";
import { toPixels, toPlace } from "./points.js";

/** By the names of channels; all other curves are white. */
const lines = {
  red: { line: "rgb(255 92 80)", fill: "rgb(150 28 26 / .85)" },
  green: { line: "rgb(86 214 108)", fill: "rgb(24 122 34 / .85)" },
  blue: { line: "rgb(96 152 255)", fill: "rgb(26 44 168)" },
};
const white = { line: "#fff", fill: "rgb(255 255 255 / .2)" };
export const lookOf = ({ name }) => lines[name] ?? white;

/** Tones of curves are encoded as sRGB; L of OKLab is the cube root of a grey's light. */
function toneOfLightness(lightness) {
  const light = lightness ** 3;
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
}
const even = Array.from({ length: 256 }, (_, bin) => bin / 255);
const lightnessTones = even.map(toneOfLightness);

/**
 * Which counts stand behind a curve, and the tones of their bins: those of the curve's channel, of lightness behind a curve
 * of luminance, of all three channels behind others.
 */
function layersOf({ name }, histogram) {
  if (lines[name]) return [{ counts: histogram[name], tones: even, fill: lines[name].fill }];
  if (name === "luminance") return [{ counts: histogram.lightness, tones: lightnessTones, fill: white.fill }];
  return Object.entries(lines).map(([channel, { fill }]) => ({ counts: histogram[channel], tones: even, fill }));
}

/** A curve tears gaps between bins: behind it only the shape counts. */
const smoothed = (heights) =>
  heights.map((part, bin) => (2 * part + (heights[bin - 1] ?? part) + (heights[bin + 1] ?? part)) / 4);

function drawHistogram(context, area, layers) {
  context.save();
  context.globalAlpha = 0.45;
  context.globalCompositeOperation = "lighter";
  for (const { counts, tones, fill } of layers) {
    context.beginPath();
    context.moveTo(area.left, area.top + area.height);
    smoothed(heightsOf(counts)).forEach((part, bin) =>
      context.lineTo(area.left + tones[bin] * area.width, area.top + area.height * (1 - part * 0.92)));
    context.lineTo(area.left + area.width, area.top + area.height);
    context.closePath();
    context.fillStyle = fill;
    context.fill();
  }
  context.restore();
}

/** Quarters, and the line that changes nothing; lines of one pixel, on pixels. */
function drawGrid(context, area, pixel) {
  context.fillStyle = "rgb(255 255 255 / .11)";
  for (let i = 0; i <= 4; i++) {
    const x = Math.round(area.left + (i / 4) * (area.width - pixel));
    const y = Math.round(area.top + (i / 4) * (area.height - pixel));
    context.fillRect(x, area.top, pixel, area.height);
    context.fillRect(area.left, y, area.width, pixel);
  }
  context.strokeStyle = "rgb(255 255 255 / .17)";
  context.lineWidth = pixel;
  context.beginPath();
  context.moveTo(area.left, area.top + area.height);
  context.lineTo(area.left + area.width, area.top);
  context.stroke();
}

/** Through each column of pixels at its middle. */
function drawCurve(context, area, { parameter, points }, width, alpha) {
  const at = monotone(points);
  context.save();
  context.beginPath();
  for (let column = 0; column <= area.width; column++) {
    const { x } = toPlace({ x: area.left + column, y: 0 }, area, parameter);
    const place = toPixels({ x, y: at(x) }, area, parameter);
    if (column === 0) context.moveTo(place.x, place.y);
    else context.lineTo(place.x, place.y);
  }
  context.globalAlpha = alpha;
  context.strokeStyle = lookOf(parameter).line;
  context.lineWidth = width;
  context.lineJoin = "round";
  context.stroke();
  context.restore();
}

/**
 * @param {object} area where 0…1 is on the canvas, in device pixels; `ratio`: of them to a CSS pixel
 * @param {object} curves `current`, and `others`, which are drawn faintly: `{ parameter, points }` each
 */
export function drawPlot(context, { width, height, area, ratio }, { histogram, current, others }) {
  context.clearRect(0, 0, width, height);
  if (histogram) drawHistogram(context, area, layersOf(current.parameter, histogram));
  drawGrid(context, area, Math.max(1, Math.round(ratio)));
  for (const other of others) drawCurve(context, area, other, 1.25 * ratio, 0.5);
  drawCurve(context, area, current, 2 * ratio, 1);
}
