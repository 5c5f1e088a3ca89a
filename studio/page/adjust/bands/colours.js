// The colours of bands: what stands on their swatches, and along their sliders. No DOM.

/**
 * Hues of OKLCH in degrees in the middle of each band, as the engine's HueBand has them (a test compares them), with the
 * lightness and chroma at which a swatch looks as its name says.
 */
const colours = {
  red: [0.62, 0.21, 29],
  orange: [0.73, 0.17, 53],
  yellow: [0.87, 0.17, 110],
  green: [0.74, 0.2, 142],
  aqua: [0.8, 0.13, 195],
  blue: [0.57, 0.19, 264],
  purple: [0.57, 0.2, 301],
  magenta: [0.64, 0.23, 344],
};
const names = Object.keys(colours);

/** Bands are known by name. */
export const isBand = (name) => name in colours;
export const middleOf = (name) => colours[name][2];

const turn = (from, to) => (((to - from) % 360) + 360) % 360;

/** How far a band's hue moves at ±100, as HSL describes it. */
function reach(name, sign) {
  const index = names.indexOf(name);
  const next = names[(index + sign + names.length) % names.length];
  const way = sign > 0 ? turn(middleOf(name), middleOf(next)) : turn(middleOf(next), middleOf(name));
  return Math.min(30, 0.45 * way);
}

/** The colour `[lightness, chroma, hue]` that a band's becomes with changes of −100…100. */
export function changed(name, { hue = 0, saturation = 0, lightness = 0 }) {
  const [l, c, middle] = colours[name];
  const fade = (c * c) / (c * c + 0.06 ** 2);
  const gain = 1 + 0.4 * (lightness / 100) * fade;
  const chroma = c * Math.min(gain, 1) * (1 + saturation / 100);
  return [l * gain, chroma, middle + (hue / 100) * reach(name, Math.sign(hue))];
}

export const css = ([l, c, hue]) => `oklch(${l.toFixed(4)} ${c.toFixed(4)} ${hue.toFixed(2)})`;

/** What a slider does, from its lower end to its upper one: a background of CSS. */
export function trackOf(name, what) {
  const [l, c, hue] = colours[name];
  // From grey to the band's colour: twice its chroma would be out of what screens show.
  const at = (value) => (what === "saturation" ? [l, (c * (1 + value / 100)) / 2, hue] : changed(name, { [what]: value }));
  const stops = [-100, -50, 0, 50, 100].map((value) => css(at(value)));
  return `linear-gradient(90deg in oklab, ${stops.join(", ")})`;
}

/** The two bands about a hue, and how much each has of it: `[[name, weight], [name, weight]]`, as HueBand has it. */
export function around(hue) {
  const degrees = turn(0, hue);
  const next = names.findIndex((name) => degrees < middleOf(name));
  const second = next < 0 ? 0 : next;
  const first = (second + names.length - 1) % names.length;
  const [a, b] = [middleOf(names[first]), middleOf(names[second])];
  const weight = (1 - Math.cos((Math.PI * turn(a, degrees)) / turn(a, b))) / 2;
  return [[names[first], 1 - weight], [names[second], weight]];
}
