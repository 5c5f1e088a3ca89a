import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST, settlingTime, spring, springPosition } from "../page/core/spring.js";

const points = (easing) => easing.slice("linear(".length, -1).split(", ").map(Number);

test("a spring starts at 0 and comes to rest at 1", () => {
  for (const [response, damping] of [[0.42, 0.85], [0.32, 0.78], [0.36, 1], [0.4, 1.2]]) {
    assert.equal(springPosition(0, response, damping), 0);
    assert.ok(Math.abs(springPosition(4, response, damping) - 1) < 1e-6);
  }
});

test("it overshoots by exp(−πζ / √(1 − ζ²)), as theory has it", () => {
  const damping = 0.6;
  let highest = 0;
  for (let time = 0; time < 2; time += 0.0005) highest = Math.max(highest, springPosition(time, 0.4, damping));
  const expected = 1 + Math.exp((-Math.PI * damping) / Math.sqrt(1 - damping * damping));
  assert.ok(Math.abs(highest - expected) < 1e-4);
});

test("it stays within one per cent after its settling time, and was outside just before", () => {
  const time = settlingTime(0.42, 0.85);
  for (let later = time; later < time + 1; later += 0.001) assert.ok(
    Math.abs(springPosition(later, 0.42, 0.85) - 1) <= 0.0101,
  );
  assert.ok(Math.abs(springPosition(time - 0.005, 0.42, 0.85) - 1) > 0.009);
});

test("in CSS it is a linear() that ends at 1 within 400 ms", () => {
  for (const [response, damping] of [[0.42, 0.85], [0.45, 0.86], [0.9, 0.5]]) {
    const { easing, duration } = spring(response, damping);
    assert.ok(duration <= LONGEST);
    const list = points(easing);
    assert.equal(list[0], 0);
    assert.equal(list.at(-1), 1);
    assert.ok(list.every(Number.isFinite));
  }
});
