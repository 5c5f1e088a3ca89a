// A control for one parameter, by its kind: slider with a field, segments, menu, or text.
import { isChanged, valueOf } from "../core/edits.js";
import { h, setAttribute, setText } from "../core/dom.js";
import { createNumber } from "./number.js";
import { cost } from "./numbers.js";

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

/** Shows in `price` what the filter of some parameters costs, if one of them does something. */
export function costShower(parameters, price) {
  return (edit, plan) => {
    const spent = parameters.some((one) => isChanged(edit, one)) ? plan?.costs?.[parameters[0].filter] : null;
    setText(price, spent ? cost(spent) : "");
  };
}

function number(parameter, { editor, store, title, extra }) {
  const { slider, field, show } = createNumber(parameter, { editor, store, title });
  const { element, price } = frame(parameter, title, extra, field, slider.element);
  element.querySelector(".control-name").addEventListener("dblclick", slider.reset);
  return { element, slider, parameter, show, showCost: costShower([parameter], price) };
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
    showCost: costShower([parameter], price),
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
    showCost: costShower([parameter], price),
  };
}
