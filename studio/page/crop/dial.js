// The straighten dial: degrees pass under a fixed mark, one tick each, five to a major one.
import { format } from "../adjust/numbers.js";
import { createValueField } from "../adjust/value-field.js";
import { h, setAttribute, setText, svg } from "../core/dom.js";

/** CSS pixels per degree, and degrees within which 0 holds on. */
const PITCH = 10;
const MAGNET = 0.35;
const LIMIT = 45;

const parameter = { minimum: -LIMIT, maximum: LIMIT, step: 0.1, unit: "°" };

export function createDial({ tool, store }) {
  const readout = createValueField(parameter, {
    label: "Angle",
    take(angle) {
      if (tool.draft) turnTo(angle);
      return angle;
    },
  });
  readout.element.classList.add("dial-readout");
  const native = h(
    "input",
    { class: "slider-native", type: "range", min: -LIMIT, max: LIMIT, step: "any", "aria-label": "Straighten" },
  );
  const ticks = svg(
    "svg",
    { class: "dial-ticks", width: 2 * LIMIT * PITCH + 2, height: 28, "aria-hidden": "true" },
    svg("path", { class: "minor", d: tickPath((degree) => degree % 5 !== 0, 10, 8) }),
    svg("path", { class: "major", d: tickPath((degree) => degree % 5 === 0 && degree !== 0, 6, 12) }),
    svg("path", { class: "zero", d: tickPath((degree) => degree === 0, 2, 16) }),
  );
  const strip = h("div", { class: "dial-strip" }, ticks);
  const face = h(
    "div",
    { class: "dial-face" },
    native,
    strip,
    h("span", { class: "dial-mark", "aria-hidden": "true" }),
  );
  const summary = h("p", { class: "dial-summary", role: "status" });
  const automatic = h("button", { type: "button", class: "pill-button", on: { click: () => tool.auto() } }, "Auto");
  const element = h(
    "section",
    { class: "dial", "aria-label": "Straighten" },
    h("div", { class: "dial-row" }, h("span", {}), readout.element, automatic),
    face,
    summary,
  );
  let drag = null;
  let keyTimer = 0;

  function show() {
    const { draft } = tool;
    if (!draft) return;
    strip.style.transform = `translateX(${(-draft.angle * PITCH).toFixed(2)}px)`;
    readout.show(draft.angle);
    native.value = draft.angle;
    setAttribute(native, "aria-valuetext", format(parameter, draft.angle));
    element.classList.toggle("level", draft.angle === 0);
    setText(summary, tool.summary);
  }

  face.addEventListener("pointerdown", (event) => {
    if (!tool.draft || event.button > 0) return;
    face.setPointerCapture(event.pointerId);
    native.focus({ preventScroll: true, focusVisible: false });
    event.preventDefault();
    tool.mark();
    drag = { x: event.clientX, raw: tool.draft.angle };
  });
  face.addEventListener("pointermove", (event) => {
    if (!drag || !tool.draft) return;
    drag.raw = limited(drag.raw - ((event.clientX - drag.x) / PITCH) * (event.shiftKey ? 0.1 : 1));
    drag.x = event.clientX;
    const level = Math.abs(drag.raw) < MAGNET && !event.altKey;
    tool.setAngle(level ? 0 : drag.raw, { time: event.timeStamp });
  });
  const end = () => {
    if (!drag) return;
    drag = null;
    if (tool.draft) tool.setAngle(tool.draft.angle, { dragging: false });
  };
  face.addEventListener("pointerup", end);
  face.addEventListener("pointercancel", end);
  face.addEventListener("dblclick", () => turnTo(0));

  function turnTo(angle) {
    clearTimeout(keyTimer);
    if (keyTimer === 0) tool.mark();
    tool.setAngle(limited(angle), { dragging: true });
    keyTimer = setTimeout(() => {
      keyTimer = 0;
      if (tool.draft) tool.setAngle(tool.draft.angle, { dragging: false });
    }, 250);
  }
  native.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 0.1, ArrowUp: 0.1, ArrowLeft: -0.1, ArrowDown: -0.1, PageUp: 5, PageDown: -5 }[event.key];
    if (by === undefined && event.key !== "Home" && event.key !== "Delete") return;
    event.preventDefault();
    event.stopPropagation();
    // Home is level: nobody wants −45°.
    turnTo(by === undefined ? 0 : Math.round((tool.draft.angle + by * (event.shiftKey ? 10 : 1)) * 100) / 100);
  });
  native.addEventListener("input", () => turnTo(Number(native.value)));

  tool.onChange(show);
  store.subscribe((s) => s.mode, show);
  return element;
}

const limited = (angle) => Math.min(LIMIT, Math.max(-LIMIT, angle));

function tickPath(wanted, y, height) {
  let path = "";
  for (let degree = -LIMIT; degree <= LIMIT; degree++) {
    if (wanted(degree)) path += `M${(degree + LIMIT) * PITCH + 1} ${y}v${height}`;
  }
  return path;
}
