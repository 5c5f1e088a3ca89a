// The filters of the chosen group: the same controls as for the whole picture, as far as a group may hold them.
import { createEntry } from "../adjust/entry.js";
import { foldable } from "../adjust/folds.js";
import { sectionsOf } from "../adjust/sections.js";
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { quiet } from "./field.js";
import { groupFilters, valuesIn, withValueIn } from "./groups.js";

export function createGroupFilters({ tool, store, editor, histogram }) {
  const element = h("div", { class: "mask-filters" });
  let controls = [];

  const adapter = {
    setValue(flag, value, options) {
      const parameter = editor.parameters.get(flag);
      if (parameter && tool.group) tool.setGroup(withValueIn(tool.group, parameter, value), options);
    },
    setValues(values, options) {
      if (!tool.group) return;
      let { group } = tool;
      for (const [flag, value] of Object.entries(values)) group = withValueIn(group, editor.parameters.get(flag), value);
      tool.setGroup(group, options);
    },
    commit: (title) => editor.commit(title),
    commitSoon: (title) => editor.commitSoon(title),
  };

  function section({ id, title, isFolded, controls: entries }) {
    const context = { editor: adapter, store: quiet(store), histogram, pick: null, prefix: "mask-" };
    const parts = entries.map((entry) => createEntry(entry, context));
    controls.push(...parts.flatMap((part) => part.controls));
    const body = h("div", { class: "section-body", id: `mask-section-${id}` }, parts.flatMap(({ elements }) => elements));
    const toggle = h(
      "button",
      { type: "button", class: "section-title", "aria-controls": body.id },
      icon("chevron"),
      title,
    );
    foldable(toggle, body, isFolded ? body.id : null);
    return h(
      "section",
      { class: "section", "aria-label": `${title} in the mask` },
      h("div", { class: "section-head" }, h("h3", {}, toggle)),
      body,
    );
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
