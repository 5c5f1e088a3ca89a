import assert from "node:assert/strict";
import { test } from "node:test";
import { everything, inOrder, kept, noSelection, only, rangeTo, toggled } from "../page/library/selection.js";

const photos = ["a", "b", "c", "d", "e"].map((photo) => ({ photo }));
const ids = (selection) => inOrder(selection, photos).join("");

test("a click chooses one; Ctrl takes in and out", () => {
  let now = only("b");
  assert.equal(ids(now), "b");
  now = toggled(now, "d");
  assert.equal(ids(now), "bd");
  now = toggled(now, "b");
  assert.equal(ids(now), "d");
  assert.equal(now.focus, "b");
});

test("Shift goes from the anchor, both ways, and adds with Ctrl", () => {
  let now = rangeTo(only("b"), "d", photos);
  assert.equal(ids(now), "bcd");
  now = rangeTo(now, "a", photos);
  assert.equal(ids(now), "ab");
  assert.equal(ids(rangeTo(toggled(only("a"), "d"), "e", photos, true)), "ade");
  assert.equal(ids(rangeTo(noSelection, "c", photos)), "c");
});

test("all, in the order shown", () => {
  assert.equal(ids(everything(toggled(only("d"), "a"), photos)), "abcde");
});

test("what a filter takes away is not chosen any more, and the next photo takes its place", () => {
  const without = (...gone) => photos.filter(({ photo }) => !gone.includes(photo));
  const one = kept(only("c"), without("c"), photos);
  assert.equal(one.focus, "d");
  assert.deepEqual([...one.ids], ["d"]);
  assert.equal(kept(only("e"), without("e"), photos).focus, "d");
  const two = kept(rangeTo(only("b"), "d", photos), without("c"), photos);
  assert.deepEqual([...two.ids], ["b", "d"]);
  assert.equal(kept(only("c"), [], photos).focus, null);
  const same = only("a");
  assert.equal(kept(same, without("c"), photos), same);
});
