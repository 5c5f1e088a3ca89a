import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBinary, stripesOf } from "../page/core/binary.js";
import { createClock } from "../page/core/clock.js";
import { retryDelay } from "../page/core/socket.js";
import { tokenIn } from "../page/core/token.js";

function message(header, payload) {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(4 + json.length + payload.length);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  bytes.set(payload, 4 + json.length);
  return bytes.buffer;
}

test("a binary message is a header and its payload", () => {
  const stripes = [{ y: 0, height: 8, bytes: 3 }, { y: 8, height: 8, bytes: 2 }];
  const { header, payload } = parseBinary(message({ type: "frame", stripes, name: "Küste" }, [1, 2, 3, 4, 5]));
  assert.equal(header.name, "Küste");
  assert.deepEqual(stripesOf(header, payload).map(({ y, bytes }) => [y, ...bytes]), [[0, 1, 2, 3], [8, 4, 5]]);
});

test("lengths that do not fit are refused", () => {
  const buffer = message({ type: "frame" }, []);
  new DataView(buffer).setUint32(0, 1e6, true);
  assert.throws(() => parseBinary(buffer), RangeError);
  assert.throws(() => stripesOf({ stripes: [{ y: 0, height: 1, bytes: 9 }] }, new Uint8Array(3)), RangeError);
});

test("retries wait a quarter of a second, then twice as long, at most four seconds", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 50].map(retryDelay), [250, 500, 1000, 2000, 4000, 4000, 4000]);
});

test("the token is found in an address, or by itself", () => {
  const token = "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4";
  assert.equal(tokenIn(`http://localhost:8555/#token=${token}`), token);
  assert.equal(tokenIn(`#photo=3&token=${token}`), token);
  assert.equal(tokenIn(` ${token} `), token);
  assert.equal(tokenIn("http://localhost:8555/"), null);
  assert.equal(tokenIn(""), null);
});

test("each drawn frame tells when its input was made, sent, received, decoded and drawn", () => {
  let now = 100;
  const clock = createClock(() => now);
  clock.sent(7, 98);
  now = 130;
  const header = { input: 7, frame: 3, final: false };
  assert.deepEqual(
    clock.drawn({ header, received: 115, decoded: 125 }, 130),
    { id: 7, frame: 3, input: 98, isFirst: true, sent: 100, received: 115, decoded: 125, drawn: 130, age: null, final: false },
  );
  assert.equal(clock.drawn({ header: { frame: 4, final: true }, received: 1, decoded: 2 }, 3).input, null);
  assert.equal(clock.latencies.length, 2);
});
