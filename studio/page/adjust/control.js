// A control for one parameter, by its kind: slider with a field, segments, menu, or text.
import { neutralOf, valueOf } from "../core/edits.js";
import { h, setAttribute, setText } from "../core/dom.js";
import { createSlider } from "./slider.js";
import { cost, format, parse } from "./numbers.js";

const tracks = { temperature: "warm-cool", tint: "green-magenta" };

/**
 * @param {object} parameter as the server describes it, with its `filter`
 * @param {object} context `editor`, `store`, `title`, `extra`: an element after the name
 * @returns `{ element, show(edit), showCost(costs), slider }`
 */
export function createControl(parameter, { editor, store, title = parameter.title, extra = null }) {
  const build = parameter.kind === "number" ? number : parameter.kind === "choice" ? choice : text;
  return build(parameter, { editor, store, title, extra });
}

function frame(parameter, title, extra, aside, body) {
  const price = h("div", { class: "cost", "aria-hidden": "true" });
  const element = h(
    "div",
    { class: `control ${parameter.kind}`, "data-flag": parameter.flag },
    h(
      "div",
      { class: "control-head" },
      h("span", { class: "control-name", title: parameter.help }, title, extra),
      aside,
    ),
    body,
    price,
  );
  return { element, price };
}

function costShower(parameter, price) {
  return (edit, plan) => {
    const value = edit.values[parameter.flag];
    const spent = value !== undefined && value !== neutralOf(parameter) ? plan?.costs?.[parameter.filter] : null;
    setText(price, spent ? cost(spent) : "");
  };
}

function number(parameter, { editor, store, title, extra }) {
  const field = h("input", {
    class: "value",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": `${title}, value`,
  });
  const set = (value, dragging, time) => editor.setValue(parameter.flag, value, { dragging, time });
  const slider = createSlider(parameter, {
    label: title,
    track: tracks[parameter.flag],
    input: (value, time) => set(value, true, time),
    commit: () => editor.commit(title),
    soon: () => editor.commitSoon(title),
    hold: (on) => store.update({ dragging: on ? parameter.flag : null, active: parameter.flag }),
  });
  slider.native.addEventListener("focus", () => store.update({ active: parameter.flag }));

  // All controls are shown with each input of a drag: those that stay as they are must cost nothing.
  let written = null;
  function show(value) {
    if (value === written) return;
    if (document.activeElement !== field) {
      field.value = format(parameter, value);
      written = value;
    }
    field.classList.toggle("changed", value !== neutralOf(parameter));
  }
  function take() {
    const typed = parse(parameter, field.value);
    if (typed !== null && typed !== slider.value) {
      slider.show(typed);
      set(typed, false, performance.now());
      editor.commit(title);
    }
    field.value = format(parameter, slider.value);
    written = slider.value;
  }
  field.addEventListener("focus", () => field.select());
  field.addEventListener("blur", take);
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") take();
    if (event.key === "Enter") field.select();
    if (event.key === "Escape") {
      field.value = format(parameter, slider.value);
      field.blur();
    }
  });

  const { element, price } = frame(parameter, title, extra, field, slider.element);
  element.querySelector(".control-name").addEventListener("dblclick", slider.reset);
  return {
    element,
    slider,
    parameter,
    show(edit) {
      const value = valueOf(edit, parameter);
      slider.show(value);
      show(value);
    },
    showCost: costShower(parameter, price),
  };
}

function choice(parameter, { editor, title, extra }) {
  const options = parameter.choices;
  const pick = (value) => {
    editor.setValue(parameter.flag, value, { dragging: false });
    editor.commit(title);
  };
  const few = options.length <= 4;
  const segments = few
    ? options.map((option) =>
        h(
          "button",
          { type: "button", role: "radio", class: "segment", on: { click: () => pick(option.value) } },
          option.title,
        ),
      )
    : [];
  const body = few
    ? h("div", { class: "segments", role: "radiogroup", "aria-label": title }, segments)
    : h(
        "select",
        { class: "select", "aria-label": title, on: { change: () => pick(body.value) } },
        options.map((option) => h("option", { value: option.value }, option.title)),
      );
  if (few) body.addEventListener("keydown", (event) => arrowPicks(event, options, segments, pick));
  const { element, price } = frame(parameter, title, extra, null, body);
  return {
    element,
    parameter,
    slider: null,
    show(edit) {
      const value = valueOf(edit, parameter);
      if (!few) body.value = value;
      segments.forEach((segment, index) => {
        const on = options[index].value === value;
        setAttribute(segment, "aria-checked", on);
        segment.tabIndex = on || (index === 0 && !options.some((option) => option.value === value)) ? 0 : -1;
      });
    },
    showCost: costShower(parameter, price),
  };
}

function arrowPicks(event, options, segments, pick) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const index = (segments.indexOf(document.activeElement) + by + options.length) % options.length;
  pick(options[index].value);
  segments[index].focus();
}

function text(parameter, { editor, title, extra }) {
  const list = `suggestions-${parameter.flag}`;
  const suggestions = parameter.suggestions ?? [];
  const field = h("input", {
    class: "text-field",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: suggestions.find(({ value }) => value === parameter.neutral)?.title ?? parameter.syntax,
    title: parameter.syntax,
    "aria-label": title,
    list: suggestions.length ? list : null,
  });
  const take = () => {
    const value = field.value.trim();
    editor.setValue(parameter.flag, value, { dragging: false });
    editor.commit(title);
  };
  field.addEventListener("change", take);
  field.addEventListener("keydown", (event) => event.stopPropagation());
  const options = h(
    "datalist",
    { id: list },
    suggestions.map(({ value, title: name }) => h("option", { value }, name)),
  );
  const { element, price } = frame(parameter, title, extra, null, [field, suggestions.length ? options : null]);
  return {
    element,
    parameter,
    slider: null,
    show(edit) {
      if (document.activeElement !== field) field.value = edit.values[parameter.flag] ?? "";
    },
    showCost: costShower(parameter, price),
  };
}
