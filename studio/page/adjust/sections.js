// The order in which a photographer works. All that is shown comes from the server's list of filters; this sorts it.

/** Sections, and in each the parameters (by flag) that come first. Others of the same filters fold out beneath them. */
const order = [
  {
    id: "light",
    title: "Light",
    auto: ["exposure", "tone"],
    flags: ["exposure", "contrast", "highlights", "shadows", "whites", "blacks", "levels-black", "curve", "fade"],
  },
  {
    id: "colour",
    title: "Colour",
    auto: ["white-balance"],
    flags: [
      "temperature",
      "tint",
      "saturation",
      "vibrance",
      "hue",
      "red-hue",
      "black-and-white",
      "grade-shadows-hue",
    ],
  },
  {
    id: "detail",
    title: "Detail",
    auto: [],
    flags: ["texture", "clarity", "dehaze", "sharpen", "noise-reduction", "color-noise-reduction"],
  },
  { id: "effects", title: "Effects", auto: [], flags: ["vignette", "grain", "halation"] },
  // What few photos need: folded until it is wanted.
  {
    id: "advanced",
    title: "Advanced",
    auto: [],
    flags: ["gamut", "tone-map", "raw-detail", "input-encoding", "mixer-red-from-red", "cdl-slope"],
    isFolded: true,
  },
];

/** Filters of the crop tool: all that moves pixels. A lens is one, though it changes light too. */
export const cropFilters = new Set([
  "rotate", "flip", "perspective", "keystone", "straighten", "crop", "resize", "lens",
]);
/** Those that have no place here yet. */
const leftOut = new Set(["group", "lut", "film"]);

/** Titles that are clear only beside the filter's own. */
const titles = {
  "noise-reduction": "Noise reduction",
  "color-noise-reduction": "Colour noise",
  "levels-black": "Levels: black",
  "mixer-red-from-red": "Mixer: red from red",
  "cdl-slope": "CDL slope",
  "tone-map": "Tone map of raws",
  "input-encoding": "Log footage",
  gamut: "Too bright colours",
  "raw-detail": "Detail of raws",
};

const usable = (parameter) => parameter.flag && parameter.kind !== "mask";

/**
 * `[{ id, title, auto, isFolded, controls: [{ parameter, title, filterTitle, heading, more: [parameter] }] }]`; each parameter has its `filter`.
 */
export function sectionsOf(filters) {
  const shown = filters.filter(({ filter }) => !cropFilters.has(filter) && !leftOut.has(filter));
  const known = new Map(order.flatMap((section) => section.flags.map((flag) => [flag, section.id])));
  const controls = new Map(order.map(({ id }) => [id, []]));
  const others = [];
  for (const filter of shown) {
    const parameters = filter.parameters.filter(usable).map((parameter) => ({ ...parameter, filter: filter.filter }));
    const control = (parameter) => entryOf(parameter, filter);
    const isKnown = parameters.some(({ flag }) => known.has(flag));
    let current = null;
    for (const parameter of parameters) {
      const section = known.get(parameter.flag);
      if (section) {
        current = control(parameter);
        controls.get(section).push(current);
      } else if (current) {
        current.more.push(parameter);
      } else if (isKnown) {
        // It stands before the first one we know: it waits for that.
        const first = parameters.find(({ flag }) => known.has(flag));
        current = control(first);
        current.more.push(parameter);
        controls.get(known.get(first.flag)).push(current);
      } else {
        current = control(parameter);
        if (filter.parameters.length === 1) current.title = filter.title;
        else current.heading = filter.title;
        others.push(current);
      }
    }
  }
  const sections = order.map(({ id, title, auto, flags, isFolded = false }) => ({
    id,
    title,
    auto,
    isFolded,
    controls: unique(controls.get(id)).sort(
      (a, b) => flags.indexOf(a.parameter.flag) - flags.indexOf(b.parameter.flag),
    ),
  }));
  sections.push({ id: "more", title: "More", auto: [], isFolded: false, controls: others });
  return sections.filter((section) => section.controls.length > 0);
}

const entryOf = (parameter, filter) => ({
  parameter,
  title: titles[parameter.flag] ?? parameter.title,
  filterTitle: filter.title,
  heading: null,
  more: [],
});

/** Two entries of one parameter become one, with what folds out of both. */
function unique(list) {
  const byFlag = new Map();
  for (const entry of list) {
    const first = byFlag.get(entry.parameter.flag);
    if (first) first.more.push(...entry.more);
    else byFlag.set(entry.parameter.flag, entry);
  }
  return [...byFlag.values()];
}

/** Flags of the crop tool: what "paste crop" pastes. */
export const cropFlags = (filters) =>
  new Set(
    filters
      .filter(({ filter }) => cropFilters.has(filter))
      .flatMap(({ parameters }) => parameters.map(({ flag }) => flag).filter(Boolean)),
  );
