import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cropFlags, sectionsOf } from "../page/adjust/sections.js";

/** The engine's own description, as another test records it. */
const filters = JSON.parse(readFileSync(new URL("../../Tests/FiltersTests/Fixtures/filters.json", import.meta.url)));
const flagsOf = (section) => section.controls.map(({ parameter }) => parameter.flag);

test("sections follow a photographer's order", () => {
  const sections = sectionsOf(filters);
  assert.deepEqual(sections.map(({ id }) => id), ["light", "colour", "detail", "effects"]);
  assert.deepEqual(flagsOf(sections[0]), [
    "exposure", "contrast", "highlights", "shadows", "whites", "blacks", "levels-black", "curve", "fade",
  ]);
  assert.deepEqual(flagsOf(sections[1]), [
    "temperature", "tint", "saturation", "vibrance", "hue", "red-hue", "black-and-white", "grade-shadows-hue",
    "mixer-red-from-red", "cdl-slope",
  ]);
});

test("every parameter of every filter is somewhere, once", () => {
  const shown = sectionsOf(filters).flatMap(
    ({ controls }) => controls.flatMap(({ parameter, more }) => [parameter.flag, ...more.map(({ flag }) => flag)]),
  );
  const expected = filters
    .filter(({ filter }) => !["group", "lut"].includes(filter))
    .flatMap(({ parameters }) => parameters.map(({ flag }) => flag));
  assert.deepEqual([...shown, ...cropFlags(filters)].sort(), expected.sort());
});

test("what refines a control folds out beneath it", () => {
  const detail = sectionsOf(filters).find(({ id }) => id === "detail");
  const more = (flag) => detail.controls.find(
    ({ parameter }) => parameter.flag === flag,
  ).more.map((parameter) => parameter.flag);
  assert.ok(more("sharpen").includes("sharpen-radius"));
  assert.deepEqual(more("noise-reduction"), ["noise-reduction-detail"]);
  assert.deepEqual(more("color-noise-reduction"), ["color-noise-reduction-detail"]);
});

test("a filter that nobody has heard of appears by itself", () => {
  const strange = {
    filter: "glow",
    title: "Glow",
    parameters: [
      { flag: "glow", kind: "number", title: "Amount" },
      { flag: "glow-size", kind: "number", title: "Size" },
    ],
  };
  const more = sectionsOf([...filters, strange]).at(-1);
  assert.equal(more.id, "more");
  assert.equal(more.controls[0].heading, "Glow");
  assert.deepEqual(more.controls[0].more.map(({ flag }) => flag), ["glow-size"]);
});
