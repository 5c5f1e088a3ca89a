import assert from "node:assert/strict";
import { test } from "node:test";
import * as groups from "../page/masks/groups.js";
import { emptyEdit } from "../page/core/state.js";

const number = (filter, name, title, neutral = "0") =>
  ({ filter, name, flag: `${filter}-${name}`, title, kind: "number", neutral, step: 1, minimum: -100 });
const shadows = number("tone", "shadows", "Shadows");
const whites = number("tone", "whites", "Whites");
const temperature = { ...number("white-balance", "temperature", "Temperature", "6500"), minimum: 2000, unit: "K" };
const group = { filter: "group", mask: { kind: "linear", from: [0.5, 0.6], to: [0.5, 0.3] } };

test("values stand under the names of parameters; a filter of which nothing is left goes", () => {
  const dark = groups.withValueIn(group, shadows, -20);
  const both = groups.withValueIn(dark, whites, 10);
  assert.deepEqual(both.filters, [{ filter: "tone", shadows: -20, whites: 10 }]);
  assert.deepEqual(groups.valuesIn(both, [shadows, whites, temperature]), { "tone-shadows": -20, "tone-whites": 10 });
  assert.deepEqual(groups.withValueIn(both, shadows, 0).filters, [{ filter: "tone", whites: 10 }]);
  assert.deepEqual(groups.withValueIn(dark, shadows, 0).filters, []);
  assert.equal(groups.withValueIn(group, shadows, 0), group);
  assert.equal(groups.valueIn(group, temperature), 6500);
});

test("an edit has groups as the server writes them: without what says nothing", () => {
  const edit = groups.withInserted(emptyEdit(), 0, { ...group, opacity: 100, filters: [] });
  assert.deepEqual(edit.groups, [group]);
  const half = groups.withGroup(edit, 0, { ...group, opacity: 50, filters: [{ filter: "exposure", stops: 1 }] });
  assert.deepEqual(half.groups, [{ ...group, opacity: 50, filters: [{ filter: "exposure", stops: 1 }] }]);
  assert.deepEqual(groups.withGroup(half, 0, { ...half.groups[0], opacity: 0 }).groups[0].opacity, 0);
  assert.deepEqual(groups.withoutGroup(half, 0), emptyEdit());
});

test("a group is told by its masks and by what it does", () => {
  const mask = { kind: "invert", mask: { kind: "subtract", masks: [group.mask, { kind: "luminance" }] } };
  assert.equal(groups.titleOf({ ...group, mask }), "Linear − Luminance");
  assert.equal(groups.titleOf({ filter: "group" }), "Everywhere");
  const filters = [{ filter: "tone", shadows: -20 }, { filter: "lut", file: "a.cube" }];
  assert.equal(groups.summaryOf({ ...group, filters }, [shadows, whites, temperature]), "Shadows −20, lut");
});

test("groups hold no filters that move pixels or concern the whole picture", () => {
  const filters = [
    ["exposure", "exposure"],
    ["vignette", "light"],
    ["clarity", "light"],
    ["crop", "crop"],
    ["group", "group"],
  ]
    .map(([filter, phase]) => ({ filter, phase }));
  assert.deepEqual(groups.groupFilters(filters).map(({ filter }) => filter), ["exposure", "clarity"]);
});

test("points are pairs in a recipe, and a text for their control", () => {
  const curve = { filter: "curve", name: "points", flag: "curve", title: "RGB", kind: "points", neutral: "0,0 1,1" };
  const bent = groups.withValueIn(group, curve, "0,0 0.25,0.2 1,1");
  assert.deepEqual(bent.filters, [{ filter: "curve", points: [[0, 0], [0.25, 0.2], [1, 1]] }]);
  assert.deepEqual(groups.valuesIn(bent, [curve]), { curve: "0,0 0.25,0.2 1,1" });
  assert.deepEqual(groups.withValueIn(bent, curve, "0,0 1,1").filters, []);
});
