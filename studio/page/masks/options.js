// What the chosen mask itself offers: the brush, ranges, falloff, feather.
import { h, setAttribute, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { createField } from "./field.js";
import { createRamp } from "./ramp.js";
import { featherOf } from "./shapes.js";
import { isFeatherable, unwrapped, wrapped } from "./tree.js";

const percent = (value) => Math.round(value * 1e4) / 100;
const part = (value) => Math.round(value * 100) / 1e4;
/** A feather that follows edges has to reach them. */
const EDGES = 0.02;

export function createOptions(context) {
  const { tool, store } = context;
  const commit = () => tool.commit();
  const brush = () => store.state.masks.brush;

  const ofBrush = (id, title, more) =>
    createField({
      id,
      title,
      get: () => percent(brush()[id]),
      set: (value) => tool.setBrush({ [id]: part(value) }),
      ...more,
    }, context);
  const ofLeaf = (key, title, more, fallback) =>
    createField({
      id: `${more.id ?? key}`,
      title,
      maximum: 100,
      step: 0.1,
      unit: "%",
      get: () => percent(tool.leaf.mask[key] ?? fallback),
      set: (value, options) => tool.setLeaf({ ...tool.leaf.mask, [key]: part(value) }, options),
      commit,
      neutral: fallback * 100,
      ...more,
    }, context);

  const modes = [["Paint", false], ["Erase", true]].map(([title, erase]) =>
    h(
      "button",
      { type: "button", role: "radio", class: "segment", on: { click: () => tool.setBrush({ erase }) } },
      title,
    ));
  const strokes = h(
    "div",
    { class: "segments", role: "radiogroup", "aria-label": "Brush", title: "Hold Alt to erase" },
    modes,
  );
  const pipette = h(
    "button",
    {
      type: "button",
      class: "pill-button pipette",
      on: { click: () => tool.set({ pipette: !store.state.masks.pipette, adding: null }) },
    },
    icon("pipette"),
    "Pick from the picture",
  );
  const swatch = h("span", { class: "swatch", role: "img" });
  const picking = h("div", { class: "pipette-row" }, swatch, pipette);
  const ramp = createRamp(context);
  const colourSlider = { maximum: 100, most: 25 };

  /** By the kind of mask: its rows, from the top. */
  const fields = {
    brush: [
      {
        element: strokes,
        show: () => modes.forEach((mode, index) => setAttribute(mode, "aria-checked", brush().erase === (index === 1))),
      },
      ofBrush(
        "radius",
        "Size",
        {
          minimum: 0.1,
          maximum: 100,
          most: 25,
          step: 0.1,
          unit: "%",
          neutral: 4,
          help: "Radius, as a part of the photo's long edge",
        },
      ),
      ofBrush("hardness", "Hardness", { maximum: 100, unit: "%", neutral: 50 }),
      ofBrush("flow", "Flow", { minimum: 1, maximum: 100, unit: "%", neutral: 100, help: "How much a stroke covers" }),
    ],
    radial: [
      ofLeaf("feather", "Falloff", { id: "falloff", step: 1, help: "The part of the radius over which it fades" }, 0.5),
    ],
    luminance: [
      ramp,
      ofLeaf("softness", "Softness", { most: 50 }, 0.1),
    ],
    color: [
      ofLeaf("range", "Range", { ...colourSlider, help: "How far a colour may be from the one picked" }, 0.05),
      ofLeaf("softness", "Softness", { ...colourSlider, id: "colour-softness" }, 0.05),
    ],
  };

  const setFeather = (feather, options) => {
    const { group } = tool;
    tool.setGroup({ ...group, mask: wrapped({ ...unwrapped(group.mask), feather }) }, options);
  };
  const feather = createField({
    id: "feather",
    title: "Feather",
    help: "How far edges fade on both sides, as a part of the photo's long edge",
    maximum: 100,
    most: 15,
    step: 0.1,
    unit: "%",
    neutral: 0,
    get: () => percent(unwrapped(tool.group.mask).feather?.radius ?? 0),
    set: (value, options) => {
      setFeather({ edges: unwrapped(tool.group.mask).feather?.edges ?? false, radius: part(value) }, options);
    },
    commit,
  }, context);
  const edges = h("input", { type: "checkbox", class: "check" });
  edges.addEventListener("change", () => {
    const radius = unwrapped(tool.group.mask).feather?.radius ?? 0;
    setFeather({ radius: edges.checked ? radius || EDGES : radius, edges: edges.checked });
    commit();
  });
  const follow = h(
    "label",
    { class: "check-row", title: "The mask ends where edges of the picture are near" },
    edges,
    "Follow edges",
  );

  const rows = h("div", { class: "mask-rows" }, picking, ...Object.values(fields).flat().map(({ element }) => element));
  const element = h("div", { class: "mask-options" }, rows, follow, feather.element);

  return {
    element,
    show() {
      const { group, leaf } = tool;
      const kind = tool.paints ? "brush" : leaf?.mask.kind;
      for (const [other, list] of Object.entries(fields)) for (const one of list) one.element.hidden = other !== kind;
      for (const one of fields[kind] ?? []) one.show();
      const picks = kind === "color" || kind === "luminance";
      picking.hidden = !picks;
      swatch.hidden = kind !== "color";
      if (kind === "color") {
        swatch.style.backgroundColor = leaf.mask.color;
        setAttribute(swatch, "aria-label", `Colour ${leaf.mask.color}`);
      }
      setAttribute(pipette, "aria-pressed", store.state.masks.pipette);
      setText(pipette.lastChild, store.state.masks.pipette ? "Click in the picture" : "Pick from the picture");
      const { inner, feather: soft } = unwrapped(group?.mask);
      const canFeather = Boolean(inner) && isFeatherable(inner);
      // An ellipse's falloff is its feather already, a gradient is soft by itself.
      const needsRadius = soft !== null || !["radial", "linear"].includes(inner?.kind);
      feather.element.hidden = !canFeather || !needsRadius;
      follow.hidden = !canFeather;
      if (canFeather) feather.show();
      edges.checked = soft?.edges ?? false;
    },
  };
}
