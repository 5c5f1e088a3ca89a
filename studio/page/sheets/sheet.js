// A sheet over the page: a native dialog, which keeps focus inside and closes with Esc.
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @returns `{ element, open(), close(), body }`; the store's `sheet` says which one is open. */
export function createSheet(store, name, title, children) {
  const close = () => store.update({ sheet: null });
  const element = h(
    "dialog",
    { class: `sheet ${name}`, "aria-labelledby": `${name}-title` },
    h(
      "header",
      { class: "sheet-head" },
      h("h2", { id: `${name}-title` }, title),
      h("button", { type: "button", class: "icon-button", "aria-label": "Close", on: { click: close } }, icon("close")),
    ),
    h("div", { class: "sheet-body" }, children),
  );
  // The browser closes it, too, as a phone's way back; it may have been opened again since.
  element.addEventListener("close", () => {
    if (store.state.sheet === name && !element.open) close();
  });
  // A click beside the sheet closes it.
  element.addEventListener("pointerdown", (event) => {
    if (event.target !== element) return;
    const box = element.getBoundingClientRect();
    const across = event.clientX >= box.left && event.clientX <= box.right;
    const along = event.clientY >= box.top && event.clientY <= box.bottom;
    if (!across || !along) close();
  });
  /** Closes the sheet at once: the browser tells of its own Esc later, and until then keys would still be blocked. */
  function escape(event) {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    close();
  }
  element.addEventListener("keydown", (event) => {
    event.stopPropagation();
    escape(event);
  });
  // The focus may be on nothing in the sheet.
  document.addEventListener("keydown", (event) => store.state.sheet === name && escape(event));
  store.subscribe((s) => s.sheet, (sheet) => {
    if (sheet === name && !element.open) element.showModal();
    else if (sheet !== name && element.open) {
      element.close();
      // The browser takes the focus out of the sheet with the next frame; until then the page would get no keys.
      if (element.contains(document.activeElement)) document.activeElement.blur();
    }
  });
  return element;
}
