import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cropFlags, sectionsOf } from "../page/adjust/sections.js";
import { toolFor } from "../page/adjust/tools.js";

/** The engine's own description, as another test records it. */
const filters = JSON.parse(readFileSync(new URL("../../Tests/FiltersTests/Fixtures/filters.json", import.meta.url)));
const flagsOf = (section) => section.controls.map(({ parameter }) => parameter.flag);

test("sections follow a photographer's order", () => {
  const sections = sectionsOf(filters);
  assert.deepEqual(sections.map(({ id }) => id), ["light", "colour", "detail", "effects", "advanced"]);
  assert.deepEqual(flagsOf(sections[0]), [
    "exposure", "contrast", "highlights", "shadows", "whites", "blacks", "levels-black", "curve", "fade",
  ]);
  assert.deepEqual(flagsOf(sections[1]), [
    "temperature", "tint", "saturation", "vibrance", "hue", "red-hue", "black-and-white", "grade-shadows-hue",
  ]);
});

test("every parameter of every filter is somewhere, once", () => {
  const shown = sectionsOf(filters).flatMap(
    ({ controls }) => controls.flatMap(({ parameter, more }) => [parameter.flag, ...more.map(({ flag }) => flag)]),
  );
  const expected = filters
    .filter(({ filter }) => !["group", "lut", "film"].includes(filter))
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

test("tools take what they can draw, and leave sliders to others", () => {
  const toolOf = (id) => {
    const { parameters } = filters.find(({ filter }) => filter === id);
    const tool = toolFor(parameters.map((parameter) => ({ ...parameter, filter: id })));
    return tool && [tool.taken.length, tool.others.map(({ name }) => name)];
  };
  assert.deepEqual(toolOf("curve"), [5, []]);
  assert.deepEqual(toolOf("hsl"), [24, []]);
  assert.deepEqual(toolOf("black-and-white"), [8, ["strength"]]);
  assert.deepEqual(toolOf("grading"), [12, ["blending", "balance"]]);
  assert.equal(toolOf("exposure"), null);
  // Of a wheel that lacks its slider only sliders are left.
  const two = filters.find(({ filter }) => filter === "grading").parameters.slice(0, 2);
  assert.equal(toolFor(two.map((parameter) => ({ ...parameter, filter: "grading" }))), null);
});
