// Parameters that say more when they are drawn together: which filter gets which tool. Others stay sliders.
import { createBands, takes as takesBands } from "./bands/bands.js";
import { createCurve, takes as takesCurve } from "./curve/curve.js";
import { createWheels, takes as takesWheels } from "./wheels/wheels.js";

const tools = {
  curve: { takes: takesCurve, create: createCurve },
  grading: { takes: takesWheels, create: createWheels },
  hsl: { takes: takesBands, create: createBands },
  "black-and-white": { takes: takesBands, create: createBands },
};

/**
 * @param {Array} parameters of one filter, each with its `filter`
 * @returns `{ create, taken, others }`: what the tool draws, and what is left; null if there is no tool for them
 */
export function toolFor(parameters) {
  const tool = tools[parameters[0].filter];
  if (!tool) return null;
  const taken = parameters.filter((parameter) => tool.takes(parameter, parameters));
  if (taken.length === 0) return null;
  return { create: tool.create, taken, others: parameters.filter((parameter) => !taken.includes(parameter)) };
}
