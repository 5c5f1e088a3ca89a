import assert from "node:assert/strict";
import { test } from "node:test";
import { createGrid } from "../page/masks/grid.js";
import { createPlace } from "../page/masks/place.js";
import { createRaster } from "../page/masks/raster.js";

// Measured: grey values of `safelight mask --show grey` on a photo of 600 × 400, at these pixels.
const size = { width: 600, height: 400 };
const places = [
  [60, 60],
  [150, 160],
  [240, 200],
  [300, 240],
  [330, 150],
  [420, 180],
  [480, 120],
  [540, 360],
  [200, 300],
  [130, 100],
  [275, 215],
  [320, 180],
  [400, 220],
  [215, 235],
  [385, 130],
];
const measured = [
  {
    mask: {"kind": "linear", "from": [0.3, 0.7], "to": [0.6, 0.2]},
    values: [0.227, 0.165, 0.31, 0.365, 0.824, 0.957, 1.0, 0.749, 0.0, 0.314, 0.376, 0.682, 0.8, 0.114, 0.984],
  },
  {
    mask: {"kind": "radial", "center": [0.4, 0.5], "radius": [0.3, 0.15], "angle": 30, "feather": 0.6},
    values: [0.0, 0.839, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.11, 1.0, 0.459, 0.0, 0.953, 0.0],
  },
  {
    mask: {
      "kind": "brush",
      "strokes": [
        {"points": [[0.2, 0.3], [0.5, 0.6], [0.8, 0.3]], "radius": 0.08, "hardness": 0.4, "flow": 0.8},
        {"points": [[0.5, 0.2], [0.5, 0.9]], "radius": 0.05, "hardness": 0, "erase": true},
      ],
    },
    values: [0.0, 0.8, 0.8, 0.0, 0.0, 0.8, 0.8, 0.0, 0.0, 0.776, 0.729, 0.165, 0.169, 0.063, 0.047],
  },
  {
    mask: {"kind": "polygon", "points": [[0.1, 0.1], [0.9, 0.3], [0.4, 0.95]]},
    values: [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
  },
  {
    mask: {"kind": "invert", "mask": {"kind": "radial", "center": [0.5, 0.5], "radius": 0.3, "feather": 1}},
    values: [1.0, 0.945, 0.255, 0.129, 0.247, 0.757, 1.0, 1.0, 0.882, 1.0, 0.071, 0.067, 0.604, 0.514, 0.667],
  },
  {
    mask: {
      "kind": "subtract",
      "masks": [
        {"kind": "linear", "from": [0.1, 0.5], "to": [0.9, 0.5]},
        {"kind": "radial", "center": [0.6, 0.5], "radius": 0.2, "feather": 0.5},
      ],
    },
    values: [0.0, 0.094, 0.318, 0.051, 0.0, 0.008, 0.957, 1.0, 0.208, 0.059, 0.169, 0.0, 0.0, 0.247, 0.106],
  },
  {
    mask: {
      "kind": "add",
      "masks": [
        {"kind": "linear", "from": [0.1, 0.5], "to": [0.9, 0.5]},
        {
          "kind": "brush",
          "strokes": [
            {"points": [[0.2, 0.3], [0.5, 0.6], [0.8, 0.3]], "radius": 0.08, "hardness": 0.4, "flow": 0.8},
            {"points": [[0.5, 0.2], [0.5, 0.9]], "radius": 0.05, "hardness": 0, "erase": true},
          ],
        },
      ],
    },
    values: [0.0, 0.82, 0.863, 0.502, 0.596, 0.969, 0.992, 1.0, 0.208, 0.788, 0.843, 0.635, 0.831, 0.294, 0.769],
  },
  {
    mask: {
      "kind": "intersect",
      "masks": [
        {"kind": "linear", "from": [0.1, 0.5], "to": [0.9, 0.5]},
        {"kind": "linear", "from": [0.5, 0.1], "to": [0.5, 0.9]},
      ],
    },
    values: [0.0, 0.031, 0.161, 0.345, 0.165, 0.345, 0.153, 1.0, 0.188, 0.004, 0.243, 0.231, 0.475, 0.165, 0.149],
  },
  {
    mask: {
      "kind": "feather",
      "radius": 0.05,
      "mask": {"kind": "polygon", "points": [[0.1, 0.1], [0.9, 0.3], [0.4, 0.95]]},
    },
    values: [0.212, 0.941, 1.0, 1.0, 1.0, 0.988, 0.741, 0.0, 0.561, 0.992, 1.0, 1.0, 0.843, 1.0, 0.996],
  },
];
const identity = { map: [1, 0, 0, 0, 1, 0, 0, 0, 1], lens: null };
const area = { x: 0, y: 0, ...size };
const grid = createGrid(createPlace(identity, size, area), area, 600, 400);
const at = (values, [x, y]) => values[y * grid.width + x];

test("masks are drawn as the engine draws them", () => {
  for (const { mask, values } of measured) {
    const found = createRaster()(mask, grid);
    places.forEach((place, index) => {
      const away = Math.abs(at(found, place) - values[index]);
      // The engine draws strokes and outlines on a grid of its own, of 1024 nodes.
      assert.ok(away < 0.04, `${JSON.stringify(mask)} at ${place}: ${at(found, place)}, not ${values[index]}`);
    });
  }
});

test("a stroke that grows is drawn as one that was there at once", () => {
  const stroke = { points: [[0.2, 0.3], [0.5, 0.6], [0.8, 0.3]], radius: 0.08, hardness: 0.4 };
  const first = { points: [[0.4, 0.1], [0.4, 0.9]], radius: 0.04, hardness: 1 };
  const erased = { points: [[0.1, 0.5], [0.9, 0.5]], radius: 0.03, hardness: 0, erase: true };
  const raster = createRaster();
  const brush = (...strokes) => ({ kind: "brush", strokes });
  raster(brush(first), grid);
  for (let count = 1; count <= 3; count++) raster(
    brush(first, { ...stroke, points: stroke.points.slice(0, count) }),
    grid,
  );
  const grown = raster(brush(first, stroke, erased), grid);
  assert.deepEqual(grown, createRaster()(brush(first, stroke, erased), grid));
  // Undone: what was drawn since is gone.
  assert.deepEqual(raster(brush(first), grid), createRaster()(brush(first), grid));
});

test("ranges read the pixels: white and black by lightness, red by its colour", () => {
  const pixels = new Uint8ClampedArray([0, 0, 0, 255, 255, 255, 255, 255, 200, 30, 30, 255, 90, 14, 14, 255]);
  const row = { width: 4, height: 1, size, places: new Float64Array(8), pixels };
  const bright = createRaster()({ kind: "luminance", from: 0.9, to: 1, softness: 0.1 }, row);
  assert.deepEqual([...bright], [0, 1, 0, 0]);
  const red = createRaster()({ kind: "color", color: "#c81e1e", range: 0.02, softness: 0.02 }, row);
  assert.deepEqual([red[0], red[1], red[2]], [0, 0, 1]);
});
