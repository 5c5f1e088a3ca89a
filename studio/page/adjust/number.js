// A number: a slider, and a field beside it, wherever these stand.
import { neutralOf, valueOf } from "../core/edits.js";
import { createSlider } from "./slider.js";
import { createValueField } from "./value-field.js";

const tracks = { temperature: "warm-cool", tint: "green-magenta" };

/**
 * @param {object} parameter as the server describes it
 * @param {object} context `editor`, `store`, `title`: what the control and its steps are called
 * @returns `{ slider, field, show(edit) }`; `field` is an element
 */
export function createNumber(parameter, { editor, store, title }) {
  const set = (value, dragging, time) => editor.setValue(parameter.flag, value, { dragging, time });
  const slider = createSlider(parameter, {
    label: title,
    track: tracks[parameter.flag],
    input: (value, time) => set(value, true, time),
    commit: () => editor.commit(title),
    soon: () => editor.commitSoon(title),
    hold: (on) => store.update({ dragging: on ? parameter.flag : null, active: parameter.flag }),
  });
  slider.native.addEventListener("focus", () => store.update({ active: parameter.flag }));
  const field = createValueField(parameter, {
    label: `${title}, value`,
    take(value) {
      slider.show(value);
      set(value, false, performance.now());
      editor.commit(title);
      return value;
    },
  });
  let shown = null;
  return {
    slider,
    field: field.element,
    show(edit) {
      const value = valueOf(edit, parameter);
      if (value === shown && value === slider.value) return;
      shown = value;
      slider.show(value);
      field.show(value);
      field.element.classList.toggle("changed", value !== neutralOf(parameter));
    },
  };
}
