// Tabs of a tool: a row of short names, of which one is chosen. A dot tells that something is changed behind one.
import { h, setAttribute } from "../core/dom.js";

/**
 * @param {object} tabs `label`; `controls`: the id of what they change; `items`: `{ text, title, colour }`, a colour of CSS
 *   or null; `choose(index)`
 * @returns `{ element, show(index), mark(index, isChanged) }`
 */
export function createTabs({ label, controls, items, choose }) {
  const buttons = items.map(({ text, title, colour }, index) => {
    const button = h(
      "button",
      {
        type: "button",
        role: "tab",
        class: "segment tool-tab",
        "aria-label": title,
        "aria-controls": controls,
        title: title === text ? null : title,
        on: { click: () => choose(index) },
      },
      h("span", {}, text),
    );
    if (colour) button.style.setProperty("--tab", colour);
    return button;
  });
  const element = h("div", { class: "segments tool-tabs", role: "tablist", "aria-label": label }, buttons);
  element.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const index = (buttons.indexOf(document.activeElement) + by + buttons.length) % buttons.length;
    choose(index);
    buttons[index].focus();
  });
  const marked = items.map(() => false);
  return {
    element,
    show(chosen) {
      buttons.forEach((button, index) => {
        setAttribute(button, "aria-selected", index === chosen);
        button.tabIndex = index === chosen ? 0 : -1;
      });
    },
    mark(index, isChanged) {
      if (marked[index] === isChanged) return;
      marked[index] = isChanged;
      buttons[index].classList.toggle("changed", isChanged);
      setAttribute(buttons[index], "aria-label", items[index].title + (isChanged ? ", changed" : ""));
    },
  };
}
