// Groups of an edit: a mask, an opacity, and filters by the names of their parameters. No DOM.
import { pointsOf, textOf } from "../adjust/curve/points.js";
import { neutralOf } from "../core/edits.js";
import { format } from "../adjust/numbers.js";
import { leavesOf } from "./tree.js";

/** What a group cannot hold: what moves pixels, and what acts on the whole picture. A table needs a file. */
const outsidePhases = new Set([
  "noise", "lens", "orientation", "perspective", "straighten", "crop", "resize", "group", "detail",
]);
const outside = new Set(["vignette", "grain", "halation", "lut"]);

export const groupFilters = (filters) =>
  filters.filter(({ filter, phase }) => !outsidePhases.has(phase) && !outside.has(filter));

export const titles = {
  linear: "Linear",
  radial: "Radial",
  brush: "Brush",
  luminance: "Luminance",
  color: "Colour",
  polygon: "Outline",
};
const joins = { add: " + ", subtract: " − ", intersect: " & " };

export const opacityOf = (group) => group.opacity ?? 100;
/** Recipes leave out what is empty. */
export const filtersOf = (group) => group.filters ?? [];

/** As the server writes it: without what says nothing, so that edits that mean the same are the same. */
function tidy({ opacity, filters, ...group }) {
  return {
    ...group,
    ...(opacity === undefined || opacity === 100 ? {} : { opacity }),
    ...(filters?.length ? { filters } : {}),
  };
}

export const withGroup = (edit, index, group) => ({
  ...edit,
  groups: edit.groups.map((one, i) => (i === index ? tidy(group) : one)),
});
export const withInserted = (edit, index, group) => ({
  ...edit,
  groups: [...edit.groups.slice(0, index), tidy(group), ...edit.groups.slice(index)],
});
export const withoutGroup = (edit, index) => ({ ...edit, groups: edit.groups.filter((_, i) => i !== index) });

/** `Linear − Luminance` */
export function titleOf(group) {
  const leaves = leavesOf(group.mask);
  if (leaves.length === 0) return "Everywhere";
  const text = leaves
    .slice(0, 3)
    .map(({ mask, join }, index) => (index > 0 ? (joins[join] ?? " · ") : "") + (titles[mask.kind] ?? mask.kind))
    .join("");
  return leaves.length > 3 ? `${text} …` : text;
}

/** A parameter's value in a group. Points are pairs in recipes, and a text for controls. */
export function valueIn(group, parameter) {
  const filter = filtersOf(group).find((one) => one.filter === parameter.filter);
  const value = filter?.[parameter.name];
  if (value === undefined) return neutralOf(parameter);
  return parameter.kind === "points" && Array.isArray(value) ? textOf(pointsOf(value)) : value;
}

/** Values by flag, as controls read them. */
export function valuesIn(group, parameters) {
  const values = {};
  for (const parameter of parameters) {
    const value = valueIn(group, parameter);
    if (value !== neutralOf(parameter)) values[parameter.flag] = value;
  }
  return values;
}

/** A group with one value; a filter of which nothing is left goes. Of two filters of a kind the first is meant. */
export function withValueIn(group, parameter, value) {
  const isNeutral = value === null || value === "" || value === neutralOf(parameter);
  const written = parameter.kind === "points" && !isNeutral ? pointsOf(value).map(({ x, y }) => [x, y]) : value;
  const index = filtersOf(group).findIndex((one) => one.filter === parameter.filter);
  if (index < 0) {
    if (isNeutral) return group;
    return { ...group, filters: [...filtersOf(group), { filter: parameter.filter, [parameter.name]: written }] };
  }
  const next = { ...filtersOf(group)[index] };
  if (isNeutral) delete next[parameter.name];
  else next[parameter.name] = written;
  const isEmpty = Object.keys(next).length === 1;
  const filters = filtersOf(group).flatMap((one, i) => (i === index ? (isEmpty ? [] : [next]) : [one]));
  return { ...group, filters };
}

/** What a group does, in few words: `Exposure −1.00 EV, Saturation +20`. */
export function summaryOf(group, parameters) {
  const parts = parameters
    .filter((parameter) => parameter.kind === "number" && valueIn(group, parameter) !== neutralOf(parameter))
    .map((parameter) => `${parameter.title} ${format(parameter, valueIn(group, parameter))}`);
  const known = new Set(parameters.map(({ filter }) => filter));
  const others = filtersOf(group).filter(({ filter }) => !known.has(filter)).map(({ filter }) => filter);
  return [...parts, ...others].join(", ");
}
