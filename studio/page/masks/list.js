// The list of masks, in the order in which they act.
import { h, setAttribute, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { opacityOf, summaryOf, titleOf } from "./groups.js";
import { leavesOf } from "./tree.js";

export function createList({ tool, store }) {
  const element = h("ul", { class: "mask-list", "aria-label": "Masks" });
  let rows = [];

  function createRow(index) {
    const symbol = h("span", { class: "mask-symbol" });
    const name = h("span", { class: "mask-name" });
    const what = h("span", { class: "mask-what" });
    const button = h(
      "button",
      { type: "button", class: "mask-choose", on: { click: () => tool.select(index) } },
      symbol,
      h("span", { class: "mask-text" }, name, what),
    );
    const eye = h("button", { type: "button", class: "icon-button small", on: { click: () => tool.toggle(index) } });
    return { element: h("li", { class: "mask-row" }, button, eye), symbol, name, what, button, eye, drawn: null };
  }

  /** `Linear 2`: which of those that are made alike. */
  function nameOf(group, index) {
    const { groups } = store.state.edit;
    const title = titleOf(group);
    const alike = groups.filter((one) => titleOf(one) === title);
    if (alike.length < 2) return title;
    return `${title} ${groups.slice(0, index + 1).filter((one) => titleOf(one) === title).length}`;
  }

  function draw(row, group, index) {
    const isShown = opacityOf(group) > 0;
    const kind = leavesOf(group.mask)[0]?.mask.kind ?? "masks";
    setAttribute(row.button, "aria-pressed", index === tool.index);
    const title = nameOf(group, index);
    if (row.drawn === group && row.title === title) return;
    row.drawn = group;
    row.title = title;
    row.symbol.replaceChildren(icon(kind));
    setText(row.name, title);
    setText(row.what, summaryOf(group, tool.parameters()) || "No change yet");
    row.element.classList.toggle("off", !isShown);
    row.eye.replaceChildren(icon(isShown ? "original" : "hidden"));
    setAttribute(row.eye, "aria-label", `Hide ${title}`);
    setAttribute(row.eye, "title", isShown ? "Hide" : "Show");
    setAttribute(row.eye, "aria-pressed", !isShown);
  }

  return {
    element,
    show() {
      const { groups } = store.state.edit;
      if (rows.length !== groups.length) {
        rows = groups.map((_, index) => rows[index] ?? createRow(index));
        element.replaceChildren(...rows.map((row) => row.element));
      }
      element.hidden = groups.length === 0;
      groups.forEach((group, index) => draw(rows[index], group, index));
    },
  };
}
