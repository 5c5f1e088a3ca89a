// The filters of the chosen group: the same controls as for the whole picture, as far as a group may hold them.
import { createControl } from "../adjust/control.js";
import { sectionsOf } from "../adjust/sections.js";
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { quiet } from "./field.js";
import { groupFilters, valuesIn, withValueIn } from "./groups.js";

export function createGroupFilters({ tool, store, editor }) {
  const element = h("div", { class: "mask-filters" });
  let controls = [];

  const adapter = {
    setValue(flag, value, options) {
      const parameter = editor.parameters.get(flag);
      if (parameter && tool.group) tool.setGroup(withValueIn(tool.group, parameter, value), options);
    },
    commit: (title) => editor.commit(title),
    commitSoon: (title) => editor.commitSoon(title),
  };

  function add(parameter, options) {
    const control = createControl(parameter, { editor: adapter, store: quiet(store), ...options });
    controls.push(control);
    return control.element;
  }

  function section({ id, title, controls: entries }) {
    const parts = entries.flatMap((entry) => {
      const folded = entry.more.length ? fold(entry) : null;
      return [
        entry.heading ? h("h3", { class: "filter-title" }, entry.heading) : null,
        add(entry.parameter, { title: entry.title, extra: folded?.button }),
        folded?.element,
      ];
    });
    const body = h("div", { class: "section-body", id: `mask-section-${id}` }, parts);
    const toggle = folding(body, "section-title", true, [icon("chevron"), title]);
    return h(
      "section",
      { class: "section", "aria-label": `${title} in the mask` },
      h("div", { class: "section-head" }, h("h3", {}, toggle)),
      body,
    );
  }

  /** What refines another parameter, folded away beneath it. */
  function fold({ parameter, title, more }) {
    const body = h(
      "div",
      { class: "fold", id: `mask-fold-${parameter.flag}`, hidden: true },
      more.map((one) => add(one, {})),
    );
    const button = folding(body, "fold-button", false, [icon("chevron")]);
    button.setAttribute("aria-label", `More of ${title}`);
    return { button, element: body };
  }

  store.subscribe((s) => s.welcome?.filters, (filters) => {
    if (!filters) return;
    controls = [];
    element.replaceChildren(...sectionsOf(groupFilters(filters)).map(section));
    show();
  });

  function show() {
    const { group } = tool;
    element.hidden = !group;
    if (!group) return;
    const values = valuesIn(group, controls.map(({ parameter }) => parameter));
    for (const control of controls) control.show({ values });
  }
  return { element, show };
}

function folding(body, style, isOpen, children) {
  const button = h(
    "button",
    { type: "button", class: style, "aria-expanded": String(isOpen), "aria-controls": body.id },
    children,
  );
  button.addEventListener("click", () => {
    body.hidden = !body.hidden;
    button.setAttribute("aria-expanded", !body.hidden);
  });
  return button;
}
