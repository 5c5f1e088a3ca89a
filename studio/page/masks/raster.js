// What a mask is at each pixel of a grid over the view, by the engine's own formulas. No DOM.
import { oklab } from "../scopes/lightness.js";
import { createBrushRaster } from "./brush-raster.js";
import { blur } from "./blur.js";
import { flatGrid, sampled } from "./grid.js";
import { point, radiiOf } from "./shapes.js";

const clip = (value) => (value < 0 ? 0 : value > 1 ? 1 : value);
const curve = (value) => value * value * (3 - 2 * value);
/** More than any lightness: black includes what is darker, white what is brighter. */
const BEYOND = 1000;

/** @returns a function of a mask and a grid (grid.js); values are 0…1 by rows. Strokes are kept from call to call. */
export function createRaster() {
  const brushes = new Map();
  let seen = new Set();
  let flat = null;

  /** Feathers are as wide as they are on the photo, and reach in from where it is cropped: they are made on all of it. */
  function feathered({ mask, radius }, grid, path) {
    const { width, height } = grid.size;
    if (flat?.size.width !== width || flat.size.height !== height) flat = flatGrid(grid.size);
    const long = Math.max(flat.width, flat.height);
    return sampled(blur(raster(mask, flat, path).slice(), flat, radius * long), flat, grid);
  }

  function raster(mask, grid, path) {
    switch (mask?.kind) {
      case "linear":
        return linear(mask, grid);
      case "radial":
        return radial(mask, grid);
      case "luminance":
        return luminance(mask, grid);
      case "color":
        return colour(mask, grid);
      case "brush": {
        seen.add(path);
        if (!brushes.has(path)) brushes.set(path, createBrushRaster());
        return brushes.get(path)(mask.strokes, grid);
      }
      case "polygon":
        return polygon(mask, grid);
      case "invert":
        return raster(mask.mask, grid, `${path}/`).map((value) => 1 - value);
      case "feather":
        return feathered(mask, grid, `${path}/`);
      case "add":
      case "intersect":
      case "subtract":
        return joined(mask, mask.masks.map((one, index) => raster(one, grid, `${path}/${index}`)));
      default:
        return filled(grid, 1);
    }
  }

  return (mask, grid) => {
    seen = new Set();
    const values = raster(mask, grid, "");
    for (const path of brushes.keys()) if (!seen.has(path)) brushes.delete(path);
    return values;
  };
}

const filled = ({ width, height }, value) => new Float32Array(width * height).fill(value);

function joined({ kind }, parts) {
  const values = parts[0].slice();
  for (const part of parts.slice(1)) {
    for (let i = 0; i < values.length; i++) {
      if (kind === "add") values[i] = 1 - (1 - values[i]) * (1 - part[i]);
      else values[i] *= kind === "subtract" ? 1 - part[i] : part[i];
    }
  }
  return values;
}

/** Calls `value(x, y)` with each pixel's place in pixels of the photo. */
function each({ places }, value) {
  const values = new Float32Array(places.length / 2);
  for (let i = 0; i < values.length; i++) values[i] = value(places[2 * i], places[2 * i + 1]);
  return values;
}

function linear({ from, to }, grid) {
  const { width, height } = grid.size;
  const [fx, fy] = [from[0] * width, from[1] * height];
  const [dx, dy] = [to[0] * width - fx, to[1] * height - fy];
  const squared = dx * dx + dy * dy || 1;
  return each(grid, (x, y) => curve(clip(((x - fx) * dx + (y - fy) * dy) / squared)));
}

function radial(mask, grid) {
  const { width, height } = grid.size;
  const [rx, ry] = radiiOf(mask).map((radius) => radius * Math.max(width, height));
  const centre = point(mask.center);
  const [cx, cy] = [centre.x * width, centre.y * height];
  const turn = ((mask.angle ?? 0) * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
  const feather = Math.max(mask.feather ?? 0.5, 1e-4);
  return each(grid, (x, y) => {
    const u = ((x - cx) * cosine + (y - cy) * sine) / rx;
    const v = ((y - cy) * cosine - (x - cx) * sine) / ry;
    const r = Math.sqrt(u * u + v * v);
    return 1 - curve(clip((r - 1 + feather) / feather));
  });
}

function luminance({ from = 0, to = 1, softness = 0.1 }, grid) {
  const [low, high] = [from === 0 ? -BEYOND : from, to === 1 ? BEYOND : to];
  const soft = Math.max(softness, 0.004);
  return eachPixel(grid, ([l]) => clip(Math.min((l - low) / soft, (high - l) / soft) + 1));
}

function colour({ color, range = 0.05, softness = 0.05 }, grid) {
  const code = Number.parseInt(color.slice(1), 16);
  const [, a, b] = oklab(code >> 16, (code >> 8) & 255, code & 255);
  const soft = Math.max(softness, 0.002);
  return eachPixel(grid, ([, u, v]) => 1 - curve(clip((Math.hypot(u - a, v - b) - range) / soft)));
}

function eachPixel({ width, height, pixels }, value) {
  const values = new Float32Array(width * height);
  if (!pixels) return values;
  for (let i = 0, j = 0; j < values.length; i += 4, j++) {
    values[j] = value(oklab(pixels[i], pixels[i + 1], pixels[i + 2]));
  }
  return values;
}

/** Inside where the outline turns around it, in whichever direction. */
function polygon({ points }, grid) {
  const corners = points.map(([x, y]) => [x * grid.size.width, y * grid.size.height]);
  return each(grid, (x, y) => {
    let turns = 0;
    for (let i = 0; i < corners.length; i++) {
      const [ax, ay] = corners[i];
      const [bx, by] = corners[(i + 1) % corners.length];
      const side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
      if (ay <= y && by > y && side > 0) turns++;
      else if (ay > y && by <= y && side < 0) turns--;
    }
    return turns === 0 ? 0 : 1;
  });
}
