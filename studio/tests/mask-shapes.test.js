import assert from "node:assert/strict";
import { test } from "node:test";
import { handleSets, nudged } from "../page/masks/handle-sets.js";
import { createPlace } from "../page/masks/place.js";
import * as shapes from "../page/masks/shapes.js";
import { extended, newStroke, thinned } from "../page/masks/stroke.js";

const size = { width: 300, height: 200 };
const linear = { kind: "linear", from: [0.5, 0.75], to: [0.5, 0.25] };
const radial = { kind: "radial", center: [0.5, 0.5], radius: [0.2, 0.1], angle: 30, feather: 0.5 };
/** Places of a whole picture, of one that was turned by 90°, and of one that was mirrored. */
const upright = { map: [1, 0, 0, 0, 1, 0, 0, 0, 1], lens: null };
const quarter = { map: [0, 1, 0, -1, 0, 1, 0, 0, 1], lens: null };
const mirrored = { map: [1, 0, 0, 0, -1, 1, 0, 0, 1], lens: null };
const place = createPlace(upright, size, { x: 0, y: 0, width: 600, height: 400 });
const near = (a, b, by = 1e-3) => assert.ok(Math.hypot(a.x - b.x, a.y - b.y) < by, `${JSON.stringify([a, b])}`);

test("a gradient moves as a whole, by an end, and turns about its middle without changing its length", () => {
  const drag = (handle, start, now) => shapes.draggedLinear(linear, handle, start, now, size);
  assert.deepEqual(
    drag("middle", { x: 0, y: 0 }, { x: 0.1, y: -0.2 }),
    { kind: "linear", from: [0.6, 0.55], to: [0.6, 0.05] },
  );
  assert.deepEqual(drag("to", { x: 0.5, y: 0.25 }, { x: 0.4, y: 0.3 }).to, [0.4, 0.3]);
  // A quarter turn clockwise: 50 pixels above the middle become 50 to the right of it.
  const turned = drag("turn", { x: 0.5, y: 0 }, { x: 1, y: 0.5 });
  near(shapes.point(turned.to), { x: 0.5 + 50 / 300, y: 0.5 });
  near(shapes.point(turned.from), { x: 0.5 - 50 / 300, y: 0.5 });
});

test("a gradient never begins where it ends", () => {
  assert.equal(shapes.draggedLinear(linear, "to", { x: 0.5, y: 0.25 }, { x: 0.5, y: 0.75 }, size), linear);
});

test("each handle of an ellipse that is dragged to a place is there afterwards", () => {
  for (const handle of handleSets.radial.filter(({ name }) => name !== "turn" && name !== "inner")) {
    const start = handle.at(radial, place);
    const now = handle.name === "centre" ? { x: 0.2, y: 0.9 } : shapes.onEllipse(
      radial,
      handle.name === "x" ? 1.7 : 0,
      handle.name === "y" ? 1.7 : 0,
      size,
    );
    near(handle.at(handle.drag(radial, start, now, place, false), place), now);
  }
  const inner = handleSets.radial.find(({ name }) => name === "inner");
  const to = shapes.onEllipse(radial, -0.6, 0, size);
  const dragged = inner.drag(radial, inner.at(radial, place), to, place, false);
  assert.ok(Math.abs(dragged.feather - 0.4) < 1e-3);
});

test("turning an ellipse: its first axis points at the pointer, in steps of 15° with Shift", () => {
  const at = { x: 0.5 + 0.1, y: 0.5 + 0.16 };
  const degrees = (Math.atan2(0.16 * 200, 0.1 * 300) * 180) / Math.PI;
  assert.ok(Math.abs(shapes.draggedRadial(radial, "turn", at, size).angle - degrees) < 0.06);
  assert.equal(shapes.draggedRadial(radial, "turn", at, size, true).angle, 45);
  assert.equal(shapes.draggedRadial(radial, "turn", { x: 0.9, y: 0.5 }, size).angle, undefined);
});

test("with Shift both radii grow alike; equal radii are one number", () => {
  const at = shapes.onEllipse(radial, 2, 0, size);
  assert.deepEqual(shapes.draggedRadial(radial, "x", at, size, true).radius, [0.4, 0.2]);
  const circle = { ...radial, radius: 0.2 };
  assert.equal(shapes.draggedRadial(circle, "x", shapes.onEllipse(circle, 2, 0, size), size, true).radius, 0.4);
});

test("arrow keys move a handle as seen, however the photo is turned", () => {
  const turned = createPlace(quarter, size, { x: 0, y: 0, width: 200, height: 300 });
  const [from] = handleSets.linear;
  // To the right on a photo that was turned clockwise is upwards in the photo.
  assert.deepEqual(nudged(from, linear, turned, 2, 0).from, [0.5, 0.74]);
});

test("a new gradient fades in upwards as seen, within what is seen", () => {
  const flipped = createPlace(mirrored, size, { x: 0, y: 0, width: 300, height: 200 });
  const made = shapes.newLinear(flipped, { x: 0, y: 0, width: 300, height: 200 });
  assert.deepEqual([made.from, made.to], [[0.5, 0.4], [0.5, 0.7]]);
});

test("a stroke keeps few points: none that are too near, none on a straight line, all corners", () => {
  let stroke = newStroke({ x: 0.1, y: 0.1 }, { radius: 0.05, hardness: 0.5, flow: 1, erase: false });
  assert.deepEqual(stroke, { points: [[0.1, 0.1]], radius: 0.05, hardness: 0.5 });
  assert.equal(extended(stroke, { x: 0.1001, y: 0.1 }, size), stroke);
  for (let i = 1; i <= 40; i++) stroke = extended(stroke, { x: 0.1 + i * 0.01, y: 0.1 }, size);
  for (let i = 1; i <= 40; i++) stroke = extended(stroke, { x: 0.5, y: 0.1 + i * 0.01 }, size);
  assert.ok(stroke.points.length > 40);
  assert.deepEqual(thinned(stroke, size).points, [[0.1, 0.1], [0.5, 0.1], [0.5, 0.5]]);
  assert.deepEqual(newStroke({ x: 0, y: 0 }, { radius: 0.1, hardness: 1, flow: 0.5, erase: true }).erase, true);
});
