// A wheel of hues: the angle is the hue, counterclockwise from the right, and the way from the middle the saturation. No DOM.
import { rounded } from "../scale.js";

const RADIANS = Math.PI / 180;

/** The place of a tint in radii of the wheel, x to the right and y downwards. */
export function toPlace({ hue, saturation }, parameters) {
  const { minimum, maximum } = parameters.saturation;
  const radius = (saturation - minimum) / (maximum - minimum);
  return { x: radius * Math.cos(hue * RADIANS), y: -radius * Math.sin(hue * RADIANS) };
}

/** The tint at a place, to whole steps; beyond the rim it is that of the rim. The middle has no hue, and keeps `hue`. */
export function fromPlace({ x, y }, parameters, hue) {
  const { minimum, maximum } = parameters.saturation;
  const radius = Math.min(1, Math.hypot(x, y));
  const saturation = rounded(parameters.saturation, minimum + radius * (maximum - minimum));
  if (saturation === minimum) return { hue, saturation };
  return { hue: turned(parameters.hue, Math.atan2(-y, x) / RADIANS), saturation };
}

/** A hue within the whole turn of its parameter, to whole steps: 360° is 0°. */
export function turned(parameter, hue) {
  const turn = parameter.maximum - parameter.minimum;
  const whole = rounded(parameter, ((((hue - parameter.minimum) % turn) + turn) % turn) + parameter.minimum);
  return whole === parameter.maximum ? parameter.minimum : whole;
}

/** The colour of a tint as the filter has it: lightness 0.7, a tenth of chroma at full saturation. */
export function colourOf({ hue, saturation }, parameters) {
  const { minimum, maximum } = parameters.saturation;
  return `oklch(0.7 ${(0.1 * (saturation - minimum)) / (maximum - minimum)} ${hue})`;
}
