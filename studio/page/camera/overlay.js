// Over the picture: thirds, the level with its evidence, zebra and peaking.
import { h, setAttribute, setText, svg } from "../core/dom.js";
import { follow } from "./camera-state.js";
import { createPixelAids } from "./pixel-aids.js";

/** Degrees within which the camera is level. */
const LEVEL = 0.3;
/** Below this confidence an angle is a guess: the line says so by not being there. */
const SURE = 0.5;

export function createOverlay({ store, stage }) {
  const aids = createPixelAids(store);
  const line = (x1, y1, x2, y2) => svg("line", { x1, y1, x2, y2 });
  const grid = svg(
    "svg",
    { class: "thirds", viewBox: "0 0 3 3", preserveAspectRatio: "none" },
    ...[1, 2].flatMap((at) => [line(at, 0, at, 3), line(0, at, 3, at)]),
  );
  const evidence = svg("svg", { class: "roll-evidence", viewBox: "0 0 1 1", preserveAspectRatio: "none" });
  const tilted = h("div", { class: "roll-line" }, h("span", {}), h("span", {}));
  const degrees = h("span", { class: "roll-degrees" });
  const level = h(
    "div",
    { class: "roll" },
    h("span", { class: "roll-tick left" }),
    h("span", { class: "roll-tick right" }),
    tilted,
    degrees,
  );
  const element = h("div", { class: "camera-overlay", "aria-hidden": "true" }, aids.element, evidence, grid, level);

  let placed = "";
  stage.painter.onPaint((rect) => {
    if (store.state.mode !== "camera") return;
    const { ratio } = store.state.canvas;
    const box = [rect.x, rect.y, rect.width, rect.height].map((value) => value / ratio);
    if (box.join() === placed) return;
    placed = box.join();
    // On a phone on its side the top row ends where the picture does.
    const { style } = element.parentElement;
    style.setProperty("--middle-x", `${(100 * (rect.x + rect.width / 2)) / store.state.canvas.width}%`);
    style.setProperty("--middle-y", `${(100 * (rect.y + rect.height / 2)) / store.state.canvas.height}%`);
    style.setProperty("--picture-right", `${store.state.canvas.width / ratio - box[0] - box[2]}px`);
    ["left", "top", "width", "height"].forEach((side, index) => (element.style[side] = `${box[index]}px`));
    aids.place({ width: box[2], height: box[3] });
  });

  follow(store, ["grid", "level", "started"], (showsGrid, showsLevel, started) => {
    setAttribute(grid, "hidden", !showsGrid);
    level.hidden = !showsLevel || !started;
    setAttribute(evidence, "hidden", !showsLevel || !started);
  });
  /** @param {number|null} roll degrees, positive where the horizon rises to the right */
  function tilt(roll, confidence) {
    const sure = roll !== null && confidence >= SURE;
    level.classList.toggle("sure", sure);
    level.classList.toggle("true", sure && Math.abs(roll) <= LEVEL);
    // A horizon that rises to the right is turned anticlockwise.
    if (sure) tilted.style.rotate = `${-roll}deg`;
    const size = sure ? Math.abs(roll).toFixed(1) : "";
    setText(degrees, sure ? `${size === "0.0" ? "" : roll > 0 ? "+" : "−"}${size}°` : "no horizon");
    return sure;
  }
  follow(store, ["live", "level"], (live, shows) => {
    if (!shows) return;
    const sure = tilt(live?.levelDegrees ?? null, live?.confidence ?? 0);
    const lines = sure ? (live.evidence ?? []) : [];
    evidence.replaceChildren(...lines.map(({ x1, y1, x2, y2 }) => line(x1, y1, x2, y2)));
  });
  return {
    element,
    /** A frame was drawn. Its level is newer than what `live` tells once a second. */
    frame(header, surface) {
      if (header.level && store.state.camera.level) tilt(header.level.degrees, header.level.confidence);
      aids.frame(surface);
    },
  };
}
