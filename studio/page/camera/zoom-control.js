// Zoom: the ring in the middle while it changes, and the buttons.
import { h, setAttribute, setText, svg } from "../core/dom.js";
import { animate } from "../core/spring.js";
import { follow } from "./camera-state.js";
import { tick } from "./haptics.js";
import { STOPS, clampedZoom, crossed, stopOf, wheeled, zoomPosition, zoomText } from "./zoom.js";

const STAYS = 600;

export function createZoom({ store, client, say }) {
  const arc = svg("circle", { class: "zoom-arc", cx: 60, cy: 60, r: 52, pathLength: 100 });
  const text = h("span", { class: "zoom-text" });
  const ring = h(
    "div",
    { class: "zoom-ring", "aria-hidden": "true" },
    svg(
      "svg",
      { viewBox: "0 0 120 120" },
      svg("circle", { class: "zoom-back", cx: 60, cy: 60, r: 52 }),
      arc,
    ),
    text,
  );
  const buttons = STOPS.map((stop) =>
    h("button", { type: "button", class: "zoom-stop", on: { click: () => to(stop) } }, zoomText(stop)));
  const element = h("div", { class: "zoom-stops", role: "group", "aria-label": "Zoom" }, buttons);
  let timer = 0;
  let start = 1;
  let stopMotion = () => {};

  const now = () => store.state.camera.zoom;

  function set(factor) {
    const next = clampedZoom(factor);
    if (next === now()) return;
    if (crossed(now(), next) !== null) tick(4);
    client.zoom(next);
  }
  function reveal() {
    clearTimeout(timer);
    ring.classList.add("shown");
    timer = setTimeout(() => ring.classList.remove("shown"), STAYS);
  }
  /** To a factor, softly: along the logarithm, so that it is as fast everywhere. */
  function to(factor) {
    stopMotion();
    reveal();
    const from = now();
    const end = clampedZoom(factor);
    say(`Zoom ${zoomText(end)}`);
    stopMotion = animate((t) => set(from * (end / from) ** t), { response: 0.24, damping: 1 });
  }

  follow(store, ["zoom"], (zoom) => {
    setText(text, zoomText(zoom));
    arc.style.strokeDasharray = `${zoomPosition(zoom) * 100} 100`;
    buttons.forEach((button, index) => {
      const on = STOPS[index] === stopOf(zoom);
      setAttribute(button, "aria-pressed", on);
      // Between two stops the lit button tells the factor.
      setText(button, on ? zoomText(zoom) : zoomText(STOPS[index]).replace("×", ""));
      setAttribute(button, "aria-label", on ? `Zoom ${zoomText(zoom)}` : `Zoom ${zoomText(STOPS[index])}`);
    });
  });

  return {
    element,
    ring,
    to,
    step: (by) => {
      stopMotion();
      reveal();
      set(now() * by);
      say(`Zoom ${zoomText(now())}`);
    },
    pinch(ratio, phase) {
      stopMotion();
      if (phase === "start") start = now();
      else if (phase === "move") set(start * ratio);
      reveal();
    },
    wheel(event) {
      stopMotion();
      const unit = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1;
      reveal();
      set(wheeled(now(), Math.max(-240, Math.min(240, event.deltaY * unit)), event.ctrlKey));
    },
  };
}
