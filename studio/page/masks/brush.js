// Painting strokes, and the pipette: what a pointer does on the picture besides handles.
import { setAttribute, svg } from "../core/dom.js";
import { circle } from "./handle-sets.js";
import { extended, newStroke, thinned } from "./stroke.js";

/** Milliseconds and points within which a second finger means a pinch and no stroke. */
const SOON = 400;
const FEW = 12;

export function createBrush({ tool, view, store, editor, stage }) {
  // As the view shows circles of the photo: no circles, if it is projected.
  const circles = ["brush-shadow", "brush-ring", "brush-core"].map((name) => svg("path", { class: name }));
  const cursor = svg("svg", { class: "brush-cursor", "aria-hidden": "true" }, circles);
  stage.element.append(cursor);
  let stroke = null;
  let space = false;
  const pointers = new Set();
  /** Where the mouse is, for as long as it is over the picture. */
  let hovered = null;

  const isMasks = () => store.state.mode === "masks";
  const picks = () => isMasks() && store.state.masks.pipette;
  /** Whether one pointer on the picture paints or picks, and neither pans nor holds. With the space bar it pans. */
  const paints = () => isMasks() && !space && (store.state.masks.pipette || tool.paints);

  const local = (event) => {
    const box = stage.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  function showCursor(event) {
    hovered = event && { clientX: event.clientX, clientY: event.clientY, altKey: event.altKey };
    const place = event && paints() && !picks() ? view.place() : null;
    cursor.toggleAttribute("hidden", !place);
    cursor.style.display = place ? "" : "none";
    stage.element.dataset.paints = paints() ? (picks() ? "pipette" : "brush") : "";
    if (!place) return;
    const at = place.toMask(local(event));
    const { radius, hardness, erase } = store.state.masks.brush;
    [radius + 1 / place.longAt(at), radius, radius * hardness].forEach((one, index) => {
      setAttribute(circles[index], "d", circle(at, one, place));
    });
    cursor.classList.toggle("erases", erase || event.altKey);
  }

  /** The strokes of the chosen mask with `drawn` as the last one. */
  function show(drawn, time) {
    const { leaf } = tool;
    tool.setLeaf({ ...leaf.mask, strokes: [...stroke.before, drawn] }, { dragging: true, time });
  }

  function begin(event) {
    const at = view.place().toMask(local(event));
    const { brush, adding } = store.state.masks;
    const drawn = newStroke(at, { ...brush, erase: brush.erase || event.altKey });
    stroke = { drawn, edit: store.state.edit, adding, before: [], started: event.timeStamp, id: event.pointerId };
    store.update({ dragging: "mask" });
    if (adding) tool.insert(
      { kind: "brush", strokes: [drawn] },
      adding.join,
      { dragging: true, time: event.timeStamp },
    );
    else stroke.before = tool.leaf.mask.strokes;
    tool.set({ dragging: true });
    if (!adding) show(drawn, event.timeStamp);
  }

  function finish(isKept) {
    const { edit, adding, drawn } = stroke;
    store.update({ dragging: null });
    tool.set({ dragging: false });
    if (isKept) show(thinned(drawn, view.place().size), performance.now());
    else {
      editor.change(edit, { dragging: false });
      tool.set({ adding });
    }
    stroke = null;
    tool.commit();
  }

  function pick(event, dragging) {
    tool.pick(view.sample(local(event)), { dragging, time: event.timeStamp });
  }

  stage.element.addEventListener("pointerdown", (event) => {
    if (!isMasks() || event.button > 0 || event.target.closest("button, .floating, .split-handle")) return;
    pointers.add(event.pointerId);
    if (pointers.size > 1) {
      // Two fingers zoom: what the first has begun was no stroke, if it was short.
      const isShort = stroke && event.timeStamp - stroke.started < SOON && stroke.drawn.points.length < FEW;
      if (stroke) finish(!isShort);
      return;
    }
    if (!paints() || !view.place()) return;
    if (picks()) {
      if (!view.shows(local(event))) return;
      stroke = { picks: true, id: event.pointerId };
      store.update({ dragging: "mask" });
      tool.set({ dragging: true });
      pick(event, true);
    } else begin(event);
  });
  stage.element.addEventListener("pointermove", (event) => {
    if (!isMasks()) return;
    showCursor(event);
    if (!stroke || event.pointerId !== stroke.id) return;
    if (stroke.picks) {
      if (view.shows(local(event))) pick(event, true);
      return;
    }
    const place = view.place();
    const { drawn } = stroke;
    // All places of the pointer since the last event, so that quick strokes are round.
    const events = event.getCoalescedEvents?.() ?? [];
    for (const one of events.length ? events : [event]) {
      stroke.drawn = extended(stroke.drawn, place.toMask(local(one)), place.size);
    }
    if (stroke.drawn !== drawn) show(stroke.drawn, event.timeStamp);
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    if (!stroke || event.pointerId !== stroke.id) return;
    if (stroke.picks) {
      stroke = null;
      store.update({ dragging: null });
      // One colour is picked; for another the pipette is taken up again.
      tool.set({ dragging: false, pipette: false });
      tool.commit();
    } else finish(event.type === "pointerup");
    showCursor(event.pointerType === "touch" ? null : event);
  };
  stage.element.addEventListener("pointerup", end);
  stage.element.addEventListener("pointercancel", end);
  stage.element.addEventListener("pointerleave", () => showCursor(null));
  addEventListener("keydown", (event) => {
    if (event.key !== " " || !isMasks() || event.target.closest?.("button, input, select, dialog")) return;
    event.preventDefault();
    space = true;
    showCursor(null);
  });
  addEventListener("keyup", (event) => {
    if (event.key === " ") space = false;
  });
  addEventListener("blur", () => {
    space = false;
  });
  store.subscribe((s) => [s.mode, s.masks], () => showCursor(hovered));
  showCursor(null);
  return { paints };
}
