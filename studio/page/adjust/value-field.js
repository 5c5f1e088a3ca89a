// A field that a number is typed into.
import { h } from "../core/dom.js";
import { format, parse } from "./numbers.js";

/**
 * @param {object} parameter range, step and unit, as the server describes them
 * @param {object} handlers `label`; `take(value)` gets what was typed, within the range, and returns what is so then
 * @returns `{ element, show(value), finish() }`
 */
export function createValueField(parameter, { label, take }) {
  const element = h("input", {
    class: "value",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": label,
  });
  let value = null;
  // All fields are shown with each input of a drag: those that stay as they are must cost nothing.
  let written = null;
  let text = "";

  function write() {
    text = value === null ? "" : format(parameter, value);
    element.value = text;
    written = value;
  }
  function finish() {
    // What is shown is rounded: only what was typed is taken.
    const typed = element.value === text ? null : parse(parameter, element.value);
    if (typed !== null && typed !== value) value = take(typed);
    write();
  }
  element.addEventListener("focus", () => element.select());
  element.addEventListener("blur", finish);
  element.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      finish();
      element.select();
    }
    if (event.key === "Escape") {
      write();
      element.blur();
    }
  });
  return {
    element,
    /** Shows a value that comes from elsewhere; null is none. */
    show(next) {
      value = next;
      if (value !== written && document.activeElement !== element) write();
    },
    /** Takes what has been typed so far, before what it is about changes. */
    finish,
  };
}
