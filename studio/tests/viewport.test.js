import assert from "node:assert/strict";
import { test } from "node:test";
import { askedOf, clampedView, fitScale, frameRect, panesOf, panned, partOf, pictureRect, wholeOf, zoomedAt } from "../page/stage/viewport.js";

const full = { width: 6000, height: 4000 };
const pane = { x: 0, y: 0, width: 1500, height: 1200 };
const fit = { mode: "fit", scale: 0.25, x: 0.5, y: 0.5 };

test("a fitted picture touches two sides and lies in the middle", () => {
  assert.equal(fitScale(full, pane), 0.25);
  assert.deepEqual(pictureRect(fit, pane, full), { x: 0, y: 100, width: 1500, height: 1000 });
});

test("zooming keeps what is under the cursor there", () => {
  for (const [x, y] of [[750, 600], [400, 500], [1100, 700]]) {
    const before = pictureRect(fit, pane, full);
    const view = zoomedAt(fit, pane, full, { scale: 1, x, y, least: 0.25 });
    const after = pictureRect(view, pane, full);
    assert.ok(Math.abs((x - before.x) / before.width - (x - after.x) / after.width) < 0.001);
    assert.ok(Math.abs((y - before.y) / before.height - (y - after.y) / after.height) < 0.001);
  }
});

test("zooming out ends at fit, zooming in at eight to one", () => {
  const view = zoomedAt(fit, pane, full, { scale: 100, x: 700, y: 600, least: 0.25 });
  assert.equal(view.scale, 8);
  assert.equal(zoomedAt(view, pane, full, { scale: 0.1, x: 0, y: 0, least: 0.25 }).mode, "fit");
});

test("a small picture is enlarged no further than the pane lets it", () => {
  const small = { width: 300, height: 200 };
  const dense = { ...pane, most: 2 };
  assert.deepEqual(pictureRect(fit, dense, small), { x: 450, y: 400, width: 600, height: 400 });
  // The server tells of the size that it renders, which is the picture's own.
  assert.deepEqual(pictureRect(fit, dense, small, small), { x: 450, y: 400, width: 600, height: 400 });
  assert.equal(fitScale(full, dense), 0.25);
});

test("above 100 % the server is asked for the pixels in sight", () => {
  const view = { mode: "zoom", scale: 4, x: 0.3, y: 0.7 };
  assert.deepEqual(askedOf(view, pane), { width: 377, height: 302, mode: "zoom", scale: 1, x: 0.3, y: 0.7 });
  assert.deepEqual(askedOf({ ...view, scale: 0.5 }, pane).width, pane.width);
  // What is answered lies where the view wants it.
  const rect = pictureRect(view, pane, full, full);
  const frame = { scaled: full, window: { x: 1612, y: 2649, width: 377, height: 302 } };
  const place = frameRect(frame, rect);
  assert.ok(place.x <= 0 && place.y <= 0 && place.x + place.width >= 1500 && place.y + place.height >= 1200);
});

test("panning stops at the edges, and what is smaller than the pane stays in the middle", () => {
  const view = { mode: "zoom", scale: 1, x: 0.5, y: 0.5 };
  const far = panned(view, pane, full, 1e6, -1e6);
  assert.deepEqual(pictureRect(far, pane, full), { x: 0, y: 1200 - 4000, width: 6000, height: 4000 });
  assert.equal(clampedView({ mode: "zoom", scale: 0.26, x: 0.9, y: 0.9 }, pane, full).y, 0.5);
});

test("a frame of a window goes where that part of the picture is", () => {
  const rect = pictureRect({ mode: "zoom", scale: 0.5, x: 0.5, y: 0.5 }, pane, full);
  const frame = { scaled: { width: 3000, height: 2000 }, window: { x: 750, y: 400, width: 1500, height: 1200 } };
  assert.deepEqual(frameRect(frame, rect), { x: 0, y: 0, width: 1500, height: 1200 });
});

test("a part of the whole of a part is that part", () => {
  const rect = { x: 10, y: 20, width: 300, height: 200 };
  const part = { x: 0.1, y: 0.2, width: 0.5, height: 0.4 };
  const back = partOf(wholeOf(rect, part), part);
  for (const key of Object.keys(rect)) assert.ok(Math.abs(back[key] - rect[key]) < 1e-9);
});

test("two panes stand side by side on a wide canvas and one above the other on a tall one", () => {
  const options = { margin: 10, side: true, gap: 2 };
  const wide = panesOf({ width: 2000, height: 800 }, { ...options, full });
  assert.equal(wide[0].y, wide[1].y);
  const tall = panesOf({ width: 800, height: 2000 }, { ...options, full });
  assert.equal(tall[0].x, tall[1].x);
  assert.deepEqual([tall[0].width, tall[0].height], [tall[1].width, tall[1].height]);
});
