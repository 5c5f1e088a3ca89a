// The crop frame over the picture: dimmed outside, grid, eight grabbers, evidence of the horizon.
import { setAttribute, svg } from "../core/dom.js";
import { pictureRect } from "../stage/viewport.js";
import { moved, resized } from "./crop-rect.js";
import { uprightOf } from "./crop-draft.js";
import { straightenedPoint } from "./straightened.js";

const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"];
/** CSS pixels: a grabber's length and thickness, and how near a pointer has to be. */
const LENGTH = 24;
const THICK = 4;
const REACH = 22;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export function createCropOverlay({ tool, stage, store }) {
  const dim = svg("path", { class: "crop-dim", "fill-rule": "evenodd" });
  const lines = svg("path", { class: "crop-grid" });
  const border = svg("rect", { class: "crop-border" });
  const grabbers = svg("path", { class: "crop-grabbers" });
  // A picture of its own, so that nothing is drawn beyond what the picture shows.
  const evidence = svg("svg", { class: "crop-evidence" });
  const element = svg(
    "svg",
    {
      class: "crop-overlay",
      tabindex: "0",
      role: "group",
      "aria-label": "Crop frame. Arrow keys move it, with Alt they change its size.",
    },
    dim,
    lines,
    evidence,
    border,
    grabbers,
  );
  stage.element.append(element);
  let drag = null;

  /** Where the whole picture lies, in CSS pixels. */
  function area() {
    const { ratio } = store.state.canvas;
    // While the picture glides into the tool, the frame goes with it.
    const rect = stage.painter.gliding ? stage.painter.rect : pictureRect(
      { mode: "fit" },
      stage.layout({ mode: "fit" }).panes[0],
      tool.draft.full,
    );
    return { x: rect.x / ratio, y: rect.y / ratio, width: rect.width / ratio, height: rect.height / ratio };
  }

  function frame() {
    const picture = area();
    const { rect, full } = tool.draft;
    const scale = picture.width / full.width;
    return {
      scale,
      picture,
      x: picture.x + rect.x * scale,
      y: picture.y + rect.y * scale,
      width: rect.width * scale,
      height: rect.height * scale,
    };
  }

  function draw() {
    // While four corners are chosen, they are what is dragged.
    const draft = tool.corners ? null : tool.draft;
    element.toggleAttribute("hidden", !draft);
    element.style.display = draft ? "" : "none";
    if (!draft || !store.state.canvas.width) return;
    const { x, y, width, height, picture, scale } = frame();
    const box = (r) => `M${r.x} ${r.y}h${r.width}v${r.height}h${-r.width}z`;
    setAttribute(dim, "d", box(picture) + box({ x, y, width, height }));
    for (const [name, value] of Object.entries({ x, y, width, height })) setAttribute(border, name, value);
    setAttribute(lines, "d", gridPath({ x, y, width, height }));
    setAttribute(grabbers, "d", grabberPath({ x, y, width, height }));
    drawEvidence(draft, picture, scale);
    // Until the turned picture has arrived, a frame of the other shape would only confuse.
    const known = stage.painter.frame?.header.full;
    const turnedAway = known && Math.abs(
      Math.log((known.width / known.height) / (draft.full.width / draft.full.height)),
    ) > 0.25;
    element.classList.toggle("waiting", Boolean(turnedAway) && !draft.aspect);
  }

  function gridPath({ x, y, width, height }) {
    // Lines are made upright by many lines beside them.
    const grid = store.state.dragging?.startsWith("keystone-") ? "square" : tool.grid;
    if (grid === "none") return "";
    const vertical = (part) => `M${x + part * width} ${y}v${height}`;
    const horizontal = (part) => `M${x} ${y + part * height}h${width}`;
    if (grid === "square") {
      const size = Math.max(width, height) / 8;
      const marks = [];
      for (let at = size; at < width - 1; at += size) marks.push(vertical(at / width));
      for (let at = size; at < height - 1; at += size) marks.push(horizontal(at / height));
      return marks.join("");
    }
    const parts = grid === "golden" ? [1 - GOLDEN, GOLDEN] : [1 / 3, 2 / 3];
    return parts.flatMap((part) => [vertical(part), horizontal(part)]).join("");
  }

  /** L shapes outside the corners, bars outside the edges. */
  function grabberPath({ x, y, width, height }) {
    const half = THICK / 2;
    const long = Math.min(LENGTH, width / 3, height / 3) - half;
    const [l, t, r, b] = [x - half, y - half, x + width + half, y + height + half];
    const corner = (cx, cy, sx, sy) => `M${cx} ${cy + sy * long}V${cy}H${cx + sx * long}`;
    const midX = x + width / 2 - long / 2;
    const midY = y + height / 2 - long / 2;
    return (
      corner(l, t, 1, 1) + corner(r, t, -1, 1) + corner(r, b, -1, -1) + corner(l, b, 1, -1) +
      `M${midX} ${t}h${long}M${midX} ${b}h${long}M${l} ${midY}v${long}M${r} ${midY}v${long}`
    );
  }

  function drawEvidence(draft, picture) {
    const found = tool.evidence ?? [];
    while (evidence.childElementCount > found.length) evidence.lastChild.remove();
    while (evidence.childElementCount < found.length) evidence.append(svg("line", {}));
    for (const name of ["x", "y", "width", "height"]) setAttribute(evidence, name, picture[name]);
    const size = uprightOf(draft);
    found.forEach((line, index) => {
      const place = (px, py) => {
        const point = straightenedPoint({ x: px, y: py }, size, draft.full, draft.angle);
        return { x: point.x * picture.width, y: point.y * picture.height };
      };
      const a = place(line.x1, line.y1);
      const b = place(line.x2, line.y2);
      const element = evidence.children[index];
      const ends = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
      for (const [name, value] of Object.entries(ends)) setAttribute(element, name, value);
      setAttribute(element, "class", line.kind ?? "");
    });
  }

  function handleAt(px, py) {
    const { x, y, width, height } = frame();
    const [left, middle, right] = [x, x + width / 2, x + width];
    const [top, centre, bottom] = [y, y + height / 2, y + height];
    const places = {
      n: [middle, top],
      s: [middle, bottom],
      w: [left, centre],
      e: [right, centre],
      nw: [left, top],
      ne: [right, top],
      sw: [left, bottom],
      se: [right, bottom],
    };
    let best = null;
    let nearest = REACH;
    for (const name of HANDLES) {
      const distance = Math.hypot(px - places[name][0], py - places[name][1]);
      if (distance < nearest) [best, nearest] = [name, distance];
    }
    if (best) return best;
    const within = px > x - 8 && px < x + width + 8 && py > y - 8 && py < y + height + 8;
    // The whole edge can be dragged, not only its middle.
    if (within && Math.abs(py - y) < 8) return "n";
    if (within && Math.abs(py - y - height) < 8) return "s";
    if (within && Math.abs(px - x) < 8) return "w";
    if (within && Math.abs(px - x - width) < 8) return "e";
    return within ? "move" : "turn";
  }

  const local = (event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  element.addEventListener("pointerdown", (event) => {
    if (!tool.draft || event.button > 0 || drag) return;
    event.stopPropagation();
    const point = local(event);
    const handle = handleAt(point.x, point.y);
    const shown = frame();
    const middle = { x: shown.x + shown.width / 2, y: shown.y + shown.height / 2 };
    element.setPointerCapture(event.pointerId);
    const { rect, angle } = tool.draft;
    drag = { handle, point, rect, angle, middle, scale: shown.scale, isMarked: false };
    element.classList.add("dragging");
  });
  element.addEventListener("pointermove", (event) => {
    if (!tool.draft) return;
    const point = local(event);
    if (!drag) {
      element.dataset.handle = handleAt(point.x, point.y);
      return;
    }
    if (!drag.isMarked) {
      // A press that moves nothing is no step.
      drag.isMarked = true;
      tool.mark();
    }
    if (drag.handle === "turn") {
      turn(point, event);
      return;
    }
    const dx = (point.x - drag.point.x) / drag.scale;
    const dy = (point.y - drag.point.y) / drag.scale;
    const { full, aspect } = tool.draft;
    const least = Math.max(16, 48 / drag.scale);
    const locked = aspect ?? (event.shiftKey ? drag.rect.width / drag.rect.height : null);
    tool.setRect(
      drag.handle === "move"
        ? moved(drag.rect, dx, dy, full)
        : resized(
          drag.rect,
          drag.handle,
          dx,
          dy,
          full,
          { aspect: locked, least: Math.min(least, full.width / 4, full.height / 4) },
        ),
    );
  });
  /** Outside the frame the picture is turned about its middle. */
  function turn(point, event) {
    const { middle } = drag;
    const [from, to] = [drag.point, point].map(({ x, y }) => Math.atan2(y - middle.y, x - middle.x));
    const degrees = ((((to - from) * 180) / Math.PI + 540) % 360) - 180;
    drag.angle = Math.min(45, Math.max(-45, drag.angle + degrees * (event.shiftKey ? 0.1 : 1)));
    drag.point = point;
    tool.setAngle(drag.angle, { time: event.timeStamp });
  }

  const end = () => {
    if (!drag) return;
    const { handle, isMarked } = drag;
    drag = null;
    element.classList.remove("dragging");
    if (!tool.draft || !isMarked) return;
    if (handle === "turn") tool.setAngle(tool.draft.angle, { dragging: false });
    else tool.setRect(tool.draft.rect, { end: true });
  };
  element.addEventListener("dblclick", (event) => {
    const { x, y } = local(event);
    if (tool.draft && handleAt(x, y) === "move") tool.done();
  });
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);

  element.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 50 : 5;
    const [dx, dy] = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    }[event.key] ?? [];
    if (dx === undefined || !tool.draft) return;
    event.preventDefault();
    event.stopPropagation();
    const { rect, full, aspect } = tool.draft;
    tool.mark();
    tool.setRect(
      event.altKey ? resized(rect, "se", dx, dy, full, { aspect }) : moved(rect, dx, dy, full),
      { end: true },
    );
  });

  tool.onChange(draw);
  store.subscribe((s) => [s.canvas, s.mode, s.dragging], draw);
  stage.painter.onPaint(() => tool.draft && draw());
  return element;
}
