import assert from "node:assert/strict";
import { test } from "node:test";
import * as tree from "../page/masks/tree.js";

const linear = { kind: "linear", from: [0, 0], to: [0, 1] };
const brush = { kind: "brush", strokes: [] };
const light = { kind: "luminance", from: 0.5, to: 1 };
const mask = {
  kind: "invert",
  mask: { kind: "subtract", masks: [linear, { kind: "feather", radius: 0.1, mask: brush }, light] },
};

test("the masks in a tree are found, each with how it joins, and replaced", () => {
  const leaves = tree.leavesOf(mask);
  assert.deepEqual(leaves.map((leaf) => [leaf.mask.kind, leaf.join]), [
    ["linear", null],
    ["brush", "subtract"],
    ["luminance", "subtract"],
  ]);
  for (const { mask: leaf, path } of leaves) assert.equal(tree.maskAt(mask, path), leaf);
  const other = { kind: "color", color: "#102030" };
  const next = tree.replacedAt(mask, leaves[1].path, other);
  assert.deepEqual(tree.leavesOf(next).map((leaf) => leaf.mask), [linear, other, light]);
  assert.deepEqual(tree.leavesOf(mask).map((leaf) => leaf.mask), [linear, brush, light]);
});

test("a part can go; of a difference not the first one", () => {
  const [first, second] = tree.leavesOf(mask);
  assert.deepEqual(
    tree.removedAt(mask, second.path),
    { kind: "invert", mask: { kind: "subtract", masks: [linear, light] } },
  );
  assert.equal(tree.removedAt(mask, first.path), null);
  const both = { kind: "add", masks: [linear, light] };
  assert.deepEqual(tree.removedAt(both, [0]), light);
});

test("wrapping and unwrapping come back to the same; twice inverted is not inverted", () => {
  const soft = { kind: "invert", mask: { kind: "feather", radius: 0.02, edges: true, mask: linear } };
  assert.deepEqual(tree.unwrapped(soft), { isInverted: true, feather: { radius: 0.02, edges: true }, inner: linear });
  assert.deepEqual(tree.wrapped(tree.unwrapped(soft)), soft);
  assert.deepEqual(tree.wrapped({ ...tree.unwrapped(soft), feather: { radius: 0, edges: false } }), {
    kind: "invert",
    mask: linear,
  });
  assert.equal(tree.inverted(tree.inverted(linear)), linear);
});

test("masks combine into lists that grow", () => {
  const sum = tree.combined(tree.combined(linear, "add", brush), "add", light);
  assert.deepEqual(sum, { kind: "add", masks: [linear, brush, light] });
  assert.deepEqual(tree.combined(sum, "intersect", light), { kind: "intersect", masks: [sum, light] });
});

test("what is made of colours cannot be feathered", () => {
  assert.ok(tree.isFeatherable({ kind: "add", masks: [linear, brush] }));
  assert.ok(!tree.isFeatherable(mask));
  assert.ok(!tree.isFeatherable({ kind: "feather", radius: 0.1, edges: true, mask: linear }));
  assert.ok(tree.readsColours(mask) && !tree.readsColours(linear));
});
