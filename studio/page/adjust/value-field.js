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
    const isTyped = element.value !== text;
    const typed = isTyped ? parse(parameter, element.value) : null;
    if (typed !== null && typed !== value) value = take(typed);
    else if (isTyped && typed === null) refuse();
    write();
  }
  /** What was typed is no number: the value stays, and this is shown. */
  function refuse() {
    element.classList.add("refused");
    setTimeout(() => element.classList.remove("refused"), 400);
  }
  element.addEventListener("focus", () => element.select());
  // A click into a field that has the focus already would put digits between those that are there.
  element.addEventListener("pointerup", () => {
    if (element.selectionStart === element.selectionEnd && element.value === text) element.select();
  });
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
