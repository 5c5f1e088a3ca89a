import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createEditor } from "../page/core/editor.js";
import { initialState } from "../page/core/state.js";
import { createStore } from "../page/core/store.js";

const filters = [{ filter: "exposure", parameters: [{ flag: "exposure", kind: "number", neutral: "0" }] }];
let frames = [];
let sent;
let online;
let store;
let editor;

/** The next animation frame. */
const tick = () => frames.splice(0).forEach((run) => run());
const photo = (id, values = {}, more = {}) => ({
  photo: id,
  edit: { base: [], look: null, values, groups: [] },
  undo: 0,
  redo: 0,
  ...more,
});
const values = () => store.state.edit.values;

beforeEach(() => {
  frames = [];
  sent = [];
  online = true;
  globalThis.requestAnimationFrame = (run) => frames.push(run);
  store = createStore({ ...initialState(), welcome: { filters }, photo: "a" });
  editor = createEditor(store, (message) => online && sent.push(structuredClone(message)) > 0, { sent() {} });
  editor.opened(photo("a"));
});

test("the first change goes at once; of the others of a frame only the newest, with the frame", () => {
  for (const value of [0.1, 0.2, 0.3]) editor.setValue("exposure", value);
  assert.deepEqual(sent.map(({ edit }) => edit.values.exposure), [0.1]);
  tick();
  assert.deepEqual(sent.map(({ edit }) => edit.values.exposure), [0.1, 0.3]);
  tick();
  tick();
  assert.equal(sent.length, 2);
});

test("inputs grow with each message", () => {
  for (let value = 1; value < 5; value++) {
    editor.setValue("exposure", value);
    tick();
  }
  editor.commit("Exposure");
  const ids = sent.map(({ input }) => input);
  assert.deepEqual(ids, [...ids].sort((a, b) => a - b));
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(editor.lastInput, ids.at(-1));
});

test("a gesture is one step; one that comes back to where it began is none", () => {
  editor.setValue("exposure", 1);
  editor.commit("Exposure");
  assert.deepEqual([sent.at(-1).type, sent.at(-1).label], ["commit", "Exposure"]);
  editor.setValue("exposure", 2);
  editor.setValue("exposure", 1);
  editor.commit("Exposure");
  assert.deepEqual([sent.at(-1).type, sent.at(-1).dragging], ["edit", false]);
});

test("the echo of our own step does not undo what was done since", () => {
  editor.setValue("exposure", 1);
  editor.commit("Exposure");
  editor.setValue("exposure", 2);
  editor.edited({ ...photo("a", { exposure: 1 }), undo: 1 });
  assert.deepEqual([values().exposure, store.state.undo], [2, 1]);
});

test("undo shows what the server says", () => {
  editor.setValue("exposure", 1);
  editor.commit("Exposure");
  editor.edited({ ...photo("a", { exposure: 1 }), undo: 1 });
  editor.undo();
  assert.equal(sent.at(-1).type, "undo");
  editor.edited({ ...photo("a"), undo: 0, redo: 1 });
  assert.deepEqual([values(), store.state.redo], [{}, 1]);
});

test("a step that was refused does not keep later answers from being shown", () => {
  editor.setValue("exposure", 1);
  editor.commit("Exposure");
  editor.refused();
  editor.edited(photo("a", { exposure: 0.5 }));
  assert.equal(values().exposure, 0.5);
});

test("what was done while the line was down is saved when it is back", () => {
  online = false;
  editor.setValue("exposure", 1.5);
  editor.commit("Exposure");
  online = true;
  editor.opened(photo("a"), true);
  assert.equal(values().exposure, 1.5);
  assert.deepEqual([sent.at(-1).type, sent.at(-1).edit.values.exposure], ["commit", 1.5]);
});

test("a step made offline is kept although another photo is open by then", () => {
  online = false;
  editor.setValue("exposure", 1.5);
  editor.commit("Exposure");
  store.update({ photo: "b" });
  online = true;
  editor.resendOthers();
  editor.opened(photo("b"), true);
  assert.deepEqual([sent.at(-1).photo, sent.at(-1).type, sent.at(-1).edit.values.exposure], ["a", "commit", 1.5]);
  assert.deepEqual(values(), {});
  // The server did not confirm it: it is sent again when the photo is opened.
  store.update({ photo: "a" });
  editor.opened(photo("a"));
  assert.equal(sent.at(-1).edit.values.exposure, 1.5);
});

test("another tab's change is taken, except in the middle of a drag", () => {
  editor.opened(photo("a", { exposure: -1 }, { changed: true }));
  assert.equal(values().exposure, -1);
  store.update({ dragging: "exposure" });
  editor.setValue("exposure", 0.5);
  editor.opened(photo("a", { exposure: 3, contrast: 20 }, { changed: true }));
  assert.deepEqual(values(), { exposure: 0.5, contrast: 20 });
  // A step that another tab saves meanwhile is not lost when the drag ends.
  editor.edited({ ...photo("a", { exposure: 3, contrast: 46, tint: 5 }), input: null, undo: 2, redo: 0 });
  assert.deepEqual(values(), { exposure: 0.5, contrast: 46, tint: 5 });
  store.update({ dragging: null });
  editor.commit("Exposure");
  assert.deepEqual(sent.at(-1).edit.values, { exposure: 0.5, contrast: 46, tint: 5 });
});

test("nothing is edited before its photo has arrived", () => {
  store.update({ photo: "b" });
  editor.setValue("exposure", 1);
  editor.commit("Exposure");
  assert.deepEqual([sent.length, values()], [0, {}]);
});
