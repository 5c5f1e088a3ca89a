// The masks tool's panel: the list of masks, and beneath it what the chosen one is and does.
import { cost } from "../adjust/numbers.js";
import { h, setAttribute, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { createField } from "./field.js";
import { createGroupFilters } from "./filters.js";
import { opacityOf, titles } from "./groups.js";
import { createList } from "./list.js";
import { createOptions } from "./options.js";
import { createParts } from "./parts.js";
import { unwrapped } from "./tree.js";

export const KINDS = ["linear", "radial", "brush", "luminance", "color"];

export function createMasksPanel(context) {
  const { tool, store } = context;
  const small = (name, label, run, key) =>
    h(
      "button",
      {
        type: "button",
        class: "icon-button small",
        title: key ? `${label} (${key})` : label,
        "aria-label": label,
        on: { click: run },
      },
      icon(name),
    );
  const overlay = small("overlay", "Show where the mask is", tool.cycleOverlay, "O");
  const adds = KINDS.map((kind) =>
    h(
      "button",
      {
        type: "button",
        class: "tool-button",
        "aria-label": `Add mask: ${titles[kind]}`,
        on: { click: () => tool.add(kind) },
      },
      icon(kind),
      h("span", {}, titles[kind]),
    ));
  const hint = h("p", { class: "mask-hint" });
  const spent = h("p", { class: "cost mask-cost" });
  const list = createList(context);
  const invert = small("invert", "Invert", tool.invert);
  const name = h("h2", {});
  const head = h(
    "div",
    { class: "section-head plain" },
    name,
    h("span", { class: "spacer" }),
    invert,
    small("copy", "Duplicate", tool.duplicate),
    small("delete", "Delete the mask", tool.remove, "Del"),
  );
  const opacity = createField({
    id: "opacity",
    title: "Opacity",
    maximum: 100,
    unit: "%",
    neutral: 100,
    get: () => opacityOf(tool.group),
    set: (value, options) => tool.setGroup({ ...tool.group, opacity: value }, options),
    commit: () => tool.commit("Opacity"),
  }, context);
  const parts = createParts(context);
  const options = createOptions(context);
  const filters = createGroupFilters(context);
  const chosen = h(
    "div",
    { class: "mask-chosen" },
    head,
    parts.chips,
    h("div", { class: "mask-body" }, options.element, opacity.element, parts.joining),
    filters.element,
  );
  const element = h(
    "div",
    { class: "masks-panel", id: "masks-panel", role: "tabpanel", "aria-label": "Masks" },
    h("div", { class: "section-head plain" }, h("h2", {}, "Masks"), h("span", { class: "spacer" }), overlay),
    h("div", { class: "tool-buttons", role: "group", "aria-label": "Add a mask" }, adds),
    list.element,
    spent,
    hint,
    chosen,
  );

  function show() {
    const { masks, plan, mode, edit } = store.state;
    if (mode !== "masks") return;
    const { group } = tool;
    setAttribute(overlay, "aria-pressed", masks.overlay);
    adds.forEach((button, index) =>
      setAttribute(button, "aria-pressed", masks.adding?.kind === KINDS[index] && !masks.adding.join));
    const { groups } = edit;
    setText(spent, groups.length && plan?.costs?.group ? cost(plan.costs.group) : "");
    const none = groups.length ? "" : "A mask changes a part of the picture. Begin with a shape.";
    setText(hint, masks.adding ? "Paint on the picture." : none);
    list.show();
    // A brush that is about to paint its first stroke has a size already.
    chosen.hidden = !group && !masks.adding;
    head.hidden = parts.joining.hidden = opacity.element.hidden = !group;
    options.show();
    filters.show();
    parts.chips.hidden = tool.leaves.length < 2;
    if (!group) return;
    setText(name, titles[tool.leaf?.mask.kind] ?? "Mask");
    setAttribute(invert, "aria-pressed", unwrapped(group.mask).isInverted);
    invert.disabled = !group.mask;
    parts.show();
    opacity.show();
  }
  store.subscribe((s) => [s.mode, s.edit, s.masks, s.plan, s.welcome], show);
  return element;
}
