import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createGrid, flatGrid, sampled } from "../page/masks/grid.js";
import { circle, linesOf } from "../page/masks/handle-sets.js";
import { createPlace } from "../page/masks/place.js";
import { createRaster } from "../page/masks/raster.js";

/** What the engine says of places behind all kinds of geometry, as one of its own tests records it. */
const cases = JSON.parse(readFileSync(new URL("../../Tests/StudioTests/Fixtures/places.json", import.meta.url)));
const named = (name) => cases.find((one) => one.name === name);
const whole = ({ full }) => ({ x: 31, y: -80, ...full });
const near = (found, wanted, by, message) =>
  assert.ok(Math.hypot(found.x - wanted.x, found.y - wanted.y) < by, `${message}: ${JSON.stringify([found, wanted])}`);

test("places of the view are those of the photo that the engine looks up, and back", () => {
  for (const one of cases) {
    const rect = whole(one);
    const place = createPlace(one.places, one.photo, rect);
    for (const [x, y, u, v] of one.points) {
      const view = { x: rect.x + x * rect.width, y: rect.y + y * rect.height };
      near(place.toMask(view), { x: u, y: v }, 1e-7, one.name);
      near(place.toView({ x: u, y: v }), view, 1e-4, one.name);
      assert.ok(place.sees({ x: u, y: v }), one.name);
    }
  }
});

test("twice as large as the picture's pixels: so is each pixel of the photo, however it is turned", () => {
  const turned = named("turned and cropped");
  const rect = { x: 0, y: 0, width: 2 * turned.full.width, height: 2 * turned.full.height };
  const place = createPlace(turned.places, turned.photo, rect);
  assert.ok(Math.abs(place.pixelAt({ x: 0.3, y: 0.6 }) - 2) < 1e-9);
  assert.ok(Math.abs(place.longAt({ x: 0.3, y: 0.6 }) - 1200) < 1e-6);
});

test("a keystone enlarges what the camera leaned away from, and the brush with it", () => {
  const one = named("keystone");
  const place = createPlace(one.places, one.photo, whole(one));
  const { x, width, y, height } = place.rect;
  const [top, bottom] = [0.1, 0.9].map((part) => place.toMask({ x: x + width / 2, y: y + part * height }));
  assert.ok(place.longAt(top) > 1.1 * place.longAt(bottom));
  const spread = (at) => {
    const xs = [...circle(at, 0.05, place).matchAll(/[ML]([-\d.]+) /g)].map(([, value]) => Number(value));
    return Math.max(...xs) - Math.min(...xs);
  };
  assert.ok(spread(top) > 1.1 * spread(bottom));
});

test("what lies beyond the horizon is nowhere in the view, and lines stop there", () => {
  const steep = { map: [1, 0, 0, 0, 1, 0, 0, -0.9, 1], lens: null };
  const place = createPlace(steep, { width: 600, height: 400 }, { x: 0, y: 0, width: 600, height: 400 });
  assert.ok(place.sees({ x: 0.5, y: 0.5 }));
  assert.ok(!place.sees({ x: 0.5, y: -2 }));
  const [line] = linesOf({ kind: "linear", from: [0.5, 0.2], to: [0.6, 0.2] }, place);
  const ys = [...line.d.matchAll(/[ML][-\d.]+ ([-\d.]+)/g)].map(([, y]) => Number(y));
  assert.ok(ys.length > 3 && ys.every(Number.isFinite));
});

test("strokes, outlines and feathers on a projected grid are those on a flat one, at the same places", () => {
  const size = { width: 600, height: 400 };
  const masks = [
    { kind: "brush", strokes: [{ points: [[0.2, 0.3], [0.5, 0.6], [0.8, 0.3]], radius: 0.08, hardness: 0.4 }] },
    { kind: "polygon", points: [[0.1, 0.1], [0.9, 0.3], [0.4, 0.95]] },
    { kind: "feather", radius: 0.05, mask: { kind: "polygon", points: [[0.2, 0.2], [0.8, 0.3], [0.4, 0.9]] } },
    { kind: "radial", center: [0.4, 0.5], radius: [0.3, 0.15], angle: 30 },
    { kind: "linear", from: [0.3, 0.7], to: [0.6, 0.2] },
  ];
  for (const one of cases.filter(({ photo }) => photo.width === size.width)) {
    const place = createPlace(one.places, size, whole(one));
    const grid = createGrid(place, place.rect, 150, 100);
    const flat = flatGrid(size, 600);
    for (const mask of masks) {
      const found = createRaster()(mask, grid);
      const wanted = sampled(createRaster()(mask, flat), flat, grid);
      // Empty corners show places beyond the photo, which the flat grid has not.
      const isWithin = (_, index) =>
        grid.places[2 * index] > 0 && grid.places[2 * index] < size.width &&
        grid.places[2 * index + 1] > 0 && grid.places[2 * index + 1] < size.height;
      const differences = found.map((value, index) => Math.abs(value - wanted[index])).filter(isWithin);
      const off = differences.reduce((sum, value) => sum + value, 0) / differences.length;
      assert.ok(off < 0.01, `${one.name}, ${mask.kind}: ${off}`);
    }
  }
});
