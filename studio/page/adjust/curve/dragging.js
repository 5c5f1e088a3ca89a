// A pointer on the plot: a press adds a point or takes the one beneath it, and it follows.
import { monotone } from "./monotone.js";
import { moved, nearest, toPixels, toPlace } from "./points.js";

/** CSS pixels about a point that belong to it: a target of 24 for a mouse, of twice as much for a finger. */
const REACH = { mouse: 12, touch: 24 };
/** A press as near as this to the curve adds a point on it. */
const ON_CURVE = 10;
/** Of the parameter's step: as fine as pixels are. */
const PART = 0.1;

/**
 * @param {object} curve `plot`, `pad` (CSS pixels around the square), `points`, `parameter`; `add(place, part)`,
 *   `set(points, options)`, `select(index)`, `remove()`, `commit()`, `commitSoon()`, `hold(on)`, `quiet()`, `settle()`
 * @returns `{ at(x) }`: the curve that is shown
 */
export function dragPoints(curve) {
  const { plot, pad } = curve;
  let drag = null;

  /** Where the square is in the window. The pad is one of the plot's own pixels, which may be zoomed. */
  function area() {
    const box = plot.getBoundingClientRect();
    const edge = (pad * box.width) / plot.clientWidth;
    return { left: box.left + edge, top: box.top + edge, width: box.width - 2 * edge, height: box.height - 2 * edge };
  }
  const pixelOf = (event) => ({ x: event.clientX, y: event.clientY });
  const hit = (event) => {
    const reach = event.pointerType === "touch" ? REACH.touch : REACH.mouse;
    return nearest(curve.points, pixelOf(event), area(), curve.parameter, reach);
  };

  plot.addEventListener("pointerdown", (event) => {
    if (event.button > 0 || drag) return;
    event.preventDefault();
    curve.settle();
    curve.quiet();
    const place = toPlace(pixelOf(event), area(), curve.parameter);
    let index = hit(event);
    let before = curve.points;
    if (index < 0) {
      const onCurve = toPixels({ x: place.x, y: monotone(before)(place.x) }, area(), curve.parameter);
      if (Math.abs(onCurve.y - event.clientY) <= ON_CURVE) place.y = monotone(before)(place.x);
      const added = curve.add(place, PART);
      if (!added) return;
      index = added.index;
      curve.set(added.points, { dragging: true, time: event.timeStamp });
    }
    plot.setPointerCapture?.(event.pointerId);
    const raw = toPixels(curve.points[index], area(), curve.parameter);
    drag = { id: event.pointerId, index, before, raw, last: pixelOf(event), moved: false };
    plot.classList.add("dragging");
    curve.select(index);
    curve.hold(true);
  });

  plot.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    const pixel = pixelOf(event);
    // With Shift the point moves ten times as slowly as the pointer.
    const speed = event.shiftKey ? 0.1 : 1;
    drag.raw.x += (pixel.x - drag.last.x) * speed;
    drag.raw.y += (pixel.y - drag.last.y) * speed;
    drag.moved ||= pixel.x !== drag.last.x || pixel.y !== drag.last.y;
    drag.last = pixel;
    const place = toPlace(drag.raw, area(), curve.parameter);
    curve.set(moved(curve.points, drag.index, place, curve.parameter, PART), {
      dragging: true,
      time: event.timeStamp,
    });
  });

  function end(event) {
    if (event.pointerId !== drag?.id) return;
    const { before, moved: wasMoved } = drag;
    drag = null;
    plot.classList.remove("dragging");
    if (event.type === "pointercancel") curve.set(before, { dragging: true });
    curve.hold(false);
    // A press may be the first half of a double click: it is saved a moment later.
    if (wasMoved || event.type === "pointercancel") curve.commit();
    else if (curve.points !== before) curve.commitSoon();
  }
  plot.addEventListener("pointerup", end);
  plot.addEventListener("pointercancel", end);
  plot.addEventListener("dblclick", (event) => {
    const index = hit(event);
    if (index < 0) return;
    curve.select(index);
    curve.remove();
  });

  return { at: (x) => monotone(curve.points)(x) };
}
