import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, filtered, isOn, neighbour, noFilter, withToggled } from "../page/library/filter.js";
import { createShown } from "../page/library/shown.js";
import { initialState } from "../page/core/state.js";
import { createStore } from "../page/core/store.js";

const photos = ["a", "b", "c", "d", "e"].map((photo) => ({ photo, name: `${photo}.jpg` }));
const marks = new Map([
  ["a", { rating: 5, flag: "pick", color: "none" }],
  ["b", { rating: 2, flag: "none", color: "red" }],
  ["d", { rating: 0, flag: "reject", color: "red" }],
]);
const edited = new Set(["b", "c"]);
const shown = (filter) => filtered(photos, { ...noFilter, ...filter }, marks, edited).map(({ photo }) => photo).join("");

test("each kind narrows; within one any will do", () => {
  assert.equal(shown({}), "abcde");
  assert.equal(shown({ stars: 2 }), "ab");
  assert.equal(shown({ flags: ["pick"] }), "a");
  assert.equal(shown({ flags: ["pick", "none"] }), "abce");
  assert.equal(shown({ colors: ["red", "blue"] }), "bd");
  assert.equal(shown({ colors: ["red"], flags: ["none"] }), "b");
  assert.equal(shown({ edited: true }), "bc");
  assert.equal(shown({ edited: false, stars: 1 }), "a");
});

test("a filter that is off gives the list itself", () => {
  assert.equal(filtered(photos, noFilter, marks, edited), photos);
  assert.ok(!isOn(noFilter));
  assert.ok(isOn(withToggled(noFilter, "flags", "none")));
  assert.deepEqual(withToggled(withToggled(noFilter, "colors", "red"), "colors", "red").colors, []);
});

test("counts: stars count for fewer too", () => {
  const counts = counted(photos, marks, edited);
  assert.deepEqual(counts.stars, [5, 2, 2, 1, 1, 1]);
  assert.deepEqual(counts.flags, { pick: 1, none: 3, reject: 1 });
  assert.equal(counts.colors.red, 2);
  assert.equal(counts.edited, 2);
});

test("the next photo is the next that is shown, from one that is not shown too", () => {
  const some = [photos[0], photos[3]];
  assert.equal(neighbour("a", 1, some, photos), "d");
  assert.equal(neighbour("b", 1, some, photos), "d");
  assert.equal(neighbour("b", -1, some, photos), "a");
  assert.equal(neighbour("e", 1, some, photos), null);
  assert.equal(neighbour("e", -1, some, photos), "d");
  assert.equal(neighbour("a", -1, some, photos), null);
  assert.equal(neighbour("a", 1, [], photos), null);
});

test("from a photo whose file has gone one steps to those that were beside it", () => {
  const store = createStore(initialState());
  const list = createShown(store);
  store.update({ welcome: { photos }, photo: "c" });
  assert.equal(list.step("c", 1), "d");
  store.update({ welcome: { photos: photos.filter(({ photo }) => photo !== "c") } });
  assert.equal(list.step("c", 1), "d");
  assert.equal(list.step("c", -1), "b");
});

test("the list shown is the same object as long as nothing of it changes", () => {
  const store = createStore(initialState());
  const list = createShown(store);
  store.update({ welcome: { photos }, filter: { ...noFilter, stars: 2 }, marks: { byPhoto: new Map(marks) } });
  const before = list.list;
  assert.equal(before.length, 2);
  const { byPhoto } = store.state.marks;
  byPhoto.set("a", { rating: 4, flag: "pick", color: "none" });
  store.update({ marks: { byPhoto } });
  assert.equal(list.list, before);
  byPhoto.delete("a");
  store.update({ marks: { byPhoto } });
  assert.deepEqual(list.list.map(({ photo }) => photo), ["b"]);
  assert.equal(list.indexOf("b"), 0);
  assert.equal(list.indexOf("a"), -1);
  assert.deepEqual(list.near("c"), ["b"]);
  store.update({ filter: noFilter });
  assert.equal(list.near("c"), null);
});
