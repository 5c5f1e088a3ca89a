// Bands of hues: eight sliders of one kind at a time, each along the colours that it makes.
import { neutralOf, valueOf } from "../../core/edits.js";
import { h, setAttribute } from "../../core/dom.js";
import { createNumber } from "../number.js";
import { createTabs } from "../tabs.js";
import { changed, css, isBand, trackOf } from "./colours.js";

const NAME = /^(.+)-(hue|saturation|lightness)$/;
const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** The band of a parameter and what it changes of it: a name alone is its lightness. Null for others. */
function placeOf({ name, kind }) {
  const [, band, what] = NAME.exec(name) ?? [null, name, "lightness"];
  return kind === "number" && isBand(band) ? { band, what } : null;
}

/** Numbers that change a band. */
export const takes = (parameter) => placeOf(parameter) !== null;

/**
 * @param {Array} parameters of bands, of one kind or of several
 * @param {object} context `editor`, `store`, `title`, `id` of the element, `pick`: what picks bands on the picture, or null
 * @returns `{ element, parts }`
 */
export function createBands(parameters, { editor, store, title, id, pick }) {
  const placed = parameters.map((parameter) => ({ parameter, ...placeOf(parameter) }));
  const kinds = [...new Set(placed.map(({ what }) => what))];
  const names = [...new Set(placed.map(({ band }) => band))];
  const isMix = kinds.length === 1;
  let current = kinds[0];
  const values = Object.fromEntries(names.map((name) => [name, {}]));

  const swatches = names.map((name) =>
    h(
      "button",
      { type: "button", class: "band-swatch", title: upper(name), on: { click: () => focus(name) } },
      h("span", {}),
    ));
  const rows = placed.map(({ parameter, band, what }) => {
    const number = createNumber(parameter, { editor, store, title: isMix ? `${title}: ${band}` : parameter.title });
    number.slider.element.classList.add("small");
    number.slider.paint(trackOf(band, what));
    const name = h("span", { class: "band-name", title: parameter.help }, upper(band));
    name.addEventListener("dblclick", number.slider.reset);
    const element = h(
      "div",
      { class: "band control number", "data-flag": parameter.flag },
      name,
      number.slider.element,
      number.field,
    );
    number.slider.native.addEventListener("focus", () => mark(band));
    number.slider.native.addEventListener("blur", () => mark(null));
    return { ...number, parameter, band, what, element };
  });
  const tabs = isMix
    ? null
    : createTabs({
      label: title,
      controls: id,
      items: kinds.map((what) => ({ text: upper(what), title: upper(what), colour: null })),
      choose: showKind,
    });
  const picker = pick?.button({
    id,
    of: (name) => rows.find(({ band, what }) => band === name && what === current)?.parameter,
    // What is black and white has no hues left.
    ofOriginal: isMix,
    label: () => `${title}: ${isMix ? "mix" : current}`,
    editor,
    mark,
  });
  const element = h(
    "div",
    { class: "bands", id, role: "group", "aria-label": isMix ? `${title}: mix` : title },
    h("div", { class: "bands-head" }, tabs?.element, isMix ? h("span", { class: "bands-mix" }, "Mix") : null, picker),
    h("div", { class: "band-swatches" }, swatches),
    rows.map((row) => row.element),
  );

  function showKind(index) {
    current = kinds[index];
    for (const row of rows) row.element.hidden = row.what !== current;
    tabs?.show(index);
  }
  function focus(name) {
    rows.find(({ band, what }) => band === name && what === current)?.slider.native.focus();
  }
  function mark(name) {
    swatches.forEach((swatch, index) => swatch.classList.toggle("current", names[index] === name));
  }
  /** Swatches have the colours that the bands get. */
  function drawSwatch(band) {
    const swatch = swatches[names.indexOf(band)];
    swatch.firstChild.style.background = css(changed(band, values[band]));
    const isChanged = rows.some((row) => row.band === band && values[band][row.what] !== neutralOf(row.parameter));
    swatch.classList.toggle("changed", isChanged);
    setAttribute(swatch, "aria-label", upper(band) + (isChanged ? ", changed" : ""));
  }
  for (const row of rows) values[row.band][row.what] = neutralOf(row.parameter);
  names.forEach(drawSwatch);
  showKind(0);

  return {
    element,
    parts: rows.map((row) => ({
      parameter: row.parameter,
      slider: row.slider,
      show(edit) {
        row.show(edit);
        const value = valueOf(edit, row.parameter);
        if (value === values[row.band][row.what]) return;
        values[row.band][row.what] = value;
        drawSwatch(row.band);
        const kind = kinds.indexOf(row.what);
        tabs?.mark(kind, rows.some((one) => one.what === row.what && values[one.band][one.what] !== neutralOf(one.parameter)));
      },
    })),
  };
}
