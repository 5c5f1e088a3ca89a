// Four corners over the picture: a handle for each, the lines of thirds between them, dimmed outside.
import { h, setAttribute, svg } from "../core/dom.js";
import { apply } from "../masks/projection.js";
import { pictureRect } from "../stage/viewport.js";
import { fromSquare } from "./perspective.js";

const NAMES = ["Top left", "Top right", "Bottom right", "Bottom left"];
/** Parts of the picture that arrow keys move a corner by. */
const STEP = 0.002;

export function createCornerOverlay({ tool, stage, store }) {
  const dim = svg("path", { class: "crop-dim", "fill-rule": "evenodd" });
  const lines = svg("path", { class: "corner-grid" });
  const border = svg("path", { class: "corner-border" });
  const handles = NAMES.map((name, index) => {
    const handle = h(
      "button",
      { type: "button", class: "mask-handle corner-handle", "aria-label": name },
      h("span", {}),
    );
    drags(handle, index);
    handle.addEventListener("keydown", (event) => key(event, index));
    return { handle, name };
  });
  const element = h(
    "div",
    { class: "corner-layer", role: "group", "aria-label": "Four corners", hidden: true },
    svg("svg", { class: "corner-lines", "aria-hidden": "true" }, dim, lines, border),
    handles.map(({ handle }) => handle),
  );
  stage.element.append(element);

  /** Where the whole picture lies, in CSS pixels. */
  function area() {
    const { ratio } = store.state.canvas;
    const rect = pictureRect({ mode: "fit" }, stage.layout({ mode: "fit" }).panes[0], tool.draft.full);
    return { x: rect.x / ratio, y: rect.y / ratio, width: rect.width / ratio, height: rect.height / ratio };
  }

  function drags(handle, index) {
    let grip = null;
    handle.addEventListener("pointerdown", (event) => {
      if (event.button > 0 || grip || !tool.corners) return;
      event.stopPropagation();
      handle.setPointerCapture(event.pointerId);
      grip = { x: event.clientX, y: event.clientY, corner: tool.corners[index] };
    });
    handle.addEventListener("pointermove", (event) => {
      if (!grip || !tool.corners) return;
      const { width, height } = area();
      tool.setCorner(index, {
        x: grip.corner.x + (event.clientX - grip.x) / width,
        y: grip.corner.y + (event.clientY - grip.y) / height,
      });
    });
    const end = () => (grip = null);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  }

  function key(event, index) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!by || !tool.corners) return;
    event.preventDefault();
    event.stopPropagation();
    const { x, y } = tool.corners[index];
    const step = STEP * (event.shiftKey ? 10 : 1);
    tool.setCorner(index, { x: x + by[0] * step, y: y + by[1] * step });
  }

  function draw() {
    const { corners } = tool;
    element.hidden = !corners;
    if (!corners || !store.state.canvas.width) return;
    const { x, y, width, height } = area();
    const map = fromSquare(corners.map((one) => ({ x: x + one.x * width, y: y + one.y * height })));
    const at = (u, v) => {
      const place = apply(map, { x: u, y: v });
      return `${place.x.toFixed(1)} ${place.y.toFixed(1)}`;
    };
    const outline = `M${at(0, 0)}L${at(1, 0)}L${at(1, 1)}L${at(0, 1)}z`;
    setAttribute(dim, "d", `M${x} ${y}h${width}v${height}h${-width}z${outline}`);
    setAttribute(border, "d", outline);
    const thirds = [1 / 3, 2 / 3];
    setAttribute(lines, "d", thirds.map((part) =>
      `M${at(part, 0)}L${at(part, 1)}M${at(0, part)}L${at(1, part)}`).join(""));
    handles.forEach(({ handle, name }, index) => {
      const { x: u, y: v } = corners[index];
      handle.style.transform = `translate(${(x + u * width).toFixed(1)}px, ${(y + v * height).toFixed(1)}px)`;
      const percent = (part) => `${Math.round(part * 100)} %`;
      setAttribute(handle, "aria-label", `${name}, ${percent(u)} from the left, ${percent(v)} from the top`);
    });
  }

  tool.onChange(draw);
  store.subscribe((s) => [s.canvas, s.mode], draw);
  stage.painter.onPaint(() => tool.corners && draw());
  return element;
}
