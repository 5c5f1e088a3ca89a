import assert from "node:assert/strict";
import { test } from "node:test";
import { initialState } from "../page/core/state.js";
import { createStore } from "../page/core/store.js";
import { neutral } from "../page/library/filter.js";
import { createMarks } from "../page/library/marks.js";

function made() {
  const store = createStore(initialState());
  store.update({ connection: "open" });
  const listeners = {};
  let request = 0;
  const session = {
    newRequest: () => ++request,
    listen: (type, run) => (listeners[type] = run),
  };
  const sent = [];
  const timers = [];
  const line = { isUp: true };
  const clock = { time: 0, now: () => clock.time, later: (run, ms) => timers.push({ run, at: clock.time + ms }) };
  const send = (message) => line.isUp && Boolean(sent.push(message));
  const marks = createMarks({ store, session, send, clock });
  const pass = (ms) => {
    clock.time += ms;
    for (const timer of timers.splice(0)) timer.at <= clock.time ? timer.run() : timers.push(timer);
  };
  return { store, marks, sent, line, pass, hear: (message) => listeners[message.type](message) };
}
const three = { rating: 3, flag: "none", color: "none" };

test("a mark is shown at once and sent", () => {
  const { marks, sent } = made();
  assert.ok(marks.set(["a", "b"], { rating: 3 }));
  assert.deepEqual(marks.of("b"), three);
  assert.deepEqual(sent, [{ type: "mark", request: 1, photos: ["a", "b"], mark: { rating: 3 } }]);
  assert.ok(!marks.set(["a"], { rating: 3 }), "the same again is nothing");
});

test("what the server refuses is put back, and said", () => {
  const { marks, hear, store } = made();
  hear({ type: "marks", marks: { a: { rating: 1, flag: "none", color: "none" } } });
  marks.set(["a", "b"], { rating: 3 });
  assert.ok(hear({ type: "problem", request: 1, photo: "a", message: "a cannot be written", remedy: "" }));
  assert.equal(marks.of("a").rating, 1);
  assert.equal(marks.of("b").rating, 3);
  assert.equal(store.state.problem.message, "a cannot be written");
  assert.ok(!hear({ type: "problem", request: null, photo: "c", message: "another matter" }));
});

test("an answer to an older mark does not undo a newer one", () => {
  const { marks, hear, pass } = made();
  marks.set(["a"], { rating: 3 });
  marks.set(["a"], { rating: 4 });
  hear({ type: "marks", marks: { a: three } });
  assert.equal(marks.of("a").rating, 4);
  hear({ type: "marks", marks: { a: { ...three, rating: 4 } } });
  pass(2000);
  assert.equal(marks.of("a").rating, 4);
  // What another program writes is believed.
  hear({ type: "marks", marks: { a: { ...three, rating: 1 } } });
  assert.equal(marks.of("a").rating, 1);
});

test("where the server stays with another value, that one counts in the end", () => {
  const { marks, hear, pass } = made();
  marks.set(["a"], { rating: 4 });
  hear({ type: "marks", marks: { a: three } });
  assert.equal(marks.of("a").rating, 4);
  pass(2000);
  assert.equal(marks.of("a").rating, 3);
});

test("what could not be sent is sent when the line is back", () => {
  const { marks, sent, line, store } = made();
  line.isUp = false;
  store.update({ connection: "lost" });
  marks.set(["a"], { flag: "pick" });
  assert.equal(sent.length, 0);
  line.isUp = true;
  store.update({ connection: "open" });
  assert.deepEqual(sent.at(-1).mark, { rating: 0, flag: "pick", color: "none" });
});

test("undo gives each photo what it had", () => {
  const { marks, sent } = made();
  marks.set(["a"], { rating: 2 });
  marks.set(["a", "b"], { rating: 5 });
  assert.deepEqual(marks.undo(), ["a", "b"]);
  assert.equal(marks.of("a").rating, 2);
  assert.deepEqual(marks.of("b"), neutral);
  assert.equal(sent.length, 4);
  assert.deepEqual(marks.undo(), ["a"]);
  assert.deepEqual(marks.undo(), []);
});

test("what was undone is done again, until something new is marked", () => {
  const { marks } = made();
  marks.set(["a"], { rating: 2 });
  marks.set(["a", "b"], { rating: 5 });
  marks.undo();
  assert.deepEqual(marks.redo(), ["a", "b"]);
  assert.deepEqual([marks.of("a").rating, marks.of("b").rating], [5, 5]);
  assert.deepEqual(marks.redo(), []);
  marks.undo();
  assert.equal(marks.of("a").rating, 2);
  marks.set(["c"], { flag: "pick" });
  assert.deepEqual(marks.redo(), []);
});

test("a colour's key takes it off where all have it", () => {
  const { marks } = made();
  marks.toggleColor(["a", "b"], "red");
  assert.equal(marks.of("b").color, "red");
  marks.toggleColor(["a", "b", "c"], "red");
  assert.equal(marks.of("c").color, "red");
  marks.toggleColor(["a", "b", "c"], "red");
  assert.equal(marks.of("a").color, "none");
});

test("a new server's word is the whole truth", () => {
  const { marks, hear, pass } = made();
  hear({ type: "marks", marks: { a: three, b: three } });
  hear({ type: "welcome" });
  hear({ type: "marks", marks: { a: three } });
  assert.equal(marks.of("b").rating, 3, "nothing flickers while it is read");
  pass(3000);
  assert.equal(marks.of("b").rating, 0);
  assert.equal(marks.of("a").rating, 3);
});
