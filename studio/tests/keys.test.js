import assert from "node:assert/strict";
import { test } from "node:test";
import { matches } from "../page/core/keys.js";

const event = (key, more = {}) => ({ key, ctrlKey: false, metaKey: false, shiftKey: false, ...more });

test("letters match in any case, with the modifiers that are asked for", () => {
  assert.ok(matches({ key: "z" }, event("Z", { shiftKey: true })));
  assert.ok(!matches({ key: "z" }, event("z", { ctrlKey: true })));
  assert.ok(matches({ key: "z", ctrl: true, shift: false }, event("z", { metaKey: true })));
  assert.ok(!matches({ key: "z", ctrl: true, shift: false }, event("Z", { ctrlKey: true, shiftKey: true })));
  assert.ok(matches({ key: "z", ctrl: true, shift: true }, event("Z", { ctrlKey: true, shiftKey: true })));
});
