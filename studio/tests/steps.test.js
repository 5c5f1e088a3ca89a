import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { createSteps } from "../page/core/steps.js";

let open;
let did;
let state;
let steps;
/** Parts that tell what they are asked for. */
const part = (name, answers) => {
  const one = {
    listen: (run) => (one.made = run),
    flush() {},
    undo: () => (did.push(`${name} back`), answers()),
    redo: () => (did.push(`${name} again`), answers()),
  };
  return one;
};
let editor;
let marks;

beforeEach(() => {
  open = "a";
  did = [];
  editor = Object.assign(part("edit", () => true), { isUndoable: true, isRedoable: true });
  marks = part("mark", () => ["a"]);
  steps = createSteps({
    editor,
    marks,
    photo: () => open,
    show: (photo) => did.push(`show ${photo}`),
    changed: (now) => (state = now),
  });
});

test("marks and edits are undone in the order in which they were made, and done again in the other", () => {
  editor.made("a");
  marks.made();
  editor.made("a");
  for (let i = 0; i < 3; i++) steps.undo();
  assert.deepEqual(did, ["edit back", "mark back", "edit back"]);
  for (let i = 0; i < 3; i++) steps.redo();
  assert.deepEqual(did.slice(3), ["edit again", "mark again", "edit again"]);
});

test("the bar knows what is next, and a new step ends what could be done again", () => {
  marks.made();
  assert.deepEqual(state, { undo: true, redo: false });
  steps.undo();
  assert.deepEqual(state, { undo: false, redo: true });
  editor.made("a");
  assert.deepEqual(state, { undo: false, redo: false });
});

test("a mark of a photo that was left is taken back where it is seen", () => {
  marks.made();
  open = "b";
  steps.undo();
  assert.deepEqual(did, ["mark back", "show a"]);
});

test("what was edited before, on other days, is undone when the line is empty; another photo's edit stays", () => {
  steps.undo();
  assert.deepEqual(did, ["edit back"]);
  marks.made();
  editor.made("a");
  open = "b";
  steps.undo();
  assert.deepEqual(did, ["edit back", "mark back", "show a"]);
});

test("an edit that another tab has taken back does not hold up the mark before it", () => {
  marks.made();
  editor.made("a");
  editor.isUndoable = false;
  steps.tell();
  assert.equal(state.undo, true);
  steps.undo();
  assert.deepEqual(did, ["mark back"]);
});

test("live frames have no marks", () => {
  marks.made();
  open = "camera";
  steps.undo();
  assert.deepEqual(did, ["edit back"]);
});

test("the grid undoes marks alone", () => {
  marks.made();
  editor.made("a");
  assert.deepEqual(steps.undoMark(), ["a"]);
  steps.undo();
  assert.deepEqual(did, ["mark back", "edit back"]);
});
