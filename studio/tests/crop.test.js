import assert from "node:assert/strict";
import { test } from "node:test";
import { atAngle, draftOf, flipped, fullOf, proportioned, quarterTurned, valuesOf } from "../page/crop/crop-draft.js";
import { inside, moved, resized, turnedRect, mirroredRect, wholePixels } from "../page/crop/crop-rect.js";
import { aspectOf, rectOf, textOf } from "../page/crop/crop-text.js";
import { straightenedPoint, straightenedSize } from "../page/crop/straightened.js";
import { emptyEdit } from "../page/core/state.js";

const bounds = { width: 600, height: 400 };
const isInside = (r, b) => r.x >= -1e-6 && r.y >= -1e-6 && r.x + r.width <= b.width + 1e-6 && r.y + r.height <= b.height + 1e-6;

/** The same numbers in every run. */
function random(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

test("whatever is dragged where, the crop stays inside and keeps fixed proportions", () => {
  const next = random(7);
  const handles = ["n", "s", "e", "w", "ne", "nw", "se", "sw"];
  for (let i = 0; i < 5000; i++) {
    const aspect = i % 3 === 0 ? null : 0.5 + next() * 1.5;
    let rect = inside(
      { x: next() * 500, y: next() * 300, width: 40 + next() * 300, height: 40 + next() * 200 },
      bounds,
    );
    if (aspect) rect = proportioned({ rect, full: bounds, aspect: null }, aspect).rect;
    const handle = handles[Math.floor(next() * 8)];
    const [dx, dy] = [next() * 1600 - 800, next() * 1600 - 800];
    const result = resized(rect, handle, dx, dy, bounds, { aspect });
    assert.ok(isInside(result, bounds), JSON.stringify({ rect, handle, dx, dy, aspect, result }));
    assert.ok(result.width > 0 && result.height > 0);
    if (aspect) assert.ok(Math.abs(result.width / result.height / aspect - 1) < 1e-6);
    assert.ok(isInside(moved(rect, dx, dy, bounds), bounds));
  }
});

test("a corner keeps the opposite corner, an edge the opposite edge", () => {
  const rect = { x: 100, y: 100, width: 200, height: 100 };
  const corner = resized(rect, "nw", 30, 20, bounds, { aspect: 2 });
  assert.deepEqual([corner.x + corner.width, corner.y + corner.height], [300, 200]);
  assert.deepEqual(resized(rect, "e", 50, 99, bounds), { ...rect, width: 250 });
});

test("text is read as the engine reads it", () => {
  assert.deepEqual(rectOf("whole", bounds), { x: 0, y: 0, width: 600, height: 400 });
  assert.deepEqual(rectOf("1:1", bounds), { x: 100, y: 0, width: 400, height: 400 });
  assert.deepEqual(rectOf("square@0,0", bounds), { x: 0, y: 0, width: 400, height: 400 });
  assert.deepEqual(rectOf("16:9@0.5,1", bounds), { x: 0, y: 62, width: 600, height: 338 });
  assert.deepEqual(rectOf("10,20,300,200", bounds), { x: 10, y: 20, width: 300, height: 200 });
  assert.equal(aspectOf("10,20,300,200"), null);
  assert.equal(textOf({ x: 0, y: 0, width: 600, height: 400 }, bounds), null);
  assert.equal(textOf({ x: 9.6, y: 20.2, width: 300.4, height: 199.7 }, bounds), "10,20,300,200");
});

test("whole pixels never reach outside", () => {
  assert.deepEqual(
    wholePixels({ x: 599.7, y: -0.2, width: 300.6, height: 400.4 }, bounds),
    { x: 299, y: 0, width: 301, height: 400 },
  );
});

test("four quarter turns and two mirrors of a rectangle are none", () => {
  const rect = { x: 10, y: 20, width: 300, height: 100 };
  let [turned, size] = [rect, bounds];
  for (let i = 0; i < 4; i++) {
    turned = turnedRect(turned, size, true);
    size = { width: size.height, height: size.width };
  }
  assert.deepEqual(turned, rect);
  assert.deepEqual(turnedRect(turnedRect(rect, bounds, true), { width: 400, height: 600 }, false), rect);
  assert.deepEqual(mirroredRect(mirroredRect(rect, bounds, "h"), bounds, "h"), rect);
});

test("straightened sizes are those of the engine", () => {
  assert.deepEqual(straightenedSize({ width: 1704, height: 2272 }, -2.4), { width: 1615, height: 2153 });
  assert.deepEqual(straightenedSize({ width: 600, height: 400 }, 0), { width: 600, height: 400 });
  const keep = straightenedSize({ width: 600, height: 400 }, 30, "keep");
  assert.deepEqual(keep, { width: 720, height: 647 });
});

test("a level line of the picture leans by the angle, clockwise", () => {
  const size = { width: 600, height: 400 };
  const full = straightenedSize(size, 10);
  const a = straightenedPoint({ x: 0.4, y: 0.5 }, size, full, 10);
  const b = straightenedPoint({ x: 0.6, y: 0.5 }, size, full, 10);
  const angle = (Math.atan2((b.y - a.y) * full.height, (b.x - a.x) * full.width) * 180) / Math.PI;
  assert.ok(Math.abs(angle - 10) < 1e-6);
});

test("a draft of an edit gives the edit's values back", () => {
  const edit = { ...emptyEdit(), values: { rotate: "90", flip: "h", straighten: 3.5, crop: "20,30,100,200" } };
  assert.deepEqual(
    valuesOf(draftOf(edit, bounds)),
    { rotate: "90", flip: "h", straighten: 3.5, crop: "20,30,100,200" },
  );
  assert.deepEqual(valuesOf(draftOf(emptyEdit(), bounds)), { rotate: null, flip: null, straighten: null, crop: null });
});

test("turning the dial there and back changes nothing, and the crop is inside at every angle", () => {
  const base = draftOf({ ...emptyEdit(), values: { crop: "40,30,200,300" } }, bounds);
  for (let angle = -45; angle <= 45; angle += 0.5) {
    const draft = atAngle(base, angle);
    assert.ok(isInside(draft.rect, draft.full));
    assert.ok(Math.abs(draft.rect.width / draft.rect.height - 200 / 300) < 1e-9);
  }
  assert.deepEqual(atAngle(base, 0).rect, base.rect);
  assert.deepEqual(valuesOf(atAngle(draftOf(emptyEdit(), bounds), 5)).crop, null, "the whole picture stays the whole");
});

test("four turns or two mirrors give the same draft; a mirror turns the angle round", () => {
  const start = atAngle(draftOf({ ...emptyEdit(), values: { flip: "v", crop: "40,30,200,300" } }, bounds), 4);
  let draft = start;
  for (let i = 0; i < 4; i++) draft = quarterTurned(draft, true);
  assert.deepEqual(valuesOf(draft), valuesOf(start));
  assert.equal(flipped(start, "h").angle, -4);
  assert.deepEqual(valuesOf(flipped(flipped(start, "h"), "h")), valuesOf(start));
  assert.deepEqual(fullOf(quarterTurned(start, false)), { width: start.full.height, height: start.full.width });
});
