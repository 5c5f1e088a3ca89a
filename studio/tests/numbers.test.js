import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, cost, format, parse } from "../page/adjust/numbers.js";

const exposure = { minimum: -5, maximum: 5, step: 0.05, unit: "EV" };
const angle = { minimum: -45, maximum: 45, step: 0.1, unit: "°" };
const kelvin = { minimum: 2000, maximum: 25000, step: 50, unit: "K" };
const plain = { minimum: 0, maximum: 100, step: 1 };

test("numbers read as in print: sign, real minus, unit", () => {
  assert.equal(format(exposure, 0.3), "+0.30 EV");
  assert.equal(format(exposure, -0.3), "−0.30 EV");
  assert.equal(format(exposure, -0.001), "0.00 EV");
  assert.equal(format(angle, -2.4), "−2.4°");
  assert.equal(format(kelvin, 5200), "5200 K");
  assert.equal(format(plain, 12), "12");
});

test("what is shown can be typed back", () => {
  for (const value of [-5, -0.35, 0, 2.05]) assert.equal(parse(exposure, format(exposure, value)), value);
});

test("typed numbers may have a comma, any minus, a unit, and reach the ends of what is accepted", () => {
  assert.equal(parse(exposure, "1,5"), 1.5);
  assert.equal(parse(exposure, "–.7"), -0.7);
  assert.equal(parse(exposure, "-9 EV"), -5);
  assert.equal(parse(kelvin, "2200K"), 2200);
  assert.equal(parse(exposure, "bright"), null);
  assert.equal(parse(exposure, ""), null);
});

test("bytes and costs are short", () => {
  assert.equal(bytes(840), "840 B");
  assert.equal(bytes(2104332), "2.1 MB");
  assert.equal(bytes(84e3), "84 kB");
  assert.equal(cost({ milliseconds: 0, fused: true }), "fused, +0.0 ms");
  assert.equal(cost({ milliseconds: 2.12, fused: false }), "+2.1 ms");
});
