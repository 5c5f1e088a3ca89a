// Picks bands on the picture: a press takes the colours there, and a drag up or down changes the bands that they lie in.
import { valueOf } from "../../core/edits.js";
import { h, setAttribute } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { oklab } from "../../scopes/lightness.js";
import { frameRect } from "../../stage/viewport.js";
import { rounded } from "../scale.js";
import { around } from "./colours.js";

/** Pixels about a place whose mean is its colour. */
const SPOT = 7;
/** Steps of a parameter per CSS pixel. */
const SPEED = 0.5;
/** Less chroma is grey: its hue is that of noise. */
const GREY = 0.02;

/** Bands at a hue with how far they follow a drag: the one that has most of it goes all the way. */
export function shares(hue) {
  const parts = around(hue);
  const most = Math.max(...parts.map(([, weight]) => weight));
  return parts.map(([name, weight]) => [name, weight / most]).filter(([, share]) => share > 0.05);
}

/**
 * @returns `{ isOn, stop(), button(target) }`; a target is `{ id, of(name)`: the parameter of a band; `ofOriginal`: the
 *   colours meant are those of the original; `label()` of its steps, `editor`, `mark(name)`: the band under the pointer }`
 */
export function createPick({ store, stage }) {
  const small = new OffscreenCanvas(SPOT, SPOT).getContext("2d", { willReadFrequently: true, alpha: false });
  const targets = new Map();
  let drag = null;

  const isOn = () => store.state.picking !== null && store.state.mode === "adjust" && store.state.room === "photo";
  const target = () => targets.get(store.state.picking);

  /** The hue at the pointer in degrees of OKLCH; null beside the picture and on grey. */
  function hueAt(event) {
    const frame = target().ofOriginal ? stage.painter.original : stage.painter.frame;
    if (!frame?.surface || !stage.painter.rect) return null;
    const { surface, header } = frame;
    const to = frameRect(header, stage.painter.rect);
    const point = stage.point(event);
    const x = ((point.x - to.x) / to.width) * surface.width;
    const y = ((point.y - to.y) / to.height) * surface.height;
    if (x < 0 || y < 0 || x >= surface.width || y >= surface.height) return null;
    const left = Math.max(0, Math.min(surface.width - SPOT, Math.floor(x - SPOT / 2)));
    const top = Math.max(0, Math.min(surface.height - SPOT, Math.floor(y - SPOT / 2)));
    small.drawImage(surface, left, top, SPOT, SPOT, 0, 0, SPOT, SPOT);
    const { data } = small.getImageData(0, 0, SPOT, SPOT);
    const sum = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) for (let c = 0; c < 3; c++) sum[c] += data[i + c];
    const [, a, b] = oklab(...sum.map((value) => Math.round(value / (SPOT * SPOT))));
    return Math.hypot(a, b) < GREY ? null : (Math.atan2(b, a) * 180) / Math.PI;
  }

  function begin(event) {
    const hue = hueAt(event);
    if (hue === null) return;
    const { of } = target();
    const parts = shares(hue).flatMap(([name, share]) => {
      const parameter = of(name);
      return parameter ? [{ parameter, share, before: valueOf(store.state.edit, parameter) }] : [];
    });
    if (parts.length === 0) return;
    const { flag } = parts.reduce((a, b) => (b.share > a.share ? b : a)).parameter;
    drag = { ...target(), id: event.pointerId, y: event.clientY, by: 0, parts };
    store.update({ dragging: flag, active: flag, sliding: true });
  }

  function move(event) {
    // With Shift the values move ten times as slowly as the pointer.
    drag.by += (drag.y - event.clientY) * SPEED * (event.shiftKey ? 0.1 : 1);
    drag.y = event.clientY;
    show(event, drag.by);
  }
  function show(event, by) {
    const values = drag.parts.map(({ parameter, share, before }) =>
      [parameter.flag, rounded(parameter, before + by * share * parameter.step)]);
    drag.editor.setValues(Object.fromEntries(values), { dragging: true, time: event.timeStamp });
  }

  const { element } = stage;
  element.addEventListener("pointerdown", (event) => {
    // Two fingers zoom.
    if (drag && event.pointerId !== drag.id) end(event, false);
    else if (isOn() && event.button <= 0 && !drag && !event.target.closest("button, .floating")) begin(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (drag?.id === event.pointerId) move(event);
    else if (isOn() && !drag && event.pointerType !== "touch") {
      const hue = hueAt(event);
      target().mark(hue === null ? null : shares(hue).reduce((a, b) => (b[1] > a[1] ? b : a))[0]);
    }
  });
  function end(event, isKept) {
    if (!isKept) show(event, 0);
    const { editor, label } = drag;
    drag = null;
    store.update({ dragging: null, sliding: false });
    editor.commit(label());
  }
  element.addEventListener("pointerup", (event) => drag?.id === event.pointerId && end(event, true));
  element.addEventListener("pointercancel", (event) => drag?.id === event.pointerId && end(event, false));
  element.addEventListener("pointerleave", () => isOn() && !drag && target().mark(null));

  const stop = () => store.update({ picking: null });
  store.subscribe((s) => [s.picking, s.mode, s.room], () => {
    setAttribute(element, "data-picks", isOn() ? "" : null);
  });
  // Other tools take the pointer for themselves.
  store.subscribe((s) => [s.mode, s.room], () => store.state.picking !== null && !isOn() && stop());

  return {
    get isOn() {
      return isOn();
    },
    stop,
    button(options) {
      targets.set(options.id, options);
      const text = "Drag up or down on the photo to change the colours there";
      const button = h(
        "button",
        {
          type: "button",
          class: "icon-button small band-pick",
          title: text,
          "aria-label": text,
          on: {
            click: () => store.update((s) => ({ picking: s.picking === options.id ? null : options.id })),
          },
        },
        icon("target"),
      );
      store.subscribe((s) => [s.picking, s.mode === "camera"], ([picking, live]) => {
        setAttribute(button, "aria-pressed", picking === options.id);
        button.hidden = live;
        if (picking !== options.id) options.mark(null);
      });
      return button;
    },
  };
}
