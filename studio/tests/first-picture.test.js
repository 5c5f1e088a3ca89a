import assert from "node:assert/strict";
import { test } from "node:test";
import { firstRect, wantedPicture } from "../page/stage/first-picture.js";
import { fitMargin, panesOf, pictureRect } from "../page/stage/viewport.js";

/** The pane of a fitted picture as the stage has it. */
const paneOf = (canvas, ratio) =>
  panesOf(canvas, {
    margin: Math.round(fitMargin(canvas.width / ratio) * ratio),
    side: false,
    most: Math.max(1, ratio),
  })[0];

test("a picture is asked for as the stage will ask for it", () => {
  for (const [width, height, film, ratio] of [[1544, 763, 70, 1], [690, 400, 0, 2], [1112, 552, 72, 1.25], [360, 500, 0, 3]]) {
    const wanted = wantedPicture({ x: 0, y: 48, width, height }, film, ratio);
    const alone = paneOf({ width: Math.round(width * ratio), height: Math.round((height + film) * ratio) }, ratio);
    assert.deepEqual([wanted.width, wanted.height], [alone.width, alone.height]);
    const among = paneOf({ width: Math.round(width * ratio), height: Math.round(height * ratio) }, ratio);
    assert.ok(Math.abs(wanted.height - wanted.film - among.height) <= (Number.isInteger(ratio) ? 0 : 1));
  }
});

test("it lies where the stage will have it", () => {
  const canvas = { width: 1544, height: 833 };
  const header = { full: { width: 6000, height: 4000 }, scaled: { width: 1178, height: 785 } };
  const rect = firstRect(header, canvas, 1);
  assert.deepEqual(rect, pictureRect({ mode: "fit" }, paneOf(canvas, 1), header.full, header.scaled));
  assert.deepEqual(rect, { x: 183, y: 24, width: 1178, height: 785 });
  // A small one is enlarged to CSS pixels, no further.
  const small = { full: { width: 160, height: 120 }, scaled: { width: 160, height: 120 } };
  assert.equal(firstRect(small, { width: 2000, height: 1600 }, 2).width, 320);
});
