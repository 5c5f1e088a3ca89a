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
  // Esc hides the dialog and tells of it later: until then, keys would still be blocked. File fields cancel, too.
  element.addEventListener("cancel", (event) => {
    if (event.target === element) close();
  });
  element.addEventListener("close", () => {
    if (store.state.sheet === name) close();
  });
  // A click beside the sheet closes it.
  element.addEventListener("pointerdown", (event) => {
    if (event.target !== element) return;
    const box = element.getBoundingClientRect();
    const across = event.clientX >= box.left && event.clientX <= box.right;
    const along = event.clientY >= box.top && event.clientY <= box.bottom;
    if (!across || !along) close();
  });
  element.addEventListener("keydown", (event) => event.stopPropagation());
  store.subscribe((s) => s.sheet, (sheet) => {
    if (sheet === name && !element.open) element.showModal();
    else if (sheet !== name && element.open) element.close();
  });
  return element;
}
