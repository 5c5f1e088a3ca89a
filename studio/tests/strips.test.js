import assert from "node:assert/strict";
import { test } from "node:test";
import { lookName, lookType } from "../page/looks/drop.js";
import { scrollFor, visibleRange } from "../page/film/visible.js";

test("of ten thousand cells only those in sight exist", () => {
  const { first, last } = visibleRange({ scroll: 300_000, room: 1200, pitch: 60, count: 10_000 });
  assert.ok(first <= 5000 && last >= 5020);
  assert.ok(last - first <= 34);
});

test("the range stays within the strip", () => {
  assert.deepEqual(visibleRange({ scroll: 0, room: 100, pitch: 60, count: 2 }), { first: 0, last: 2 });
  assert.deepEqual(visibleRange({ scroll: 0, room: 100, pitch: 60, count: 0 }), { first: 0, last: 0 });
  assert.deepEqual(visibleRange({ scroll: 9e9, room: 100, pitch: 60, count: 5 }), { first: 5, last: 5 });
});

test("a photo that is in sight does not move the strip; others come in with a neighbour", () => {
  const strip = { room: 600, pitch: 60, count: 100 };
  assert.equal(scrollFor({ index: 5, scroll: 0, ...strip }), 0);
  assert.equal(scrollFor({ index: 20, scroll: 0, ...strip }), 22 * 60 - 600);
  assert.equal(scrollFor({ index: 20, scroll: 3000, ...strip }), 19 * 60);
  assert.equal(scrollFor({ index: 99, scroll: 0, ...strip }), 5400);
});

test("what is dropped is named and told apart by its file's name", () => {
  assert.equal(lookName("Old_Slide  v2.cube"), "Old Slide v2");
  assert.equal(lookType("A.CUBE"), "text/plain");
  assert.equal(lookType("mine.json"), "application/json");
  assert.equal(lookType("harbour.jpg.safelight.json"), null);
  assert.equal(lookType("harbour.jpg"), null);
});
