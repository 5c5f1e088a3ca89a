// Which photos are shown. Within a kind any will do (red or green); all kinds that are asked for must hold.

export const flags = ["pick", "none", "reject"];
export const colors = ["red", "yellow", "green", "blue", "purple"];
export const neutral = Object.freeze({ rating: 0, flag: "none", color: "none" });

/** `edited`: null for all, true for those with an edit, false for those without. */
export const noFilter = Object.freeze({
  stars: 0,
  flags: Object.freeze([]),
  colors: Object.freeze([]),
  edited: null,
});

export const isOn = (filter) =>
  filter.stars > 0 || filter.flags.length > 0 || filter.colors.length > 0 || filter.edited !== null;

export const isNeutral = (mark) => mark.rating === 0 && mark.flag === "none" && mark.color === "none";

export function passes(filter, mark, isEdited) {
  return (
    mark.rating >= filter.stars &&
    (filter.flags.length === 0 || filter.flags.includes(mark.flag)) &&
    (filter.colors.length === 0 || filter.colors.includes(mark.color)) &&
    (filter.edited === null || filter.edited === isEdited)
  );
}

/** The photos of a list that a filter lets through; the list itself where it is off. */
export function filtered(photos, filter, marks, edited) {
  if (!isOn(filter)) return photos;
  return photos.filter(({ photo }) => passes(filter, marks.get(photo) ?? neutral, edited.has(photo)));
}

/** A choice put in or taken out of one of the filter's lists. */
export const withToggled = (filter, kind, value) => ({
  ...filter,
  [kind]: filter[kind].includes(value) ? filter[kind].filter((one) => one !== value) : [...filter[kind], value],
});

/** How many photos have each mark: `{ stars: [at least 0 … 5], flags: {}, colors: {}, edited }`. */
export function counted(photos, marks, edited) {
  const counts = {
    stars: [0, 0, 0, 0, 0, 0],
    flags: { pick: 0, none: 0, reject: 0 },
    colors: Object.fromEntries(colors.map((color) => [color, 0])),
    edited: 0,
  };
  for (const { photo } of photos) {
    const mark = marks.get(photo) ?? neutral;
    for (let stars = 0; stars <= mark.rating; stars++) counts.stars[stars]++;
    counts.flags[mark.flag]++;
    if (mark.color !== "none") counts.colors[mark.color]++;
    if (edited.has(photo)) counts.edited++;
  }
  return counts;
}

/**
 * The photo `by` places on among those shown; null at the ends. A photo that is not shown itself counts as standing
 * between its neighbours in the whole list.
 */
export function neighbour(photo, by, shown, all) {
  const place = shown.findIndex((one) => one.photo === photo);
  if (place >= 0) return shown[place + by]?.photo ?? null;
  const own = all.findIndex((one) => one.photo === photo);
  if (own < 0 || shown.length === 0) return null;
  const places = new Map(all.map((one, index) => [one.photo, index]));
  const next = shown.findIndex((one) => places.get(one.photo) > own);
  const start = by > 0 ? (next < 0 ? shown.length : next) - 1 : next < 0 ? shown.length : next;
  return shown[start + by]?.photo ?? null;
}
