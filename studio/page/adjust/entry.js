// An entry of a section: a control with what refines it folded away beneath, or a tool that draws a filter's parameters.
import { isChanged } from "../core/edits.js";
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { costShower, createControl } from "./control.js";
import { isUnfolded, keepUnfolded } from "./folds.js";
import { toolFor } from "./tools.js";

/**
 * @param {object} entry `{ parameter, title, heading, filterTitle, more }`, as `sectionsOf` has it
 * @param {object} context `editor`, `store`, `histogram`; `prefix` of ids; `pick`: what picks on the picture, or null
 * @returns `{ elements, controls }`: a control for each parameter, `{ parameter, slider, show(edit), showCost(edit, plan) }`
 */
export function createEntry(entry, context) {
  const { parameter, title, heading, more } = entry;
  const tool = toolFor([parameter, ...more]);
  if (tool && tool.taken.includes(parameter)) return createTool(entry, tool, context);
  const first = tool ? createTool(entry, tool, context) : more.length ? createFold(entry, context) : null;
  const control = createControl(parameter, { ...context, title, extra: first?.button });
  return {
    elements: [heading ? h("h3", { class: "filter-title" }, heading) : null, control.element, ...(first?.elements ?? [])],
    controls: [control, ...(first?.controls ?? [])],
  };
}

/** Parameters that refine another one. */
function createFold({ parameter, title, more }, context) {
  const controls = more.map((one) => createControl(one, context));
  const body = h(
    "div",
    { class: "fold", id: `${context.prefix}fold-${parameter.flag}`, hidden: true },
    controls.map(({ element }) => element),
  );
  return { button: foldButton(body, title), elements: [body], controls };
}

function foldButton(body, title) {
  const button = h(
    "button",
    {
      type: "button",
      class: "fold-button",
      "aria-expanded": "false",
      "aria-controls": body.id,
      "aria-label": `More of ${title}`,
    },
    icon("chevron"),
  );
  button.addEventListener("click", () => {
    body.hidden = !body.hidden;
    button.setAttribute("aria-expanded", !body.hidden);
  });
  return button;
}

/**
 * A tool with its name, its mark of change and its reset above it; folded until it is wanted, and then as it was left.
 * Beneath a control it has neither a name nor a cost of its own: that control's button unfolds it.
 */
function createTool({ parameter, filterTitle }, { create, taken, others }, context) {
  const isAlone = taken.includes(parameter);
  const name = filterTitle;
  const place = `${context.prefix}tool-${parameter.filter}`;
  const rest = others.filter((one) => one !== parameter).map((one) => createControl(one, context));
  const tool = create(taken, { ...context, title: name, id: `${place}-body`, rest });
  const price = isAlone ? h("div", { class: "cost", "aria-hidden": "true" }) : null;
  const body = h("div", { class: "tool", id: place, hidden: true }, tool.element, price);
  const showPrice = isAlone ? costShower([...taken, ...others], price) : () => {};
  const controls = [
    ...tool.parts.map((part, index) => ({
      ...part,
      showCost: (edit, plan) => index === 0 && showPrice(edit, plan),
    })),
    ...rest,
  ];
  if (!isAlone) return { button: foldButton(body, name), elements: [body], controls };

  const dot = h("span", { class: "dot", title: "Changed", role: "img", "aria-label": "changed" });
  const toggle = h(
    "button",
    { type: "button", class: "tool-title", "aria-expanded": "false", "aria-controls": place },
    icon("chevron"),
    name,
    dot,
  );
  function open(isOpen) {
    body.hidden = !isOpen;
    toggle.setAttribute("aria-expanded", isOpen);
  }
  toggle.addEventListener("click", () => {
    open(body.hidden);
    keepUnfolded(place, !body.hidden);
  });
  open(isUnfolded(place));
  const reset = h(
    "button",
    { type: "button", class: "icon-button small", title: `Reset ${name}`, "aria-label": `Reset ${name}` },
    icon("reset"),
  );
  reset.addEventListener("click", () => {
    context.editor.setValues(
      Object.fromEntries([...taken, ...others].map(({ flag }) => [flag, null])),
      { dragging: false },
    );
    context.editor.commit(`Reset ${name}`);
  });
  const shown = controls[0];
  controls[0] = {
    ...shown,
    show(edit) {
      shown.show(edit);
      const changed = [...taken, ...others].some((one) => isChanged(edit, one));
      dot.hidden = !changed;
      reset.classList.toggle("absent", !changed);
    },
  };
  return { elements: [h("div", { class: "tool-head" }, toggle, h("span", { class: "spacer" }), reset), body], controls };
}
