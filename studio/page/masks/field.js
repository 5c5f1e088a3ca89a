// A slider for a number that is no parameter of a filter: opacity, feather, the brush.
import { createControl } from "../adjust/control.js";

/**
 * @param {object} field `{ id, title, help, maximum, most?, minimum?, step?, unit?, neutral, get(),
 *   set(value, options), commit() }`; `most` is where the slider ends, if more can be typed
 */
export function createField(field, { store, editor }) {
  const { id, title, help = "", minimum = 0, maximum, most = maximum, step = 1, unit, neutral } = field;
  const parameter = {
    flag: `mask-${id}`,
    kind: "number",
    title,
    help,
    unit,
    minimum,
    maximum,
    sliderMinimum: minimum,
    sliderMaximum: most,
    step,
    detent: neutral,
    neutral: String(neutral),
    scale: "linear",
  };
  const commit = field.commit ?? (() => {});
  const adapter = {
    setValue: (_, value, options) => field.set(value, options),
    commit,
    commitSoon: () => field.commit && editor.commitSoon("Mask"),
  };
  const control = createControl(parameter, { editor: adapter, store: quiet(store) });
  return {
    element: control.element,
    show: () => control.show({ values: { [parameter.flag]: field.get() } }),
  };
}

/** The store without the memory of the slider used last: a drag across the picture must not move one of a mask. */
export const quiet = (store) => ({
  update(patch) {
    const { active, ...rest } = patch;
    store.update(rest);
  },
});
