import assert from "node:assert/strict";
import { test } from "node:test";
import { heightsOf, histogramOf, vectorscopeOf, waveformOf } from "../page/scopes/counts.js";
import { lightness, lightnessBins, lightnessP3 } from "../page/scopes/lightness.js";

const pixels = (...list) => Uint8ClampedArray.from(list.flatMap((rgb) => [...rgb, 255]));

test("lightness is OKLab's: known colours have their known L", () => {
  const near = (a, b) => assert.ok(Math.abs(a - b) < 0.002, `${a} is not ${b}`);
  near(lightness(0, 0, 0), 0);
  near(lightness(255, 255, 255), 1);
  near(lightness(255, 0, 0), 0.628);
  near(lightness(0, 255, 0), 0.8664);
  near(lightness(0, 0, 255), 0.452);
});

test("lightness of Display P3: greys as in sRGB, a red that sRGB has not is as light as it is", () => {
  assert.ok(Math.abs(lightnessP3(118, 118, 118) - lightness(118, 118, 118)) < 1e-6);
  // CSS Color 4: color(display-p3 1 0 0) is oklch(64.9% 0.299 29).
  assert.ok(Math.abs(lightnessP3(255, 0, 0) - 0.649) < 0.001);
  const red = pixels([255, 0, 0]);
  assert.ok(lightnessBins(red, "display-p3")[0] > lightnessBins(red)[0]);
});

test("a histogram counts every pixel once, and what is clipped", () => {
  const counts = histogramOf(pixels([0, 0, 0], [255, 255, 255], [255, 0, 0], [10, 20, 30]));
  assert.equal(counts.lightness.reduce((a, b) => a + b), 4);
  assert.equal(counts.red[255], 2);
  assert.equal(counts.clippedLow, 0.25);
  assert.equal(counts.clippedHigh, 0.5);
});

test("a waveform has a column's pixels in its column", () => {
  const [luma] = waveformOf(pixels([0, 0, 0], [255, 255, 255]), 2, 1, 2, ["luma"]);
  assert.equal(luma[0 * 2 + 0], 1);
  assert.equal(luma[255 * 2 + 1], 1);
  assert.equal(luma.reduce((a, b) => a + b), 2);
});

test("a grey picture is one point in the middle of the vectorscope; red is up", () => {
  const size = 128;
  assert.equal(vectorscopeOf(pixels([80, 80, 80], [200, 200, 200]), size)[64 * size + 64], 2);
  const red = vectorscopeOf(pixels([255, 0, 0]), size).findIndex((count) => count === 1);
  assert.ok(Math.floor(red / size) < 4);
});

test("one full bin does not flatten the others", () => {
  const counts = new Array(256).fill(10);
  counts[0] = 1e6;
  assert.equal(heightsOf(counts)[100], 1);
});
