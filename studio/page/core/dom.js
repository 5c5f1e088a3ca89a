// Elements in one call. Attributes only: the page's policy forbids inline styles and handlers.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** `h("button", { class: "chip", on: { click } }, "Free")` */
export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

/** The same for SVG. */
export const svg = (name, attributes, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

/**
 * Sets an attribute only where it changes, so that nothing is laid out again for nothing. Null removes it, and so does
 * false, except where it is a state that screen readers read.
 */
export function setAttribute(element, name, value) {
  if (value === null || (value === false && !name.startsWith("aria-"))) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Buttons in there do not take the focus from a click: keys such as Enter then still mean the whole tool. */
export function keepFocusOffButtons(element) {
  element.addEventListener("mousedown", (event) => {
    if (!event.target.closest("button")) return;
    event.preventDefault();
    // A field that is left this way still has to take what was typed.
    if (takesText(document.activeElement)) document.activeElement.blur();
  });
}

/** Whether keys belong to a field that takes text. */
export const takesText = (element) =>
  element instanceof HTMLElement &&
  (element.matches("textarea, select, input:not([type=range]):not([type=checkbox])") || element.isContentEditable);
