// The slider: a native range for keyboards and screen readers, drawn and dragged by hand.
import { h, setAttribute, setText, svg } from "../core/dom.js";
import { beforePaint } from "../core/redraw.js";
import { format } from "./numbers.js";
import { magnetic, stepped, ticks, toPosition, toValue } from "./scale.js";

/** CSS pixels: half the thumb and a little; what a finger moves before it drags. */
const GRAB = 16;
const SLOP = 4;

/**
 * @param {object} parameter range, step, detent, scale and unit as the server describes them
 * @param {object} handlers `label`; `input(value, time)` while it moves; `commit(value)` when it rests;
 *   `soon(value)` after a key or a click, which may not be the last; `hold(bool)`: a drag begins, ends; `track`: a class
 */
export function createSlider(parameter, { label, input: changed, commit, soon, hold = () => {}, track = null }) {
  const native = h(
    "input",
    { class: "slider-native", type: "range", min: 0, max: 1, step: "any", "aria-label": label },
  );
  const bar = h("span", { class: `slider-track ${track ?? ""}` });
  const fill = h("span", { class: "slider-fill" });
  const thumb = h("span", { class: "slider-thumb" });
  const pill = h("span", { class: "slider-pill" });
  const rail = h(
    "span",
    { class: "slider-rail", "aria-hidden": "true" },
    drawTicks(parameter),
    bar,
    fill,
    thumb,
    pill,
  );
  const element = h("div", { class: "slider" }, native, rail);
  const detent = toPosition(parameter, parameter.detent);
  let value = parameter.detent;
  let drag = null;

  function draw() {
    const position = toPosition(parameter, value);
    // Places, not transforms: those have the browser rebuild its layers, while these lay out the rail alone.
    thumb.style.left = pill.style.left = `${position * 100}%`;
    fill.style.left = `${Math.min(position, detent) * 100}%`;
    fill.style.width = `${Math.abs(position - detent) * 100}%`;
    // The native control is not seen, and would be painted all the same: it follows when the drag ends.
    if (!drag) native.value = position;
    const text = format(parameter, value);
    setText(pill, text);
    setAttribute(native, "aria-valuetext", text);
    element.classList.toggle("changed", value !== parameter.detent);
  }

  function move(next, time) {
    if (next === value) return false;
    value = next;
    beforePaint(draw);
    changed(value, time);
    return true;
  }

  const reset = () => {
    if (move(parameter.detent, performance.now())) commit(value);
  };

  function begin(event) {
    const box = rail.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width;
    const position = toPosition(parameter, value);
    const onThumb = Math.abs(at - position) * box.width <= GRAB;
    const touch = event.pointerType === "touch";
    drag = {
      width: box.width,
      x: event.clientX,
      // A finger may only want to scroll: it moves the value relative to where it was, a mouse jumps there.
      raw: onThumb || touch ? position : at,
      at,
      before: value,
      moved: false,
      waits: touch,
      jumps: touch && !onThumb,
    };
    if (!touch) start(event);
    if (!onThumb && !touch) slide(event, 0);
  }

  function start(event) {
    drag.waits = false;
    rail.setPointerCapture?.(event.pointerId);
    element.classList.add("dragging");
    hold(true);
    document.addEventListener("keydown", escape, { capture: true });
  }

  /** Esc takes the drag back, and means nothing else. */
  function escape(event) {
    if (event.key !== "Escape" || !drag) return;
    event.preventDefault();
    event.stopPropagation();
    const { before } = drag;
    finish();
    if (move(before, event.timeStamp)) commit(value);
  }

  function finish() {
    drag = null;
    beforePaint(draw);
    element.classList.remove("dragging");
    hold(false);
    document.removeEventListener("keydown", escape, { capture: true });
  }

  function slide(event, dx) {
    // With Shift the value moves ten times as slowly as the pointer.
    drag.raw = Math.min(1, Math.max(0, drag.raw + (dx / drag.width) * (event.shiftKey ? 0.1 : 1)));
    const position = event.altKey ? drag.raw : magnetic(parameter, drag.raw);
    move(toValue(parameter, position), event.timeStamp);
  }

  rail.addEventListener("pointerdown", (event) => {
    if (event.button > 0 || drag) return;
    native.focus({ preventScroll: true, focusVisible: false });
    if (event.pointerType !== "touch") event.preventDefault();
    begin(event);
  });
  rail.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x;
    if (drag.waits) {
      if (Math.abs(dx) < SLOP) return;
      start(event);
    }
    drag.moved ||= dx !== 0;
    drag.x = event.clientX;
    slide(event, dx);
  });
  function end(event) {
    if (!drag) return;
    const { before, moved, waits, jumps, at } = drag;
    if (event.type === "pointercancel") move(before, event.timeStamp);
    else if (waits && jumps) move(toValue(parameter, magnetic(parameter, at)), event.timeStamp);
    finish();
    // After a drag the arrow keys are those of the page again.
    if (moved && event.pointerType === "mouse") native.blur();
    if (value === before) return;
    // A click may be the first half of a double click: it is saved a moment later.
    if (moved) commit(value);
    else soon(value);
  }
  rail.addEventListener("pointerup", end);
  rail.addEventListener("pointercancel", end);
  rail.addEventListener("dblclick", reset);

  native.addEventListener("keydown", (event) => {
    const big = event.shiftKey ? 10 : 1;
    const steps = {
      ArrowRight: big,
      ArrowUp: big,
      ArrowLeft: -big,
      ArrowDown: -big,
      PageUp: 10,
      PageDown: -10,
    }[event.key];
    let next = null;
    if (steps !== undefined && !event.ctrlKey && !event.metaKey) {
      const { sliderMinimum, sliderMaximum } = parameter;
      next = Math.min(
        Math.max(sliderMaximum, value),
        Math.max(Math.min(sliderMinimum, value), stepped(parameter, value, steps)),
      );
    } else if (event.key === "Home") next = parameter.sliderMinimum;
    else if (event.key === "End") next = parameter.sliderMaximum;
    else if (event.key === "Delete" || event.key === "Backspace") next = parameter.detent;
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (move(next, event.timeStamp)) soon(value);
  });
  // Assistive technology moves the native control itself.
  native.addEventListener("input", () => {
    if (move(toValue(parameter, Number(native.value)), performance.now())) soon(value);
  });

  draw();
  return {
    element,
    native,
    get value() {
      return value;
    },
    /** Shows a value that comes from elsewhere. */
    show(next) {
      if (next === value) return;
      value = next;
      beforePaint(draw);
    },
    /** Colours the track by what the slider does: a background of CSS. */
    paint(background) {
      bar.classList.add("painted");
      bar.style.background = background;
    },
    /** Moves as a drag elsewhere wants (on the picture): `fraction` of the slider's length from `from`. */
    nudge(from, fraction, event) {
      const raw = Math.min(1, Math.max(0, toPosition(parameter, from) + fraction));
      move(toValue(parameter, event.altKey ? raw : magnetic(parameter, raw)), event.timeStamp);
    },
    commit: () => commit(value),
    reset,
  };
}

/** Two paths for all ticks of a slider; lines keep their width whatever the rail's. */
function drawTicks(parameter) {
  const detent = toPosition(parameter, parameter.detent);
  const small = ticks(parameter).filter((position) => Math.abs(position - detent) > 0.004);
  const path = (positions, y, height) => positions.map((x) => `M${(x * 1000).toFixed(1)} ${y}v${height}`).join("");
  return svg(
    "svg",
    { class: "slider-ticks", viewBox: "0 0 1000 24", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { class: "tick", d: path(small, 9, 6) }),
    svg("path", { class: "tick detent", d: path([detent], 8, 8) }),
  );
}
