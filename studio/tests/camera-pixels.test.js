import assert from "node:assert/strict";
import { test } from "node:test";
import { lumaOf, painted, peakingOf, zebraOf } from "../page/camera/kernels.js";

/** RGBA of a picture whose pixel at x, y is `colour(x, y)`. */
function picture(width, height, colour) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set([...colour(x, y), 255], (y * width + x) * 4);
  }
  return data;
}
const grey = (value) => [value, value, value];

test("luma is BT.709's", () => {
  const luma = lumaOf(picture(3, 1, (x) => [[255, 0, 0], [0, 255, 0], [0, 0, 255]][x]));
  [54.2, 182.4, 18.4].forEach((value, index) => assert.ok(Math.abs(luma[index] - value) < 0.1));
});

test("stripes begin at 95 %; one clipped channel is clipped", () => {
  const data = picture(5, 1, (x) => [grey(241), grey(242), grey(253), grey(255), [255, 10, 10]][x]);
  assert.deepEqual([...zebraOf(data)], [0, 1, 1, 2, 2]);
});

test("a hard edge is sharp, as high a soft one is not", () => {
  const [width, height] = [48, 9];
  const edge = (soft) => picture(width, height, (x) => grey(Math.min(220, Math.max(20, 120 + ((x - 24) * 200) / soft))));
  const count = (data) => peakingOf(data, width, height).reduce((sum, value) => sum + value, 0);
  assert.ok(count(edge(0.5)) > 0);
  assert.equal(count(edge(16)), 0);
  assert.equal(count(picture(width, height, () => grey(128))), 0);
});

test("an edge lies where it is, along both axes", () => {
  const size = 16;
  const across = peakingOf(picture(size, size, (x) => grey(x < 8 ? 30 : 200)), size, size);
  const along = peakingOf(picture(size, size, (_, y) => grey(y < 8 ? 30 : 200)), size, size);
  for (let i = 2; i < size - 2; i++) {
    const row = [...across.subarray(i * size, (i + 1) * size)].flatMap((on, x) => (on ? [x] : []));
    const column = Array.from({ length: size }, (_, y) => along[y * size + i]).flatMap((on, y) => (on ? [y] : []));
    assert.deepEqual([row, column], [[7], [7]]);
  }
});

test("grain is no edge", () => {
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const data = picture(64, 64, () => grey(120 + Math.round((random() - 0.5) * 12)));
  assert.equal(peakingOf(data, 64, 64).reduce((sum, value) => sum + value, 0), 0);
});

test("only what was found is painted", () => {
  const pixels = painted(Uint8Array.of(0, 1, 2), 1, [9, 8, 7, 6]);
  assert.deepEqual([...pixels], [0, 0, 0, 0, 9, 8, 7, 6, 0, 0, 0, 0]);
});
