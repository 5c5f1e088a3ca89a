// A slider's position (0…1) and its value, by the parameter's own scale, step and detent.

const forward = (scale, value) => (scale === "reciprocal" ? 1 / value : value);

/** Position of a value; values beyond the slider's ends are at its ends. */
export function toPosition({ sliderMinimum, sliderMaximum, scale }, value) {
  const low = forward(scale, sliderMinimum);
  const high = forward(scale, sliderMaximum);
  return Math.min(1, Math.max(0, (forward(scale, value) - low) / (high - low)));
}

/** Value at a position, to the nearest step. */
export function toValue(parameter, position) {
  const { sliderMinimum, sliderMaximum, scale } = parameter;
  const low = forward(scale, sliderMinimum);
  const high = forward(scale, sliderMaximum);
  return rounded(parameter, forward(scale, low + Math.min(1, Math.max(0, position)) * (high - low)));
}

/** Digits after the point that a step needs. */
export function decimals(step) {
  for (let digits = 0; digits < 6; digits++) {
    if (Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-9) return digits;
  }
  return 6;
}

/** The nearest whole step, within the values that are accepted. */
export function rounded({ step, minimum, maximum }, value) {
  const near = Number((Math.round(value / step) * step).toFixed(decimals(step)));
  return Math.min(maximum, Math.max(minimum, near)) + 0;
}

/** 3 % of half the range. */
export const MAGNET = 0.015;

/** The position, pulled to the detent where it is near. */
export function magnetic(parameter, position) {
  const detent = toPosition(parameter, parameter.detent);
  return Math.abs(position - detent) <= MAGNET ? detent : position;
}

/** The value `steps` steps away; from between two steps the first goes to the next whole one. */
export const stepped = (parameter, value, steps) => rounded(parameter, value + steps * parameter.step);

/** Positions of small ticks: about twenty, on round values. */
export function ticks(parameter) {
  const { sliderMinimum: low, sliderMaximum: high } = parameter;
  const rough = (high - low) / 20;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999);
  const positions = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + step * 1e-6; i++) {
    positions.push(toPosition(parameter, Math.min(high, i * step)));
  }
  // In mired, ticks of equal kelvins crowd at one end: drop those that stand closer than the eye can tell.
  return positions.filter((position, index) => index === 0 || position - positions[index - 1] > 0.018);
}
