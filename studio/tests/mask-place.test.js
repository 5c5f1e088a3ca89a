import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlace, throughEdit } from "../page/masks/place.js";

// Measured: centres of small circles that the engine itself drew (`safelight mask --recipe … --show grey`) on a photo
// of 600 × 400 behind the same geometry. Pixels of a circle are whole, so a centre is known to a third of one.
const size = { width: 600, height: 400 };
const measured = [
  {
    filters: [],
    full: [600, 400],
    points: [[[0.4, 0.35], [0.4, 0.35]], [[0.6, 0.7], [0.6, 0.7]]],
  },
  {
    filters: [
      { "filter": "rotate", "degrees": "90"},
    ],
    full: [400, 600],
    points: [[[0.4, 0.35], [0.65, 0.4]], [[0.6, 0.7], [0.3, 0.6]]],
  },
  {
    filters: [
      { "filter": "rotate", "degrees": "180"},
    ],
    full: [600, 400],
    points: [[[0.4, 0.35], [0.6, 0.65]], [[0.6, 0.7], [0.4, 0.3]]],
  },
  {
    filters: [
      { "filter": "rotate", "degrees": "270"},
    ],
    full: [400, 600],
    points: [[[0.4, 0.35], [0.35, 0.6]], [[0.6, 0.7], [0.7, 0.4]]],
  },
  {
    filters: [
      { "filter": "flip", "axis": "h"},
    ],
    full: [600, 400],
    points: [[[0.4, 0.35], [0.6, 0.35]], [[0.6, 0.7], [0.4, 0.7]]],
  },
  {
    filters: [
      { "filter": "flip", "axis": "v"},
    ],
    full: [600, 400],
    points: [[[0.4, 0.35], [0.4, 0.65]], [[0.6, 0.7], [0.6, 0.3]]],
  },
  {
    filters: [
      { "filter": "rotate", "degrees": "90"},
      { "filter": "flip", "axis": "h"},
    ],
    full: [400, 600],
    points: [[[0.4, 0.35], [0.35, 0.4]], [[0.6, 0.7], [0.7, 0.6]]],
  },
  {
    filters: [
      { "filter": "rotate", "degrees": "270"},
      { "filter": "flip", "axis": "v"},
    ],
    full: [400, 600],
    points: [[[0.4, 0.35], [0.35, 0.4]], [[0.6, 0.7], [0.7, 0.6]]],
  },
  {
    filters: [
      { "filter": "straighten", "angle": 7, "corners": "crop"},
    ],
    full: [510, 340],
    points: [[[0.4, 0.35], [0.3975, 0.3034]], [[0.6, 0.7], [0.5976, 0.755]]],
  },
  {
    filters: [
      { "filter": "straighten", "angle": -12.5, "corners": "crop"},
    ],
    full: [461, 307],
    points: [[[0.4, 0.35], [0.3448, 0.3515]], [[0.6, 0.7], [0.6646, 0.7121]]],
  },
  {
    filters: [
      { "filter": "straighten", "angle": 10, "corners": "keep"},
    ],
    full: [661, 499],
    points: [[[0.4, 0.35], [0.4264, 0.3607]], [[0.6, 0.7], [0.5684, 0.6787]]],
  },
  {
    filters: [
      { "filter": "crop", "region": "100,40,400,300"},
    ],
    full: [400, 300],
    points: [[[0.4, 0.35], [0.35, 0.3333]], [[0.6, 0.7], [0.65, 0.8]]],
  },
  {
    filters: [
      { "filter": "crop", "region": "1:1@0.2,0"},
    ],
    full: [400, 400],
    points: [[[0.4, 0.35], [0.5, 0.35]], [[0.6, 0.7], [0.8, 0.7]]],
  },
  {
    filters: [
      { "filter": "rotate", "degrees": "90"},
      { "filter": "flip", "axis": "h"},
      { "filter": "straighten", "angle": 5, "corners": "crop"},
      { "filter": "crop", "region": "40,60,300,380"},
    ],
    full: [300, 380],
    points: [[[0.4, 0.35], [0.2749, 0.371]], [[0.6, 0.7], [0.7049, 0.7177]]],
  },
  {
    filters: [
      { "filter": "rotate", "degrees": "270"},
      { "filter": "straighten", "angle": -8, "corners": "keep"},
      { "filter": "crop", "region": "4:5"},
    ],
    full: [480, 600],
    points: [[[0.4, 0.35], [0.3936, 0.6129]], [[0.6, 0.7], [0.6476, 0.3824]]],
  },
];

const flags = {
  rotate: ({ degrees }) => ({ rotate: degrees }),
  flip: ({ axis }) => ({ flip: axis }),
  straighten: ({ angle, corners }) => ({ straighten: angle, "straighten-corners": corners }),
  crop: ({ region }) => ({ crop: region }),
};
const near = (found, [x, y], full, message) => {
  const away = Math.hypot((found.x - x) * full.width, (found.y - y) * full.height);
  assert.ok(away < 0.35, `${message}: ${away} pixels away`);
};

test("places go through turns, mirrors, straightening and crops as the engine's own masks do", () => {
  for (const { filters, full, points } of measured) {
    const values = Object.assign({}, ...filters.map((one) => flags[one.filter](one)));
    const found = throughEdit({ base: [], values }, size);
    assert.deepEqual([found.full.width, found.full.height], full, JSON.stringify(values));
    const place = createPlace({ base: [], values }, size, { x: 0, y: 0, width: 1, height: 1 });
    for (const [[x, y], to] of points) near(place.toView({ x, y }), to, found.full, JSON.stringify(values));
  }
});

test("so they do where a recipe beneath the edit has the geometry, or a part of it", () => {
  for (const { filters, points } of measured) {
    const base = filters.slice(0, 1);
    const values = Object.assign({}, ...filters.slice(1).map((one) => flags[one.filter](one)));
    const { full } = throughEdit({ base, values }, size);
    const place = createPlace({ base, values }, size, { x: 0, y: 0, width: 1, height: 1 });
    for (const [[x, y], to] of points) near(place.toView({ x, y }), to, full, JSON.stringify({ base, values }));
  }
});

test("the way back ends where it began, wherever the picture lies in the view", () => {
  const values = { rotate: "90", flip: "h", straighten: 5, crop: "40,60,300,380" };
  const place = createPlace({ base: [], values }, size, { x: 31, y: -80, width: 600, height: 760 });
  for (const point of [{ x: 0, y: 0 }, { x: 1, y: 0.25 }, { x: -0.5, y: 2 }]) {
    const back = place.toMask(place.toView(point));
    assert.ok(Math.hypot(back.x - point.x, back.y - point.y) < 1e-9);
  }
  // Twice as large as the crop's pixels: so is each pixel of the photo, however it is turned.
  assert.ok(Math.abs(place.pixel - 2) < 1e-9);
  assert.ok(Math.abs(place.long - 1200) < 1e-6);
});
