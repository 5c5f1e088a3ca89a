// Fingers, mouse and wheel on the viewfinder: tap, hold, swipe, drag, pinch.

const HOLD = 500;
const SLOP = 8;
/** A swipe changes the mode once it is so long. */
const SWIPE = 48;

/**
 * @param {object} on `active()`, `tap(x, y)`, `hold(x, y)`, `swipe(by)`, `exposes()`: whether a vertical drag means
 *   something, `expose(dy, phase)`, `pinch(ratio, phase)`, `wheel(event)`; phases are start, move and end
 */
export function addViewfinderGestures(element, on) {
  const pointers = new Map();
  let gesture = null;
  let timer = 0;

  const distance = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };

  element.addEventListener("pointerdown", (event) => {
    if (!on.active() || event.button > 0 || event.target.closest("button, .floating, .split-handle")) return;
    element.setPointerCapture(event.pointerId);
    const point = { x: event.clientX, y: event.clientY };
    pointers.set(event.pointerId, point);
    clearTimeout(timer);
    if (pointers.size === 2) {
      if (gesture?.kind === "expose") on.expose(0, "end");
      gesture = { kind: "pinch", from: distance() };
      on.pinch(1, "start");
    } else if (pointers.size === 1) {
      gesture = { kind: "press", start: point };
      timer = setTimeout(() => {
        if (gesture?.kind !== "press") return;
        gesture.kind = "held";
        on.hold(point.x, point.y);
      }, HOLD);
    }
  });
  element.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId) || !gesture) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (gesture.kind === "pinch") {
      if (pointers.size >= 2 && gesture.from > 0) on.pinch(distance() / gesture.from, "move");
      return;
    }
    const dx = event.clientX - gesture.start.x;
    const dy = event.clientY - gesture.start.y;
    if (gesture.kind === "press" && Math.hypot(dx, dy) > SLOP) {
      clearTimeout(timer);
      gesture.kind = Math.abs(dx) > Math.abs(dy) ? "swipe" : on.exposes() ? "expose" : "none";
      if (gesture.kind === "expose") on.expose(0, "start");
    }
    if (gesture.kind === "expose") on.expose(dy, "move");
    if (gesture.kind === "swipe" && Math.abs(dx) >= SWIPE) {
      on.swipe(dx < 0 ? 1 : -1);
      gesture.kind = "none";
    }
  });
  function end(event) {
    if (!pointers.delete(event.pointerId) || !gesture) return;
    clearTimeout(timer);
    const { kind, start } = gesture;
    if (kind === "press" && event.type === "pointerup") on.tap(start.x, start.y);
    if (kind === "expose") on.expose(event.clientY - start.y, "end");
    if (kind === "pinch") on.pinch(1, "end");
    // The finger that is left of a pinch means nothing more.
    gesture = pointers.size ? { kind: "none" } : null;
  }
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener(
    "wheel",
    (event) => {
      if (!on.active()) return;
      event.preventDefault();
      on.wheel(event);
    },
    { passive: false },
  );
}
