// The crop tool's panel: proportions, turns, mirrors, grid, and what else the engine's geometry filters offer.
import { h, setAttribute } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { createControl } from "../adjust/control.js";
import { cropFilters } from "../adjust/sections.js";
import { aspectOf } from "./crop-text.js";
import { createLensPanel } from "./lens-panel.js";
import { createPerspectivePanel } from "./perspective-panel.js";
import { warpFlags } from "./warp.js";

/** Drawn by hand elsewhere in the tool. */
const ownControls = new Set(["crop", "straighten", "rotate", "flip", ...warpFlags]);

export function createCropPanel({ tool, store, session, editor }) {
  const chips = h("div", { class: "chips", role: "radiogroup", "aria-label": "Proportions" });
  const button = (name, label, run, key) =>
    h(
      "button",
      {
        type: "button",
        class: "tool-button",
        title: key ? `${label} (${key})` : label,
        "aria-label": label,
        on: { click: run },
      },
      icon(name),
      h("span", {}, label),
    );
  const others = h("div", { class: "crop-others" });
  const reset = h("button", { type: "button", class: "quiet", title: "Frame, angle, turns, perspective and lens", on: { click: () => tool.reset() } }, "Reset all");
  const gridButton = button("grid", "Grid", () => tool.cycleGrid(), "O");
  const element = h(
    "div",
    { class: "crop-panel", id: "crop-panel", role: "tabpanel", "aria-label": "Crop" },
    h(
      "div",
      { class: "section-head plain" }, h("h2", {}, "Proportions"), h("span", { class: "spacer" }), reset,
      h(
        "button",
        {
          type: "button",
          class: "icon-button small",
          title: "Portrait or landscape (X)",
          "aria-label": "Portrait or landscape",
          on: { click: () => tool.swapAspect() },
        },
        icon("swap"),
      ),
    ),
    chips,
    h("div", { class: "section-head plain" }, h("h2", {}, "Turn and mirror")),
    h(
      "div",
      { class: "tool-buttons" },
      button("left", "Left", () => tool.turn(false), "["),
      button("right", "Right", () => tool.turn(true), "]"),
      button("flipH", "Mirror", () => tool.flip("h")),
      button("flipV", "Flip", () => tool.flip("v")),
      gridButton,
    ),
    createPerspectivePanel({ tool, store, session, editor }),
    createLensPanel({ tool, store, session }),
    others,
    h(
      "div",
      { class: "crop-actions" },
      h("button", { type: "button", class: "wide-button", on: { click: () => tool.cancel() } }, "Cancel"),
      h("button", { type: "button", class: "wide-button accent", on: { click: () => tool.done() } }, "Done"),
    ),
  );
  let entries = [];
  let controls = [];

  /** One chip for each pair of proportions: X turns it from landscape to portrait. */
  function build(filters) {
    const suggestions = editor.parameters.get("crop")?.suggestions ?? [];
    const ratios = suggestions.map(({ value }) => aspectOf(value));
    const pairs = suggestions.filter(({ value }) => {
      const ratio = aspectOf(value);
      return !ratio || ratio >= 1 || !ratios.some((other) => other && Math.abs(other * ratio - 1) < 1e-9);
    });
    entries = [{ value: "free", title: "Free" }, ...pairs].map(({ value, title }) => {
      const ratio = aspectOf(value);
      const chip = h(
        "button",
        { type: "button", class: "chip", role: "radio", on: { click: () => pick(value, ratio) } },
        title,
      );
      return { value, ratio, title, chip };
    });
    chips.replaceChildren(...entries.map(({ chip }) => chip));
    controls = filters
      .filter(({ filter }) => cropFilters.has(filter))
      .flatMap(({ filter, parameters }) => parameters.map((parameter) => ({ ...parameter, filter })))
      .filter(({ flag }) => flag && !ownControls.has(flag))
      .map(
        (parameter) => createControl(
          parameter,
          { editor: draftEditor, store, title: parameter.flag === "resize" ? "Resize" : parameter.title },
        ),
      );
    others.replaceChildren(...controls.map((control) => control.element));
  }

  // Within the tool a change is part of the draft: it is saved with "Done".
  const draftEditor = {
    setValue(flag, value, options) {
      if (flag === "straighten-corners") tool.setCorners(value);
      else editor.setValue(flag, value, options);
    },
    commit() {},
    commitSoon() {},
  };

  function pick(value, ratio) {
    const { draft } = tool;
    if (!draft) return;
    if (value === "free") tool.setAspect(null);
    else if (!ratio) tool.setAspect(draft.full.width / draft.full.height);
    // Upright pictures start with upright proportions.
    else tool.setAspect(draft.rect.width < draft.rect.height ? 1 / ratio : ratio);
  }

  function show() {
    const { draft } = tool;
    if (!draft) return;
    const original = draft.full.width / draft.full.height;
    let chosen = "free";
    if (draft.aspect) {
      const same = (a, b) => Math.abs(Math.log(a / b)) < 0.002;
      const match = entries.find(({ ratio }) => ratio && (same(draft.aspect, ratio) || same(draft.aspect, 1 / ratio)));
      chosen = same(draft.aspect, original) ? "whole" : (match?.value ?? "free");
    }
    for (const { value, chip, ratio, title } of entries) {
      setAttribute(chip, "aria-checked", value === chosen);
      const upright = ratio && ratio !== 1 && draft.rect.width < draft.rect.height;
      chip.textContent = upright ? title.split(" : ").reverse().join(" : ") : title;
    }
    for (const control of controls) control.show(store.state.edit);
  }

  store.subscribe((s) => s.welcome?.filters, (filters) => filters && build(filters));
  store.subscribe((s) => s.edit, show);
  tool.onChange(show);
  return element;
}
