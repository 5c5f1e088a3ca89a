// A sheet for looks of one's own: the edit's look is kept under a name, others are removed.
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { createSheet } from "../sheets/sheet.js";

export function createOwnLooks({ store, session, api }) {
  const field = h("input", {
    class: "text-field",
    type: "text",
    name: "look",
    maxlength: 64,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Harbour Dusk",
    "aria-label": "Name of the look",
  });
  const keep = h("button", { type: "submit", class: "wide-button accent" }, "Keep");
  const note = h("p", { class: "own-note", role: "status" });
  const list = h("ul", { class: "own-list" });
  const form = h("form", { class: "own-form" }, field, keep);
  const element = createSheet(store, "own-looks", "Your looks", [
    h("p", { class: "own-help" }, "Keeps the light and colours of this edit, not its crop and masks. A table ", h("b", {}, ".cube"), " or a recipe becomes a look when you drop it on the page."),
    form,
    note,
    list,
  ]);

  const say = (text, failed = false) => {
    note.textContent = text;
    note.classList.toggle("failed", failed);
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = field.value.trim();
    if (!name) {
      say("Give the look a name.", true);
      return;
    }
    keep.disabled = true;
    const sent = session.ask({ type: "keep-look", name, edit: store.state.edit }, (answer) => {
      keep.disabled = false;
      if (answer.type === "kept") {
        field.value = "";
        say("");
      } else {
        say(answer.message ? [answer.message, answer.remedy].filter(Boolean).join("; ") : "The line was lost.", true);
      }
    });
    if (!sent) keep.disabled = false;
  });

  async function remove(preset) {
    const problem = await api.remove(preset);
    if (problem) say(problem, true);
  }

  function show(presets) {
    const own = presets.filter((preset) => preset.own);
    list.replaceChildren(...own.map(({ preset, name }) =>
      h(
        "li",
        {},
        h("span", { class: "own-name" }, name),
        h("code", { class: "own-id" }, preset === name ? "" : preset),
        h(
          "button",
          {
            type: "button",
            class: "icon-button small",
            title: "Remove",
            "aria-label": `Remove ${name}`,
            on: { click: () => remove(preset) },
          },
          icon("delete"),
        ),
      ),
    ));
  }

  store.subscribe((s) => s.welcome?.presets, (presets) => presets && show(presets));
  store.subscribe((s) => s.sheet, (sheet) => sheet === "own-looks" && say(""));
  return element;
}
