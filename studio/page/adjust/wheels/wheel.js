// One wheel: a disc with a puck for hue and saturation, and a slider for light beneath it.
import { neutralOf, valueOf } from "../../core/edits.js";
import { h, setAttribute } from "../../core/dom.js";
import { beforePaint } from "../../core/redraw.js";
import { createNumber } from "../number.js";
import { format } from "../numbers.js";
import { stepped } from "../scale.js";
import { createValueField } from "../value-field.js";
import { colourOf, fromPlace, toPlace, turned } from "./geometry.js";

/** CSS pixels: nearer than this the puck is taken, and does not jump. */
const GRAB = 14;

/**
 * @param {object} region `{ name, title, hue, saturation, luminance }`: parameters
 * @param {object} context `editor`, `store`, `title` of the tool, `use()`: this wheel was touched
 * @returns `{ element, values, parts }`: `values` are fields for what the wheel stands at
 */
export function createWheel(region, { editor, store, title, use }) {
  const { hue, saturation, luminance } = region;
  const parameters = { hue, saturation };
  const step = `${title}: ${region.title.toLowerCase()}`;
  let tint = { hue: neutralOf(hue), saturation: neutralOf(saturation) };
  let drag = null;

  const puck = h("button", {
    type: "button",
    role: "slider",
    class: "wheel-puck",
    "aria-label": `${region.title} tint`,
    "aria-valuemin": saturation.minimum,
    "aria-valuemax": saturation.maximum,
  });
  const spoke = h("span", { class: "wheel-spoke", "aria-hidden": "true" });
  const disc = h("div", { class: "wheel-disc" }, spoke, puck);
  const light = createNumber(luminance, { editor, store, title: luminance.title });
  light.slider.element.classList.add("small");
  light.slider.paint("linear-gradient(90deg in oklab, #1c1c1c, #777 50%, #eee)");
  const element = h(
    "div",
    { class: "wheel", role: "group", "aria-label": region.title, "data-region": region.name },
    h("span", { class: "wheel-name" }, region.title),
    disc,
    light.slider.element,
  );
  const fields = [hue, saturation].map((parameter) =>
    createValueField(parameter, {
      label: `${parameter.title}, value`,
      take(value) {
        set({ ...tint, [parameter === hue ? "hue" : "saturation"]: value }, { dragging: false });
        editor.commit(step);
        return value;
      },
    }));
  const values = h(
    "div",
    { class: "wheel-values", "data-region": region.name },
    h("span", { class: "wheel-values-name" }, region.title),
    h("label", {}, "H", fields[0].element),
    h("label", {}, "S", fields[1].element),
    h("label", {}, "L", light.field),
  );
  element.addEventListener("focusin", use);
  element.addEventListener("pointerdown", use);

  function set(next, options) {
    if (next.hue === tint.hue && next.saturation === tint.saturation) return;
    tint = next;
    beforePaint(draw);
    editor.setValues({ [hue.flag]: next.hue, [saturation.flag]: next.saturation }, { time: performance.now(), ...options });
  }

  function reset() {
    const neutral = { hue: neutralOf(hue), saturation: neutralOf(saturation) };
    set(neutral, { dragging: false });
    editor.commit(step);
  }

  function draw() {
    const place = toPlace(tint, parameters);
    puck.style.left = `${50 + 50 * place.x}%`;
    puck.style.top = `${50 + 50 * place.y}%`;
    puck.style.background = colourOf(tint, parameters);
    spoke.style.width = `${50 * Math.hypot(place.x, place.y)}%`;
    spoke.style.rotate = `${-tint.hue}deg`;
    setAttribute(puck, "aria-valuenow", tint.saturation);
    setAttribute(puck, "aria-valuetext", `hue ${format(hue, tint.hue)}, saturation ${format(saturation, tint.saturation)}`);
    fields[0].show(tint.hue);
    fields[1].show(tint.saturation);
    const isChanged = tint.saturation !== neutralOf(saturation);
    for (const field of fields) field.element.classList.toggle("changed", isChanged);
    element.classList.toggle("tinted", isChanged);
  }

  disc.addEventListener("pointerdown", (event) => {
    if (event.button > 0 || drag) return;
    event.preventDefault();
    puck.focus({ preventScroll: true, focusVisible: false });
    const box = disc.getBoundingClientRect();
    const radius = box.width / 2;
    const at = { x: (event.clientX - box.left) / radius - 1, y: (event.clientY - box.top) / radius - 1 };
    const place = toPlace(tint, parameters);
    const isOnPuck = Math.hypot(at.x - place.x, at.y - place.y) * radius <= GRAB;
    drag = {
      id: event.pointerId,
      radius,
      raw: isOnPuck ? place : at,
      x: event.clientX,
      y: event.clientY,
      before: tint,
      moved: false,
    };
    disc.setPointerCapture?.(event.pointerId);
    disc.classList.add("dragging");
    store.update({ dragging: saturation.flag });
    if (!isOnPuck) set(fromPlace(at, parameters, tint.hue), { dragging: true, time: event.timeStamp });
  });
  disc.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    // With Shift the puck moves ten times as slowly as the pointer.
    const speed = (event.shiftKey ? 0.1 : 1) / drag.radius;
    drag.moved ||= dx !== 0 || dy !== 0;
    Object.assign(drag, { x: event.clientX, y: event.clientY });
    drag.raw = { x: drag.raw.x + dx * speed, y: drag.raw.y + dy * speed };
    set(fromPlace(drag.raw, parameters, tint.hue), { dragging: true, time: event.timeStamp });
  });
  function end(event) {
    if (event.pointerId !== drag?.id) return;
    const { before, moved } = drag;
    drag = null;
    disc.classList.remove("dragging");
    if (event.type === "pointercancel") set(before, { dragging: true });
    // Grey has no hue: none is kept.
    else if (tint.saturation === neutralOf(saturation)) set({ ...tint, hue: neutralOf(hue) }, { dragging: true });
    store.update({ dragging: null });
    // A press may be the first half of a double click: it is saved a moment later.
    if (moved || event.type === "pointercancel") editor.commit(step);
    else if (tint !== before) editor.commitSoon(step);
  }
  disc.addEventListener("pointerup", end);
  disc.addEventListener("pointercancel", end);
  disc.addEventListener("dblclick", reset);

  puck.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const size = event.shiftKey ? 10 : 1;
    const turn = { ArrowRight: size, ArrowLeft: -size }[event.key];
    const more = { ArrowUp: size, ArrowDown: -size }[event.key];
    if (turn) set({ ...tint, hue: turned(hue, tint.hue + turn * hue.step) }, { dragging: true });
    else if (more) set({ ...tint, saturation: stepped(saturation, tint.saturation, more) }, { dragging: true });
    else if (event.key === "Delete" || event.key === "Backspace") reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (turn || more) editor.commitSoon(step);
  });
  draw();

  const shown = (parameter, name) => ({
    parameter,
    slider: null,
    show(edit) {
      const value = valueOf(edit, parameter);
      if (value === tint[name]) return;
      tint = { ...tint, [name]: value };
      beforePaint(draw);
    },
  });
  return {
    element,
    values,
    parts: [
      shown(hue, "hue"),
      shown(saturation, "saturation"),
      { parameter: luminance, slider: light.slider, show: light.show },
    ],
  };
}
