import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { emptyEdit } from "../page/core/state.js";
import { draftOf, flipped, neutralDraft, quarterTurned, valuesOf, warped } from "../page/crop/crop-draft.js";
import { keystoneSize } from "../page/crop/keystone.js";
import { cornersOf, fromSquare, isConvex, movedCorner, textOfCorners } from "../page/crop/perspective.js";
import { mirroredWarp, quarterTurnedWarp, valuesOfWarp, withWarp } from "../page/crop/warp.js";
import { apply } from "../page/masks/projection.js";

/** What the engine makes of edits, as one of its own tests records it. */
const cases = JSON.parse(readFileSync(new URL("../../Tests/StudioTests/Fixtures/places.json", import.meta.url)));
const size = { width: 600, height: 400 };
const edit = (values) => ({ ...emptyEdit(), values });
const warp = {
  perspective: "0.1,0.2 0.9,0.1 0.95,0.8 0.05,0.9",
  "perspective-proportions": "3:2",
  "keystone-vertical": 6,
  "lens-distortion": "1.02,0,-0.05",
};

test("sizes behind perspective, keystone and lens are those of the engine", () => {
  for (const { name, photo, full, values } of cases) {
    const { rect } = draftOf(edit(values), photo);
    assert.deepEqual([Math.round(rect.width), Math.round(rect.height)], [full.width, full.height], name);
  }
});

test("a camera that would look beyond the horizon has no picture", () => {
  assert.equal(keystoneSize(size, 45, 45, 8), null);
  assert.deepEqual(keystoneSize(size, 0, 0), size);
  const draft = draftOf(edit({ "keystone-vertical": 45, "keystone-horizontal": 45, "keystone-focal-length": 8 }), size);
  assert.deepEqual(draft.full, size);
});

test("a draft of an edit gives the values of perspective and lens back; reset takes them away", () => {
  const draft = draftOf(edit({ exposure: 1, ...warp }), size);
  assert.deepEqual(withWarp({}, valuesOfWarp(draft.warp)), warp);
  assert.deepEqual(withWarp({}, valuesOfWarp(neutralDraft(draft).warp)), {});
});

test("the whole picture stays whole behind a keystone, and a crop keeps its part of it", () => {
  const all = warped(draftOf(edit({}), size), { "keystone-vertical": 12 });
  assert.equal(valuesOf(all).crop, null);
  assert.ok(all.full.width < size.width);
  const start = draftOf(edit({ crop: "150,100,300,200" }), size);
  const part = warped(start, { "keystone-vertical": 12 });
  assert.ok(Math.abs(part.rect.x / part.full.width - 0.25) < 1e-9);
  assert.ok(Math.abs(part.rect.width / part.full.width - 0.5) < 1e-9);
  // There and back from the draft that a gesture began with.
  assert.deepEqual(warped(start, { "keystone-vertical": null }).rect, start.rect);
  const square = warped({ ...start, aspect: 1.5 }, { perspective: warp.perspective });
  assert.ok(Math.abs(square.rect.width / square.rect.height - 1.5) < 1e-9);
});

test("perspective turns and mirrors with the picture", () => {
  const draft = draftOf(edit(warp), size);
  let turned = draft;
  for (let i = 0; i < 4; i++) turned = quarterTurned(turned, true);
  assert.deepEqual(turned.warp, warp);
  assert.deepEqual(quarterTurned(quarterTurned(draft, true), false).warp, warp);
  for (const axis of ["h", "v"]) assert.deepEqual(flipped(flipped(draft, axis), axis).warp, warp);
  // Turned clockwise, what was above is to the right.
  assert.equal(quarterTurnedWarp({ "keystone-vertical": 6 }, true)["keystone-horizontal"], 6);
  assert.equal(quarterTurnedWarp({ "keystone-horizontal": 6 }, true)["keystone-vertical"], -6);
  assert.equal(mirroredWarp({ "keystone-horizontal": 6 }, "h")["keystone-horizontal"], -6);
  assert.equal(quarterTurnedWarp(warp, true)["perspective-proportions"], "2:3");
  assert.deepEqual(quarterTurned(draft, true).full, { width: draft.full.height, height: draft.full.width });
});

test("four corners stay a convex shape, clockwise, within reach", () => {
  const corners = cornersOf("0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9");
  assert.equal(textOfCorners(corners), "0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9");
  assert.deepEqual(movedCorner(corners, 0, { x: 0.3, y: 0.2 }, size)[0], { x: 0.3, y: 0.2 });
  assert.deepEqual(movedCorner(corners, 0, { x: -4, y: 0 }, size)[0], { x: -1, y: 0 });
  // Through the opposite edge they would cross.
  assert.equal(movedCorner(corners, 0, { x: 0.95, y: 0.95 }, size), corners);
  assert.ok(!isConvex([...corners].reverse(), size));
  assert.equal(cornersOf("none"), null);
  assert.equal(cornersOf(undefined), null);
});

test("lines between four corners are those of a square that is seen at a slant", () => {
  const corners = cornersOf(warp.perspective);
  const map = fromSquare(corners);
  const square = [[0, 0], [1, 0], [1, 1], [0, 1]];
  square.forEach(([x, y], index) => {
    const found = apply(map, { x, y });
    assert.ok(Math.hypot(found.x - corners[index].x, found.y - corners[index].y) < 1e-12);
  });
});
