import assert from "node:assert/strict";
import { test } from "node:test";
import { mirrored, turned, turnedSize } from "../page/crop/orientation.js";

// Matrices (y points down) of what the engine does: turn clockwise, then mirror.
const quarter = [0, -1, 1, 0];
const mirrors = { none: [1, 0, 0, 1], h: [-1, 0, 0, 1], v: [1, 0, 0, -1] };
const times = ([a, b, c, d], [e, f, g, h]) => [
  a * e + b * g,
  a * f + b * h,
  c * e + d * g,
  c * f + d * h,
].map((x) => x + 0);
function matrix({ rotate, flip }) {
  let result = mirrors.none;
  for (let i = 0; i < rotate / 90; i++) result = times(quarter, result);
  return times(mirrors[flip], result);
}
const all = [0, 90, 180, 270].flatMap((rotate) => ["none", "h", "v"].map((flip) => ({ rotate, flip })));

test("a quarter turn turns what is seen, mirrored or not", () => {
  for (const one of all) {
    assert.deepEqual(matrix(turned(one, 90)), times(quarter, matrix(one)), JSON.stringify(one));
    assert.deepEqual(times(quarter, matrix(turned(one, -90))), matrix(one), JSON.stringify(one));
  }
});

test("a mirror mirrors what is seen, turned or not; both are a half turn", () => {
  for (const one of all) {
    for (const axis of ["h", "v"]) assert.deepEqual(
      matrix(mirrored(one, axis)),
      times(mirrors[axis], matrix(one)),
      JSON.stringify(one),
    );
  }
  assert.deepEqual(mirrored({ rotate: 0, flip: "h" }, "v"), { rotate: 180, flip: "none" });
});

test("quarter turns swap the sides", () => {
  assert.deepEqual(turnedSize({ width: 3, height: 2 }, 270), { width: 2, height: 3 });
  assert.deepEqual(turnedSize({ width: 3, height: 2 }, 180), { width: 3, height: 2 });
});
