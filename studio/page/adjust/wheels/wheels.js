// Wheels for the tints of shadows, mids and highlights in a row, and for all tones beneath, beside what they share; or one
// of them, as large as there is room.
import { isChanged } from "../../core/edits.js";
import { h } from "../../core/dom.js";
import { createTabs } from "../tabs.js";
import { createWheel } from "./wheel.js";

const NAME = /^(.+)-(hue|saturation|luminance)$/;

/** Hue, saturation and luminance of one region: three parameters of that name. */
const regionOf = (name, parameters) => {
  const region = { name };
  for (const parameter of parameters) {
    const [, of, what] = NAME.exec(parameter.name) ?? [];
    if (of === name && parameter.kind === "number") region[what] = parameter;
  }
  return region.hue && region.saturation && region.luminance ? region : null;
};

/** Numbers that a wheel stands for. */
export function takes({ name }, parameters) {
  const of = NAME.exec(name)?.[1];
  return of !== undefined && regionOf(of, parameters) !== null;
}

/**
 * @param {Array} parameters of whole regions
 * @param {object} context `editor`, `store`, `title`, `id` of the element, `rest`: controls of the filter's other parameters
 * @returns `{ element, parts }`
 */
export function createWheels(parameters, { editor, store, title, id, rest }) {
  const names = [...new Set(parameters.map(({ name }) => NAME.exec(name)[1]))];
  const regions = names.map((name) => ({
    ...regionOf(name, parameters),
    title: name[0].toUpperCase() + name.slice(1),
  }));
  const wheels = regions.map((region) => createWheel(region, { editor, store, title, use: () => use(region.name) }));
  const tabs = createTabs({
    label: `${title}: wheels`,
    controls: id,
    items: ["All", ...regions.map((region) => region.title)].map((text, index) => ({
      text,
      title: index === 0 ? "All wheels" : text,
      colour: null,
    })),
    choose,
  });
  /** The values of the wheel that was touched last. */
  function use(name) {
    for (const { values } of wheels) values.hidden = values.dataset.region !== name;
  }
  function choose(index) {
    const only = names[index - 1] ?? null;
    element.classList.toggle("single", only !== null);
    wheels.forEach((wheel, i) => (wheel.element.hidden = only !== null && names[i] !== only));
    if (only) use(only);
    tabs.show(index);
  }
  for (const { slider } of rest) slider?.element.classList.add("small");
  const element = h(
    "div",
    { class: "wheels", id, role: "group", "aria-label": title },
    tabs.element,
    // For the keyboard the values come behind their wheel, wherever they stand.
    wheels.flatMap((wheel) => [wheel.element, wheel.values]),
    h("div", { class: "wheels-rest" }, rest.map((control) => control.element)),
  );
  use(names[0]);
  choose(0);
  return {
    element,
    parts: wheels.flatMap(({ parts }, index) =>
      parts.map((part) => ({
        ...part,
        show(edit) {
          part.show(edit);
          tabs.mark(index + 1, parts.some(({ parameter }) => isChanged(edit, parameter)));
        },
      }))),
  };
}
