import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { colourOf, fromPlace, toPlace, turned } from "../page/adjust/wheels/geometry.js";

/** The engine's own description, as another test records it. */
const filters = JSON.parse(readFileSync(new URL("../../Tests/FiltersTests/Fixtures/filters.json", import.meta.url)));
const named = (name) => filters.find(({ filter }) => filter === "grading").parameters.find((one) => one.name === name);
const parameters = { hue: named("shadows-hue"), saturation: named("shadows-saturation") };

test("hues go around counterclockwise from the right", () => {
  const places = [[0, 1, 0], [90, 0, -1], [180, -1, 0], [270, 0, 1]];
  for (const [hue, x, y] of places) {
    const place = toPlace({ hue, saturation: 100 }, parameters);
    assert.ok(Math.abs(place.x - x) < 1e-12 && Math.abs(place.y - y) < 1e-12, `${hue}`);
    assert.deepEqual(fromPlace({ x, y }, parameters, 7), { hue, saturation: 100 });
  }
});

test("every tint is where it was put", () => {
  for (let hue = 0; hue < 360; hue++) {
    for (const saturation of [1, 40, 100]) {
      assert.deepEqual(fromPlace(toPlace({ hue, saturation }, parameters), parameters, 7), { hue, saturation });
    }
  }
});

test("beyond the rim a tint is that of the rim, and the middle keeps its hue", () => {
  assert.deepEqual(fromPlace({ x: -3, y: -3 }, parameters, 7), { hue: 135, saturation: 100 });
  assert.deepEqual(fromPlace({ x: 0.002, y: 0.003 }, parameters, 7), { hue: 7, saturation: 0 });
});

test("a whole turn is none", () => {
  assert.equal(turned(parameters.hue, 360), 0);
  assert.equal(turned(parameters.hue, 359.7), 0);
  assert.equal(turned(parameters.hue, -1), 359);
  assert.equal(turned(parameters.hue, 725), 5);
});

test("a puck has the colour of its tint, as the filter has it", () => {
  assert.equal(colourOf({ hue: 195, saturation: 40 }, parameters), "oklch(0.7 0.04 195)");
});
