// The camera's own controls: what it has as sliders and choices, what it lacks with the reason.
import { h, setAttribute, setText } from "../core/dom.js";
import { follow } from "./camera-state.js";
import { numberIn, parseRange, parseValue, positionIn, settingText, shownText } from "./control-range.js";
import { createDrawer } from "./drawer.js";

const titles = {
  focus: "Focus",
  exposure: "Exposure time",
  ev: "Exposure bias",
  gain: "Gain",
  iso: "ISO",
  "white-balance": "White balance",
  zoom: "Zoom",
  "power-line": "Flicker of lamps",
  "focus-point": "Focus point",
  "exposure-point": "Exposure point",
};
const PAUSE = 60;

function createControl({ key, range, value: first }, client) {
  const { words, choices, span } = parseRange(range);
  const title = titles[key] ?? key;
  const shown = (text) => shownText(text, key === "ev");
  let value = first;
  let timer = 0;
  let waits = null;
  const set = (text) => {
    value = text;
    show();
    waits = text;
    // A driver takes a while for each value: the newest one is sent.
    timer ||= setTimeout(() => {
      timer = 0;
      client.control(key, waits);
    }, PAUSE);
  };
  const readout = h("span", { class: "drawer-value" });
  const buttons = [...words, ...choices].map((text) =>
    h("button", { type: "button", class: "chip", role: "radio", on: { click: () => set(text) } }, shown(text)));
  const group = h("div", { class: "chips", role: "radiogroup", "aria-label": title }, buttons);
  group.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const index = buttons.indexOf(document.activeElement);
    if (!by || index < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(buttons.length - 1, Math.max(0, index + by));
    buttons[next].focus();
    set([...words, ...choices][next]);
  });
  const slider = span
    ? h("input", { type: "range", class: "scrubber", min: 0, max: 1, step: 0.001, value: 0.5, "aria-label": title })
    : null;
  slider?.addEventListener("input", () => set(settingText(span, numberIn(span, Number(slider.value)))));
  // Its own keys are no modes and no stops.
  slider?.addEventListener("keydown", (event) => /^(Arrow|Page|Home|End)/.test(event.key) && event.stopPropagation());

  function show() {
    setText(readout, shown(value));
    const all = [...words, ...choices];
    const chosen = all.indexOf(value ?? "");
    buttons.forEach((button, index) => {
      setAttribute(button, "aria-checked", index === chosen);
      button.tabIndex = index === Math.max(0, chosen) ? 0 : -1;
    });
    if (!slider) return;
    const number = parseValue(value)?.number;
    slider.classList.toggle("automatic", number === undefined);
    if (number !== undefined) slider.value = positionIn(span, number);
    // While the camera decides by itself no part of the slider is filled.
    slider.style.setProperty("--part", number === undefined ? 0 : slider.value);
    setAttribute(slider, "aria-valuetext", shown(value));
  }
  show();
  return {
    key,
    range,
    element: h(
      "div",
      { class: "drawer-control" },
      h("div", { class: "drawer-control-head" }, h("span", {}, title), readout),
      buttons.length ? group : null,
      slider,
    ),
    show(next) {
      if (timer || document.activeElement === slider || next === value) return;
      value = next;
      show();
    },
  };
}

export function createControlsPanel({ store, client }) {
  const list = h("div", {});
  const lacking = h("dl", { class: "lacking" });
  const heading = h("h3", { class: "drawer-title" }, "What this camera lacks");
  const none = h("p", { class: "drawer-note" });
  const element = createDrawer(store, "controls", "Controls", [none, list, heading, lacking]);
  let controls = [];
  let built = "";

  follow(store, ["device"], (device) => {
    const all = device?.controls ?? [];
    // Points are set on the picture, zoom by its own buttons.
    const usable = all.filter((one) => one.supported && !["focus-point", "exposure-point", "zoom"].includes(one.key));
    const shape = JSON.stringify([device?.source, usable.map(({ key, range }) => [key, range])]);
    if (shape !== built) {
      built = shape;
      controls = usable.map((one) => createControl(one, client));
      list.replaceChildren(...controls.map((one) => one.element));
    } else {
      for (const control of controls) control.show(usable.find(({ key }) => key === control.key)?.value);
    }
    const missing = all.filter((one) => !one.supported);
    heading.hidden = missing.length === 0;
    lacking.replaceChildren(
      ...missing.map(({ key, why }) => h("div", {}, h("dt", {}, titles[key] ?? key), h("dd", {}, why ?? ""))),
    );
    setText(none, all.length ? "" : "This source has no controls. Exposure and colour are in Adjust.");
  });
  return element;
}
