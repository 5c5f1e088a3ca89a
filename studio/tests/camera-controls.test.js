import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestChoice, numberIn, parseRange, parseValue, positionIn, settingText, shownText } from "../page/camera/control-range.js";

test("ranges are read as the engine writes them", () => {
  assert.deepEqual(parseRange("auto, once, locked, 0…250 by 5, 0%…100%"), {
    words: ["auto", "once", "locked"],
    choices: [],
    span: { minimum: 0, maximum: 250, step: 5, unit: "" },
  });
  assert.deepEqual(parseRange("auto, locked, 0.0001s…0.5s").span, { minimum: 0.0001, maximum: 0.5, step: null, unit: "s" });
  assert.deepEqual(parseRange("auto, locked, 2800K…6500K").span, { minimum: 2800, maximum: 6500, step: null, unit: "K" });
  assert.deepEqual(parseRange("-2, -1, 0, 1, 2").choices, ["-2", "-1", "0", "1", "2"]);
  assert.deepEqual(parseRange("off, 50Hz, 60Hz, auto"), { words: ["off", "auto"], choices: ["50Hz", "60Hz"], span: null });
  assert.equal(parseRange("1x…4x, 0%…100%, 100…400").span.maximum, 4);
  assert.equal(parseRange("-10…10").span.minimum, -10);
});

test("points are no words", () => {
  assert.deepEqual(parseRange("auto, 0,0…1,1"), { words: ["auto"], choices: [], span: null });
  assert.deepEqual(parseRange(null), { words: [], choices: [], span: null });
});

test("exposure times are as far apart as their ratio", () => {
  const span = parseRange("auto, 0.0001s…1s").span;
  assert.ok(Math.abs(positionIn(span, 0.01) - 0.5) < 1e-9);
  assert.equal(numberIn(span, 0.5), 0.01);
  assert.equal(settingText(span, numberIn(span, 1)), "1s");
});

test("other numbers keep to their steps and within their ends", () => {
  const span = { minimum: 0, maximum: 250, step: 5, unit: "" };
  assert.equal(numberIn(span, 0.51), 130);
  assert.equal(numberIn(span, 2), 250);
  assert.equal(positionIn(span, 500), 1);
  const kelvin = parseRange("2800K…6500K").span;
  assert.equal(settingText(kelvin, numberIn(kelvin, 0.5)), "4650K");
});

test("values are shown as photographers read them", () => {
  assert.deepEqual(["auto", "0.008s", "0.5s", "4600K", "2x", "-0.5", "50Hz"].map((text) => shownText(text)), [
    "Auto", "1/125 s", "0.5 s", "4600 K", "2×", "−0.5", "50 Hz",
  ]);
  assert.equal(shownText("0.5", true), "+0.5");
  assert.equal(shownText(null), "");
  assert.deepEqual(parseValue("4600K"), { number: 4600, unit: "K" });
  assert.equal(parseValue("auto"), null);
});

test("the nearest of a menu of stops is taken", () => {
  assert.equal(nearestChoice(["-2", "-1", "0", "1", "2"], 0.6), "1");
  assert.equal(nearestChoice(["-2", "0", "2"], -5), "-2");
});
