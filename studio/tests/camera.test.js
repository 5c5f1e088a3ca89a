import assert from "node:assert/strict";
import { test } from "node:test";
import { draggedStops, stopsText } from "../page/camera/exposure.js";
import { heldPeak, meterPosition, meterZone } from "../page/camera/meters.js";
import { indexAt, middles, offsetFor, rubber } from "../page/camera/pill-geometry.js";
import { clockText, pressedAgo, secondsLeft } from "../page/camera/timing.js";
import { sensorPoint, viewfinderPane } from "../page/camera/viewfinder-layout.js";
import { clampedZoom, crossed, digitalPart, stopOf, wheeled, zoomPosition, zoomText } from "../page/camera/zoom.js";

test("a press is as old as it is; one of another clock is of now", () => {
  assert.equal(pressedAgo(1000, 1012.34), 12.3);
  assert.equal(pressedAgo(1000, 1000), 0);
  assert.equal(pressedAgo(1000, 990), 0);
  assert.equal(pressedAgo(1_700_000_000_000, 5000), 0);
  assert.equal(pressedAgo(0, 60_000), 0);
});

test("a countdown shows each second, the last one until it is over", () => {
  assert.deepEqual([0, 1, 999, 1000, 2999, 3000, 9000].map((at) => secondsLeft(3, 500, 500 + at)), [3, 3, 3, 2, 1, 0, 0]);
});

test("times are read as clocks show them", () => {
  assert.deepEqual([0, 7.9, 65, 725, 3723].map(clockText), ["0:00", "0:07", "1:05", "12:05", "1:02:03"]);
});

test("each doubling of the zoom is as long as the one before", () => {
  const [one, two, four, eight] = [1, 2, 4, 8].map((factor) => zoomPosition(factor));
  assert.equal(one, 0);
  assert.equal(eight, 1);
  assert.ok(Math.abs(two - one - (four - two)) < 1e-12 && Math.abs(four - two - (eight - four)) < 1e-12);
  assert.equal(clampedZoom(0.2), 1);
  assert.equal(clampedZoom(20), 8);
  assert.deepEqual([1, 1.44, 2.96, 5].map(zoomText), ["1×", "1.4×", "3×", "5×"]);
});

test("a wheel's step back undoes its step in", () => {
  const near = wheeled(wheeled(2, -100, false), 100, false);
  assert.ok(Math.abs(near - 2) < 1e-12);
  assert.ok(wheeled(2, -10, true) > wheeled(2, -10, false));
});

test("the lit button is the last stop passed; a stop that is crossed is felt", () => {
  assert.deepEqual([1, 1.9, 2, 4.9, 5, 8].map(stopOf), [1, 1, 2, 2, 5, 5]);
  assert.equal(crossed(1.8, 2.1), 2);
  assert.equal(crossed(2.1, 1.8), 2);
  assert.equal(crossed(2.1, 2.3), null);
});

test("beyond the lens the rest is cut away", () => {
  assert.equal(digitalPart(3, null), 3);
  assert.equal(digitalPart(3, "1x…4x, 0%…100%, 100…400"), 1);
  assert.equal(digitalPart(8, "1x…4x, 0%…100%, 100…400"), 2);
  // A lens whose factor the driver does not tell cuts nothing away that the page could know of.
  assert.equal(digitalPart(3, "0%…100%, 0…60"), 3);
});

test("the chosen mode is always in the middle", () => {
  const widths = [44, 50, 38];
  assert.deepEqual(middles(widths, 28), [22, 97, 169]);
  for (const index of [0, 1, 2]) {
    const offset = offsetFor(widths, 28, index);
    assert.equal(middles(widths, 28)[index] + offset, 0);
    assert.equal(indexAt(widths, 28, offset), index);
  }
  assert.equal(indexAt(widths, 28, -97 + 30), 1);
  assert.equal(indexAt(widths, 28, -97 + 40), 0);
});

test("beyond the ends the pill follows a third as far", () => {
  const widths = [40, 40];
  assert.equal(rubber(widths, 20, -20 + 30), -20 + 10);
  assert.equal(rubber(widths, 20, -80 - 30), -80 - 10);
  assert.equal(rubber(widths, 20, -50), -50);
});

test("stops follow the drag, two at most, and rest at none", () => {
  assert.equal(draggedStops(0, -44), 1);
  assert.equal(draggedStops(0, 1000), -2);
  assert.equal(draggedStops(0.5, 21), 0);
  assert.deepEqual([0, 0.7, -1.5, 0.04].map(stopsText), ["0", "+0.7", "−1.5", "0"]);
});

test("a peak stays a while, then falls, but not below the level", () => {
  let peak = heldPeak(null, -10, 0);
  peak = heldPeak(peak, -30, 1000);
  assert.equal(peak.value, -10);
  peak = heldPeak(peak, -30, 1700);
  assert.ok(peak.value < -10 && peak.value > -30);
  peak = heldPeak(peak, -30, 9000);
  assert.equal(peak.value, -30);
  assert.equal(heldPeak(peak, -5, 9001).value, -5);
});

test("meters go from −60 dBFS to full scale", () => {
  assert.deepEqual([-Infinity, -90, -60, -30, 0, 3].map(meterPosition), [0, 0, 0, 0.5, 1, 1]);
  assert.deepEqual([-20, -12, -3, 0].map(meterZone), ["calm", "loud", "hot", "hot"]);
});

test("the picture fills the window; what is free is where the chrome is", () => {
  const full = { width: 1920, height: 1080 };
  // As wide as the window, all that is free below, where the shutter is.
  assert.deepEqual(viewfinderPane({ width: 1440, height: 900, ratio: 1 }, full), { x: 0, y: 0, width: 1440, height: 810 });
  // A phone: between the top row and the shutter.
  const phone = viewfinderPane({ width: 720, height: 1600, ratio: 2 }, full);
  assert.deepEqual([phone.x, phone.width, phone.height], [0, 720, 405]);
  assert.ok(phone.y >= 120 && phone.y + phone.height <= 1600 - 2 * 212);
  // On its side the shutter is beside the picture.
  const side = viewfinderPane({ width: 800, height: 360, ratio: 1 }, full);
  assert.deepEqual([side.x, side.y, side.width, side.height], [0, 0, 640, 360]);
  // Small pictures are enlarged, and a panel takes its room.
  assert.equal(viewfinderPane({ width: 3840, height: 2160, ratio: 1 }, { width: 640, height: 360 }).width, 3840);
  assert.equal(viewfinderPane({ width: 1440, height: 900, ratio: 1 }, full, "adjust").width, 1100);
  assert.equal(viewfinderPane({ width: 3840, height: 2160, ratio: 1 }, full, "adjust").width, 3840 - 476);
  assert.deepEqual(viewfinderPane({ width: 10, height: 20, ratio: 1 }, null), { x: 0, y: 0, width: 10, height: 20 });
});

test("a tap is told as the sensor sees it", () => {
  assert.deepEqual(sensorPoint(0.25, 0.5), { x: 0.25, y: 0.5 });
  assert.deepEqual(sensorPoint(0.25, 0.5, { isMirrored: true }), { x: 0.75, y: 0.5 });
  assert.deepEqual(sensorPoint(0, 1, { zoom: 2 }), { x: 0.25, y: 0.75 });
  assert.equal(sensorPoint(-0.1, 0.5), null);
});
