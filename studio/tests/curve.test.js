import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { monotone } from "../page/adjust/curve/monotone.js";
import {
  inserted, limitsOf, moved, nearest, pointsOf, removed, textOf, toPixels, toPlace,
} from "../page/adjust/curve/points.js";

/** The engine's own description, as another test records it. */
const filters = JSON.parse(readFileSync(new URL("../../Tests/FiltersTests/Fixtures/filters.json", import.meta.url)));
const parameter = filters.find(({ filter }) => filter === "curve").parameters[0];
const sShape = pointsOf("0,0 0.25,0.15 0.75,0.85 1,1");
const area = { left: 20, top: 10, width: 200, height: 200 };

/** Whether the engine would take them: as Parameter.Points checks them. */
function isAccepted(points) {
  const pairs = points.slice(1).map((point, index) => [points[index], point]);
  return (
    points.length >= parameter.minimumPoints && points.length <= parameter.maximumPoints &&
    points.every(({ x, y }) => x >= 0 && x <= 1 && y >= 0 && y <= 1) &&
    pairs.every(([a, b]) => b.x - a.x >= parameter.curveStep - 1e-9 && b.y >= a.y)
  );
}

test("the curve is that of SciPy's PchipInterpolator, as the engine's is", () => {
  // SciPy 1.17.1: PchipInterpolator(x, y)([0.05, 0.2, 0.4, 0.6, 0.95]); MonotoneCurveTests has the same numbers.
  const examples = [
    ["0,0 0.25,0.15 0.75,0.85 1,1", [0.019832624113, 0.111330496454, 0.334978723404, 0.665021276596, 0.980167375887]],
    ["0,0.05 0.1,0.05 0.5,0.6 0.9,0.7 1,0.9", [0.05, 0.128004807692, 0.490264423077, 0.62955465587, 0.777203947368]],
  ];
  for (const [text, values] of examples) {
    const at = monotone(pointsOf(text));
    [0.05, 0.2, 0.4, 0.6, 0.95].forEach((x, index) => assert.ok(Math.abs(at(x) - values[index]) < 1e-11, `${text} at ${x}`));
    for (const { x, y } of pointsOf(text)) assert.ok(Math.abs(at(x) - y) < 1e-12);
  }
});

test("before its first point and behind its last one a curve is level; between two points it is a line", () => {
  const at = monotone(pointsOf("0.2,0.1 0.5,0.6 0.8,0.9"));
  assert.deepEqual([at(0), at(0.2), at(0.8), at(1)], [0.1, 0.1, 0.9, 0.9]);
  const line = monotone(pointsOf("0.2,0.1 0.6,0.9"));
  assert.ok(Math.abs(line(0.4) - 0.5) < 1e-12);
});

test("points are read from texts and from pairs, and written as the server writes them", () => {
  assert.equal(textOf(pointsOf(parameter.neutral)), parameter.neutral);
  assert.equal(textOf(pointsOf("0,0.05 0.253,0.2 1,1")), "0,0.05 0.253,0.2 1,1");
  assert.equal(textOf(pointsOf([[0, 0], [0.5, 0.625], [1, 1]])), "0,0 0.5,0.625 1,1");
  // 0.1 + 0.2 is not quite 0.3.
  assert.equal(textOf([{ x: 0, y: 0 }, { x: 0.1 + 0.2, y: 0.5 }]), "0,0 0.3,0.5");
});

test("places and pixels are each other's inverse: black is at the lower left", () => {
  assert.deepEqual(toPixels({ x: 0, y: 0 }, area, parameter), { x: 20, y: 210 });
  assert.deepEqual(toPixels({ x: 1, y: 1 }, area, parameter), { x: 220, y: 10 });
  assert.deepEqual(toPlace({ x: 70, y: 60 }, area, parameter), { x: 0.25, y: 0.75 });
  for (const point of sShape) {
    const place = toPlace(toPixels(point, area, parameter), area, parameter);
    assert.ok(Math.abs(place.x - point.x) < 1e-12 && Math.abs(place.y - point.y) < 1e-12);
  }
});

test("a point that is dragged stops at its neighbours", () => {
  assert.deepEqual(limitsOf(sShape, 1, parameter), { x: [0.01, 0.74], y: [0, 0.85] });
  const far = moved(sShape, 1, { x: 2, y: 2 }, parameter, 0.1);
  assert.deepEqual(far[1], { x: 0.74, y: 0.85 });
  assert.deepEqual(moved(sShape, 2, { x: -1, y: -1 }, parameter)[2], { x: 0.26, y: 0.15 });
  assert.deepEqual(moved(sShape, 0, { x: 0.9, y: 0.9 }, parameter)[0], { x: 0.24, y: 0.15 });
  assert.deepEqual(moved(sShape, 3, { x: 0, y: 0 }, parameter)[3], { x: 0.76, y: 0.85 });
  assert.deepEqual(sShape, pointsOf("0,0 0.25,0.15 0.75,0.85 1,1"), "what was given stays");
});

test("keys move by steps, a pointer by tenths of them", () => {
  assert.deepEqual(moved(sShape, 1, { x: 0.2534, y: 0.1578 }, parameter)[1], { x: 0.25, y: 0.16 });
  assert.deepEqual(moved(sShape, 1, { x: 0.2534, y: 0.1578 }, parameter, 0.1)[1], { x: 0.253, y: 0.158 });
});

test("whatever a pointer does, the engine takes it", () => {
  // A generator of Park and Miller, so that each run is the same.
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  let points = pointsOf(parameter.neutral);
  for (let i = 0; i < 3000; i++) {
    const place = { x: random() * 1.4 - 0.2, y: random() * 1.4 - 0.2 };
    const index = Math.floor(random() * points.length);
    if (random() < 0.3) points = inserted(points, place, parameter, 0.1)?.points ?? points;
    else if (random() < 0.2) points = removed(points, index, parameter);
    else points = moved(points, index, place, parameter, random() < 0.5 ? 1 : 0.1);
    assert.ok(isAccepted(pointsOf(textOf(points))), textOf(points));
  }
});

test("a point is added between its neighbours, where there is room", () => {
  const { points, index } = inserted(sShape, { x: 0.5, y: 0.61 }, parameter);
  assert.equal(index, 2);
  assert.deepEqual(points[2], { x: 0.5, y: 0.61 });
  // Not below the one before it.
  assert.equal(inserted(sShape, { x: 0.5, y: 0 }, parameter).points[2].y, 0.15);
  assert.equal(inserted(pointsOf("0.3,0.1 1,1"), { x: 0.1, y: 0 }, parameter).index, 0);
  assert.equal(inserted(pointsOf("0,0 0.5,0.5 0.515,0.6 1,1"), { x: 0.51, y: 0.5 }, parameter), null);
  const full = Array.from({ length: 16 }, (_, i) => ({ x: i / 15, y: i / 15 }));
  assert.equal(inserted(full, { x: 0.5, y: 0.5 }, parameter), null);
});

test("what is removed is gone, but for the ends", () => {
  assert.equal(textOf(removed(sShape, 1, parameter)), "0,0 0.75,0.85 1,1");
  const lifted = pointsOf("0.1,0.2 0.5,0.6 0.9,0.8");
  assert.equal(textOf(removed(lifted, 0, parameter)), "0,0 0.5,0.6 0.9,0.8");
  assert.equal(textOf(removed(lifted, 2, parameter)), "0.1,0.2 0.5,0.6 1,1");
});

test("the nearest point within reach is meant", () => {
  const at = toPixels(sShape[2], area, parameter);
  assert.equal(nearest(sShape, { x: at.x + 8, y: at.y - 8 }, area, parameter, 12), 2);
  assert.equal(nearest(sShape, { x: at.x + 9, y: at.y - 9 }, area, parameter, 12), -1);
});
