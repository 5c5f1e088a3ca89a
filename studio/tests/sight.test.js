import assert from "node:assert/strict";
import { test } from "node:test";
import { createPace, edgeFor, orderOf, PAUSE } from "../page/library/sight.js";

test("from the middle outwards, then what scrolling will show next", () => {
  const order = orderOf({ first: 12, last: 24, count: 100, columns: 4, way: 1, spare: 4 });
  assert.deepEqual(order.slice(0, 4), [16, 17, 18, 19]);
  assert.deepEqual(order.slice(4, 12).sort((a, b) => a - b), [12, 13, 14, 15, 20, 21, 22, 23]);
  assert.deepEqual(order.slice(12), [24, 25, 26, 27, 11, 10, 9, 8]);
  const back = orderOf({ first: 12, last: 24, count: 100, columns: 4, way: -1, spare: 4 });
  assert.deepEqual(back.slice(12, 16), [11, 10, 9, 8]);
});

test("at the ends nothing beyond them is asked for", () => {
  assert.deepEqual(orderOf({ first: 0, last: 3, count: 3, columns: 3, way: 1, spare: 9 }), [0, 1, 2]);
  assert.deepEqual(orderOf({ first: 0, last: 0, count: 0, columns: 3, way: 0, spare: 9 }), []);
});

test("few sizes, none much smaller than the cell", () => {
  assert.equal(edgeFor(60), 128);
  assert.equal(edgeFor(230), 256);
  assert.equal(edgeFor(420), 384);
  assert.equal(edgeFor(440), 512);
  assert.equal(edgeFor(2000), 768);
});

function clockAt() {
  const timers = [];
  return {
    time: 0,
    timers,
    now() {
      return this.time;
    },
    later(run, ms) {
      const timer = { run, at: this.time + ms };
      timers.push(timer);
      return timer;
    },
    never(timer) {
      timers.splice(timers.indexOf(timer), 1);
    },
    pass(ms) {
      this.time += ms;
      for (const timer of [...timers]) {
        if (timer.at > this.time) continue;
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
    },
  };
}

test("at rest at once, while scrolling now and then, while it flies not until it slows down", () => {
  const clock = clockAt();
  let asked = 0;
  const pace = createPace(() => asked++, clock);
  pace.moved(0, 800);
  assert.equal(asked, 1);
  // Slow: 100 px in each frame is 7.8 windows a second, 30 px are 2.3.
  for (let frame = 1; frame <= 30; frame++) {
    clock.pass(16);
    pace.moved(frame * 30, 800);
  }
  assert.ok(asked >= 4 && asked <= 8, `${asked} in half a second`);
  const before = asked;
  for (let frame = 1; frame <= 30; frame++) {
    clock.pass(16);
    pace.moved(900 + frame * 400, 800);
  }
  assert.ok(asked - before <= 1, "nothing while it flies");
  clock.pass(PAUSE);
  assert.ok(asked - before >= 1 && asked - before <= 2, "it comes to rest");
});
