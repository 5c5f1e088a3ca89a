import assert from "node:assert/strict";
import { test } from "node:test";
import { isChanged, isEmpty, merged, parametersByFlag, pasted, sameEdit, withValue, withValues } from "../page/core/edits.js";
import { emptyEdit } from "../page/core/state.js";

const exposure = { flag: "exposure", kind: "number", neutral: "0" };
const flip = { flag: "flip", kind: "choice", neutral: "none" };

test("neutral values are left out", () => {
  const edit = withValue(emptyEdit(), exposure, 0.3);
  assert.deepEqual(edit.values, { exposure: 0.3 });
  assert.ok(isChanged(edit, exposure));
  assert.ok(isEmpty(withValue(edit, exposure, 0)));
  assert.deepEqual(withValue(withValue(edit, flip, "h"), flip, "none").values, { exposure: 0.3 });
});

test("an edit is never changed in place", () => {
  const edit = emptyEdit();
  withValue(edit, exposure, 1);
  assert.ok(isEmpty(edit));
});

test("null removes a value", () => {
  const parameters = parametersByFlag([{ filter: "exposure", parameters: [exposure] }]);
  assert.deepEqual(
    withValues(
      { ...emptyEdit(), values: { exposure: 1, crop: "1:1" } },
      { crop: null, exposure: 2 },
      parameters,
    ).values,
    { exposure: 2 },
  );
});

test("edits are the same whatever the order of their keys", () => {
  assert.ok(sameEdit({ values: { a: 1, b: 2 }, look: null }, { look: null, values: { b: 2, a: 1 } }));
  assert.ok(!sameEdit({ values: { a: 1 } }, { values: { a: 2 } }));
});

test("pasting takes parts: colours without the crop, or the crop without colours", () => {
  const from = {
    base: [],
    look: { preset: "noir", strength: 80 },
    values: { exposure: 1, crop: "0,0,5,5" },
    groups: [],
  };
  const into = { base: [], look: null, values: { contrast: 9, crop: "1,1,2,2", flip: "h" }, groups: [] };
  const crop = new Set(["crop", "flip"]);
  assert.deepEqual(
    pasted(from, into, new Set(["colours"]), crop),
    { ...from, values: { exposure: 1, crop: "1,1,2,2", flip: "h" } },
  );
  assert.deepEqual(pasted(from, into, new Set(["crop"]), crop), { ...into, values: { contrast: 9, crop: "0,0,5,5" } });
  assert.deepEqual(pasted(from, into, new Set(["colours", "crop"]), crop), from);
});

test("what two tabs made of one edit comes together, and where both changed a value the later one holds", () => {
  const base = { ...emptyEdit(), values: { exposure: 1, contrast: 5, tint: 2 } };
  const mine = { ...base, values: { exposure: 2, contrast: 5, saturation: 9 } };
  const theirs = {
    ...base,
    look: { preset: "noir", strength: 100 },
    values: { exposure: 3, contrast: 46, tint: 2, hue: 1 },
  };
  const both = merged(base, mine, theirs);
  assert.deepEqual(both.values, { exposure: 2, contrast: 46, saturation: 9, hue: 1 });
  assert.deepEqual(both.look, theirs.look);
  // Of what one of them alone has changed nothing is lost, whoever it is.
  assert.ok(sameEdit(merged(base, base, theirs), theirs));
  assert.ok(sameEdit(merged(base, mine, base), mine));
});
