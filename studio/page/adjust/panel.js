// The adjust panel: sections of controls, each with its automatic values, its mark of change and its reset.
import { isChanged, isEmpty, withoutFlags } from "../core/edits.js";
import { h, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { beforePaint } from "../core/redraw.js";
import { emptyEdit } from "../core/state.js";
import { createEntry } from "./entry.js";
import { createFacts } from "./facts.js";
import { foldable } from "./folds.js";
import { sectionsOf } from "./sections.js";

/** @param {object} context `histogram`: of the picture that is shown, for tools; `pick`, `grey`: what picks colours on it */
export function createAdjustPanel({ store, editor, auto, histogram, pick, grey }) {
  const list = h("div", { class: "sections" });
  const element = h("div", { class: "adjust", id: "adjust-panel", role: "tabpanel", "aria-label": "Adjust" }, list);
  /** All controls, by flag. */
  const controls = new Map();
  let sections = [];

  store.subscribe((s) => s.welcome?.filters, (filters) => filters && build(filters));
  store.subscribe((s) => [s.plan, s.edit], () => beforePaint(show));
  store.subscribe((s) => s.notices, (notices) => {
    for (const section of sections) section.notice(notices[section.id] ?? "");
  });

  function show() {
    const { edit, plan } = store.state;
    for (const control of controls.values()) {
      control.show(edit);
      control.showCost(edit, plan);
    }
    for (const section of sections) section.show(edit);
  }

  function build(filters) {
    controls.clear();
    sections = sectionsOf(filters).map(buildSection);
    const all = buildAll();
    list.replaceChildren(all.element, ...sections.map(({ element }) => element), createFacts(store));
    sections.push(all);
    show();
  }

  /** Above all sections: automatic values for everything, and the way back. */
  function buildAll() {
    const button = h(
      "button",
      { type: "button", class: "pill-button", on: { click: () => auto.run("all", ["all"], "Auto") } },
      icon("auto"),
      "Auto",
    );
    const reset = h(
      "button",
      {
        type: "button",
        class: "quiet",
        on: { click: () => editor.apply(emptyEdit(), "Reset") },
      },
      "Reset all",
    );
    const note = h("p", { class: "notice", role: "status" });
    return {
      id: "all",
      element: h("div", { class: "all" }, h("div", { class: "all-row" }, button, reset), note),
      show(edit) {
        reset.hidden = isEmpty(edit);
      },
      notice: (text) => setText(note, text),
    };
  }

  function buildSection({ id, title, auto: kinds, isFolded, controls: entries }) {
    const parts = entries.map((entry) => createEntry(entry, { editor, store, histogram, pick, prefix: "" }));
    const own = entries.flatMap(({ parameter, more }) => [parameter, ...more]);
    for (const control of parts.flatMap((part) => part.controls)) controls.set(control.parameter.flag, control);
    const body = h("div", { class: "section-body", id: `section-${id}` }, parts.flatMap(({ elements }) => elements));
    const note = h("p", { class: "notice", role: "status" });
    const dot = h("span", { class: "dot", title: "Changed", role: "img", "aria-label": "changed" });
    const toggle = h(
      "button",
      { type: "button", class: "section-title", "aria-controls": body.id },
      icon("chevron"),
      title,
      dot,
    );
    foldable(toggle, body, isFolded ? body.id : null);
    const reset = h(
      "button",
      {
        type: "button",
        class: "icon-button small",
        title: `Reset ${title}`,
        "aria-label": `Reset ${title}`,
        on: {
          click: () => editor.apply(
            withoutFlags(store.state.edit, new Set(own.map(({ flag }) => flag))),
            `Reset ${title}`,
          ),
        },
      },
      icon("reset"),
    );
    const automatic = kinds.length
      ? h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": `Auto ${title}`,
          on: { click: () => auto.run(id, kinds, `Auto ${title}`) },
        },
        "Auto",
      )
      : null;
    const picker = kinds.includes("white-balance") ? grey.button : null;
    return {
      id,
      element: h(
        "section",
        { class: "section", "aria-label": title },
        h("div", { class: "section-head" }, h("h2", {}, toggle), h("span", { class: "spacer" }), reset, picker, automatic),
        note,
        body,
      ),
      show(edit) {
        const changed = own.some((parameter) => isChanged(edit, parameter));
        dot.hidden = !changed;
        reset.classList.toggle("absent", !changed);
      },
      notice: (text) => setText(note, text),
    };
  }

  return { element, control: (flag) => controls.get(flag) };
}
