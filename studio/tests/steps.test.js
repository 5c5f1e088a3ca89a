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

test("the grid and the comparison undo no edits of single photos", () => {
  marks.made();
  editor.made("a");
  assert.deepEqual(steps.undoInGrid(), ["a"]);
  steps.undo();
  assert.deepEqual(did, ["mark back", "edit back"]);
});

test("in the grid, what was pasted onto many photos is taken back before the marks given earlier", () => {
  steps.use((pasted, isUndo, finished) => {
    did.push(`${isUndo ? "unpaste" : "paste"} ${Object.keys(pasted)}`);
    finished(Object.keys(pasted), []);
    return true;
  });
  marks.made();
  editor.made("a");
  steps.pasted({ b: 3, c: 1 });
  assert.deepEqual(steps.undoInGrid(), ["b", "c"]);
  assert.deepEqual(steps.undoInGrid(), ["a"]);
  assert.deepEqual(did, ["unpaste b,c", "mark back"]);
  steps.redoInGrid();
  assert.deepEqual(steps.redoInGrid(), ["b", "c"]);
  assert.deepEqual(did.slice(2), ["mark again", "paste b,c"]);
  // Nothing changed: nothing to take back.
  steps.pasted({});
  assert.deepEqual(steps.undoInGrid(), ["b", "c"]);
});

test("what was pasted waits its turn, and a photo whose part was taken back alone is left out of the rest", () => {
  let isFree = false;
  steps.use((pasted, isUndo, finished) => {
    if (!isFree) return false;
    did.push(`unpaste ${Object.keys(pasted)}`);
    // Of four, the third has been edited since, and it was cancelled before the fourth.
    const [first, second, third] = Object.keys(pasted);
    finished(second ? [first, second] : [first], third ? [third] : []);
    return true;
  });
  steps.pasted({ a: 3, b: 1, c: 2, d: 9, e: 4 });
  assert.deepEqual(steps.undoInGrid(), []);
  isFree = true;
  steps.undo();
  assert.deepEqual(steps.undoInGrid(), ["b", "c", "d", "e"]);
  assert.deepEqual(did, ["edit back", "unpaste b,c,d,e"]);
  // What was not come to is next, before anything older; the photo that was edited since is left alone.
  assert.deepEqual(steps.undoInGrid(), ["e"]);
  assert.deepEqual(steps.undoInGrid(), []);
  assert.deepEqual(steps.redoInGrid(), ["e"]);
  assert.deepEqual(steps.redoInGrid(), ["b", "c"]);
});
