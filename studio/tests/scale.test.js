import assert from "node:assert/strict";
import { test } from "node:test";
import { decimals, magnetic, rounded, stepped, ticks, toPosition, toValue } from "../page/adjust/scale.js";

const exposure = {
  minimum: -5,
  maximum: 5,
  sliderMinimum: -5,
  sliderMaximum: 5,
  step: 0.05,
  detent: 0,
  scale: "linear",
};
const temperature = {
  minimum: 2000,
  maximum: 25000,
  sliderMinimum: 3000,
  sliderMaximum: 12000,
  step: 50,
  detent: 6500,
  scale: "reciprocal",
};

test("positions and values are each other's inverse at every step", () => {
  for (let value = -5; value <= 5.001; value += 0.05) {
    const step = rounded(exposure, value);
    assert.equal(toValue(exposure, toPosition(exposure, step)), step);
  }
  for (let value = 3000; value <= 12000; value += 50) assert.equal(
    toValue(temperature, toPosition(temperature, value)),
    value,
  );
});

test("equal distances of a temperature are equal steps in mired", () => {
  const mired = (position) => 1e6 / toValue({ ...temperature, step: 0.001 }, position);
  const steps = [0, 0.25, 0.5, 0.75].map((position) => mired(position) - mired(position + 0.25));
  for (const step of steps) assert.ok(Math.abs(step - steps[0]) < 0.01);
  assert.ok(toPosition(temperature, 12000) > toPosition(temperature, 3000), "warmer is to the right");
});

test("values beyond the slider's ends rest at its ends", () => {
  assert.equal(toPosition(temperature, 2000), 0);
  assert.equal(toPosition(temperature, 25000), 1);
});

test("the detent pulls within three per cent of half the range", () => {
  assert.equal(magnetic(exposure, 0.5 + 0.0149), 0.5);
  assert.equal(magnetic(exposure, 0.5 + 0.0151), 0.5151);
});

test("steps land on steps, also from between two", () => {
  assert.equal(stepped(exposure, 0.3, 1), 0.35);
  assert.equal(stepped(exposure, -0.05, 1), 0);
  assert.ok(!Object.is(stepped(exposure, -0.05, 1), -0), "never minus zero");
  assert.equal(stepped(exposure, 5, 1), 5);
  assert.equal(stepped(temperature, 6510, 1), 6550);
});

test("a step has as many digits as it needs", () => {
  assert.deepEqual([1, 50, 0.1, 0.05, 0.25].map(decimals), [0, 0, 1, 2, 2]);
});

test("ticks are few enough to see, and in order", () => {
  for (const parameter of [exposure, temperature, { ...exposure, sliderMinimum: 0, sliderMaximum: 9999 }]) {
    const list = ticks(parameter);
    assert.ok(list.length >= 8 && list.length <= 24, String(list.length));
    assert.ok(list.every((position, index) => index === 0 || position > list[index - 1]));
  }
});
