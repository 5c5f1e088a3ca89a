// The small menu of the bar: copying and pasting edits, the command, the keys.
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";

/** @param {Array} entries `[{ label, key, run, enabled() }]`, null for a line between */
export function createMenu(entries) {
  const button = h(
    "button",
    {
      type: "button",
      class: "icon-button",
      title: "More",
      "aria-label": "More",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
    },
    icon("more"),
  );
  const items = entries.map((entry) =>
    entry
      ? h(
        "button",
        { type: "button", role: "menuitem", class: "menu-item", tabindex: "-1" },
        h("span", {}, entry.label),
        entry.key ? h("kbd", {}, entry.key) : null,
      )
      : h("hr", { role: "separator" }),
  );
  const list = h("div", { class: "menu", role: "menu", hidden: true }, items);
  const element = h("div", { class: "menu-holder" }, button, list);
  const choices = items.filter((item) => item.matches("button"));

  function show(open) {
    list.hidden = !open;
    button.setAttribute("aria-expanded", open);
    if (!open) return;
    entries.forEach((entry, index) => {
      if (entry) items[index].disabled = entry.enabled ? !entry.enabled() : false;
    });
    choices.find((item) => !item.disabled)?.focus();
  }
  button.addEventListener("click", () => show(list.hidden));
  entries.forEach((entry, index) => {
    if (!entry) return;
    items[index].addEventListener("click", () => {
      show(false);
      button.focus();
      entry.run();
    });
  });
  element.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const usable = choices.filter((item) => !item.disabled);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) usable[(usable.indexOf(document.activeElement) + by + usable.length) % usable.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") show(false);
    else return;
    if (event.key === "Escape") button.focus();
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!list.hidden && !element.contains(event.target)) show(false);
  });
  return element;
}
