// A mask of several: which of them handles and options are of, and ways to add and take away.
import { h, setAttribute } from "../core/dom.js";
import { titles } from "./groups.js";

const SIGNS = { add: "+ ", subtract: "− ", intersect: "& " };
const JOINS = [["add", "Add"], ["subtract", "Subtract"], ["intersect", "Intersect with"]];
const KINDS = ["linear", "radial", "brush", "luminance", "color"];

export function createParts({ tool, store }) {
  const chips = h("div", { class: "chips mask-parts", role: "radiogroup", "aria-label": "Parts of the mask" });
  const remove = h("button", { type: "button", class: "quiet", on: { click: () => tool.removePart() } }, "Remove part");
  const combine = h(
    "select",
    { class: "select", "aria-label": "Combine with another mask" },
    h("option", { value: "" }, "Combine…"),
    JOINS.map(([join, title]) =>
      h(
        "optgroup",
        { label: title },
        KINDS.map((kind) => h("option", { value: `${join} ${kind}` }, `${title} ${titles[kind].toLowerCase()}`)),
      )),
  );
  combine.addEventListener("change", () => {
    const [join, kind] = combine.value.split(" ");
    combine.value = "";
    if (kind) tool.add(kind, join);
  });
  const joining = h("div", { class: "mask-combine-row" }, combine, remove);
  let drawn = "";

  return {
    chips,
    joining,
    show() {
      const { leaves, leaf } = tool;
      const key = leaves.map(({ mask, join }) => `${join} ${mask.kind}`).join();
      if (key !== drawn) {
        drawn = key;
        chips.replaceChildren(...leaves.map(({ mask, join }, index) =>
          h(
            "button",
            {
              type: "button",
              class: "chip",
              role: "radio",
              on: { click: () => tool.set({ part: index, adding: null }) },
            },
            (index ? (SIGNS[join] ?? "") : "") + (titles[mask.kind] ?? mask.kind),
          )));
      }
      const isOne = leaves.length < 2;
      remove.hidden = isOne;
      combine.disabled = !leaf;
      leaves.forEach(({ path }, index) =>
        setAttribute(chips.children[index], "aria-checked", path.join() === leaf.path.join()));
    },
  };
}
