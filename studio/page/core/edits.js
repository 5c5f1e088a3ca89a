// What an edit is, without a page: values that are neutral are left out, edits are compared, parts are pasted.
import { emptyEdit } from "./state.js";

/** The neutral value of a parameter, as it stands in an edit: a number, a text, or null where there is none. */
export function neutralOf(parameter) {
  if (parameter.neutral === undefined || parameter.neutral === null) return null;
  return parameter.kind === "number" ? Number(parameter.neutral) : String(parameter.neutral);
}

export function valueOf(edit, parameter) {
  const value = edit.values[parameter.flag];
  return value === undefined ? neutralOf(parameter) : value;
}

export const isChanged = (edit, parameter) =>
  edit.values[parameter.flag] !== undefined && edit.values[parameter.flag] !== neutralOf(parameter);

/** An edit with one value set; neutral values, empty texts and null remove it. */
export function withValue(edit, parameter, value) {
  const values = { ...edit.values };
  if (value === null || value === "" || value === neutralOf(parameter)) delete values[parameter.flag];
  else values[parameter.flag] = value;
  return { ...edit, values };
}

/** An edit with values by flag; null removes one. */
export function withValues(edit, changes, parameters) {
  let next = edit;
  for (const [flag, value] of Object.entries(changes)) {
    next = withValue(next, parameters.get(flag) ?? { flag, kind: "text" }, value);
  }
  return next;
}

/** Copied without the given flags. */
export function withoutFlags(edit, flags) {
  const values = Object.fromEntries(Object.entries(edit.values).filter(([flag]) => !flags.has(flag)));
  return { ...edit, values };
}

function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, ordered(value[key])]));
  }
  return value;
}

/** Whether two edits mean the same, whatever the order of their keys. */
export const sameEdit = (a, b) => a === b || JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));

export const isEmpty = (edit) => sameEdit(edit, emptyEdit());

/**
 * `into` with parts of `from`: "colours" (the look and all values but the crop tool's), "crop" (the crop tool's values).
 * Filters and groups of a recipe come with the colours.
 */
export function pasted(from, into, parts, cropFlags) {
  const take = (edit, inCrop) => Object.entries(edit.values).filter(([flag]) => cropFlags.has(flag) === inCrop);
  const colours = parts.has("colours") ? from : into;
  const crop = parts.has("crop") ? from : into;
  return {
    base: colours.base,
    ...(colours.listed ? { listed: true } : {}),
    look: colours.look,
    values: Object.fromEntries([...take(colours, false), ...take(crop, true)]),
    groups: colours.groups,
  };
}

/**
 * What two people made of one edit: `theirs`, with whatever `mine` has changed since `base`. Where both changed the same
 * value, mine is meant, as the later one.
 */
export function merged(base, mine, theirs) {
  const values = { ...theirs.values };
  for (const flag of new Set([...Object.keys(base.values), ...Object.keys(mine.values)])) {
    if (mine.values[flag] === base.values[flag]) continue;
    if (mine.values[flag] === undefined) delete values[flag];
    else values[flag] = mine.values[flag];
  }
  const part = (name) => (sameEdit(mine[name], base[name]) ? theirs[name] : mine[name]);
  const other = sameEdit(mine.base, base.base) ? theirs : mine;
  const listed = other.listed ? { listed: true } : {};
  return { base: other.base, ...listed, look: part("look"), values, groups: part("groups") };
}

/** All parameters of all filters by flag, each with the id of its filter. */
export function parametersByFlag(filters) {
  const map = new Map();
  for (const filter of filters) {
    for (const parameter of filter.parameters) {
      if (parameter.flag) map.set(parameter.flag, { ...parameter, filter: filter.filter });
    }
  }
  return map;
}
