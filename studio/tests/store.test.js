import assert from "node:assert/strict";
import { test } from "node:test";
import { createStore } from "../page/core/store.js";

test("a listener is called at once, and then only when what it selects changes", () => {
  const store = createStore({ a: 1, b: 1 });
  const seen = [];
  store.subscribe((s) => s.a, (a) => seen.push(a));
  store.update({ b: 2 });
  store.update({ a: 2 });
  store.update({ a: 2 });
  assert.deepEqual(seen, [1, 2]);
});

test("a selection of several things changes when one of them does", () => {
  const store = createStore({ a: 1, b: 1, c: 1 });
  let calls = 0;
  store.subscribe((s) => [s.a, s.b], () => calls++);
  store.update({ c: 2 });
  assert.equal(calls, 1);
  store.update({ b: 2 });
  assert.equal(calls, 2);
});

test("a listener may update the store: all see the last state", () => {
  const store = createStore({ value: 0, double: 0 });
  const seen = [];
  store.subscribe((s) => s.value, (value) => store.update({ double: value * 2 }));
  store.subscribe((s) => s.double, (double) => seen.push(double));
  store.update({ value: 4 });
  assert.deepEqual(seen, [0, 8]);
});

test("after unsubscribing nothing is called", () => {
  const store = createStore({ a: 1 });
  let calls = 0;
  store.subscribe((s) => s.a, () => calls++)();
  store.update({ a: 2 });
  assert.equal(calls, 1);
});
