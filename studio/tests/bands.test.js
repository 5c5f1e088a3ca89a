import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { takes } from "../page/adjust/bands/bands.js";
import { around, changed, isBand, middleOf, trackOf } from "../page/adjust/bands/colours.js";
import { shares } from "../page/adjust/bands/pick.js";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const filters = JSON.parse(read("Tests/FiltersTests/Fixtures/filters.json"));
const of = (id) => filters.find(({ filter }) => filter === id).parameters;

test("hues are those of the engine's bands, in its order", () => {
  const middles = [...read("Sources/Filters/Color/HueBand.swift").matchAll(/case \.(\w+): (\d+)/g)];
  assert.equal(middles.length, 8);
  for (const [, name, hue] of middles) assert.equal(middleOf(name), Number(hue), name);
  const names = [...new Set(of("hsl").map(({ name }) => name.split("-")[0]))];
  assert.deepEqual(names, middles.map(([, name]) => name));
  assert.ok(names.every(isBand));
});

test("all parameters of bands are taken, and no others", () => {
  assert.ok(of("hsl").every((one) => takes(one)));
  assert.deepEqual(of("black-and-white").filter((one) => !takes(one)).map(({ name }) => name), ["strength"]);
});

test("a hue moves by 30°, or by 45 % of the way to the next band", () => {
  assert.equal(changed("blue", { hue: 100 })[2], 264 + 0.45 * 37);
  assert.equal(changed("blue", { hue: -50 })[2], 264 - 15);
  assert.equal(changed("red", { hue: -100 })[2], 29 - 0.45 * 45);
});

test("darker loses chroma with it, lighter does not", () => {
  const [lightness, chroma] = changed("green", {});
  const dark = changed("green", { lightness: -100 });
  // L · (1 - 0.4 · C² / (C² + 0.06²))
  const gain = 1 - 0.4 * (chroma ** 2 / (chroma ** 2 + 0.0036));
  assert.ok(Math.abs(dark[0] - lightness * gain) < 1e-12 && Math.abs(dark[1] - chroma * gain) < 1e-12);
  assert.equal(changed("green", { lightness: 100 })[1], chroma);
  assert.equal(changed("green", { saturation: -100 })[1], 0);
});

test("a track begins and ends with what its slider does", () => {
  assert.match(trackOf("red", "hue"), /^linear-gradient\(90deg in oklab, oklch\(0.6200 0.2100 8.75\), .*39.80\)\)$/);
  assert.match(trackOf("red", "saturation"), /oklab, oklch\(0.6200 0.0000 29.00\), .*oklch\(0.6200 0.2100 29.00\)\)$/);
});

test("a hue lies in two bands, as HueBand weighs them", () => {
  // In the middle of a band it is that one's alone; halfway, both have half of it.
  const weights = (hue) => around(hue).map(([name, weight]) => [name, Math.round(weight * 1e6) / 1e6]);
  assert.deepEqual(weights(53), [["orange", 1], ["yellow", 0]]);
  assert.deepEqual(weights((142 + 195) / 2), [["green", 0.5], ["aqua", 0.5]]);
  // A third of the way from magenta to red, across 0°: (1 - cos 60°) / 2.
  assert.deepEqual(weights(359), [["magenta", 0.75], ["red", 0.25]]);
  assert.deepEqual(weights(-1), weights(359));
});

test("a drag on the photo moves the nearest band all the way, and its neighbour in proportion", () => {
  const found = Object.fromEntries(shares(359));
  assert.equal(found.magenta, 1);
  assert.ok(Math.abs(found.red - 1 / 3) < 1e-12);
  assert.deepEqual(shares(264).map(([name]) => name), ["blue"]);
});
