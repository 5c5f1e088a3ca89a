// Wheel, pinch, drag, double click and hold on the picture.

const HOLD = 250;
const SLOP = 6;
const DOUBLE = 320;

/**
 * @param {object} actions `active()`: whether the stage takes gestures; `hold(bool)`;
 *   `drag(dx, phase)`: a horizontal drag over a fitted picture, false if it means nothing;
 *   `paints()`: whether a single pointer belongs to a brush, and only two of them to the stage
 */
export function addGestures(stage, store, actions) {
  const { element } = stage;
  const pointers = new Map();
  let gesture = null;
  let holdTimer = 0;
  let lastTap = { time: 0, x: 0, y: 0 };

  const zoomed = () => store.state.view.mode === "zoom";
  const overPicture = (point) => {
    const rect = stage.painter.rect;
    if (!rect) return false;
    const x = point.x - rect.x;
    const y = point.y - rect.y;
    return x >= 0 && x <= rect.width && y >= 0 && y <= rect.height;
  };

  function endHold() {
    clearTimeout(holdTimer);
    if (gesture?.holding) actions.hold(false);
  }

  function pinchState() {
    const [a, b] = [...pointers.values()];
    return {
      distance: Math.hypot(a.x - b.x, a.y - b.y),
      x: (a.x + b.x) / 2,
      y: (a.y + b.y) / 2,
    };
  }

  element.addEventListener("pointerdown", (event) => {
    if (!actions.active() || event.target.closest("button, .floating, .split-handle") || event.button > 0) return;
    element.setPointerCapture(event.pointerId);
    const point = stage.point(event);
    pointers.set(event.pointerId, point);
    if (pointers.size === 2) {
      endHold();
      gesture = { kind: "pinch", last: pinchState() };
      return;
    }
    if (pointers.size > 2) return;
    gesture = { kind: "press", start: { x: event.clientX, y: event.clientY, time: event.timeStamp }, last: point };
    if (overPicture(point) && !actions.paints()) {
      holdTimer = setTimeout(() => {
        if (gesture?.kind !== "press") return;
        gesture.holding = true;
        actions.hold(true);
      }, HOLD);
    }
  });

  element.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId) || !gesture) return;
    const point = stage.point(event);
    pointers.set(event.pointerId, point);
    if (gesture.kind === "pinch" && pointers.size >= 2) {
      const now = pinchState();
      if (now.distance > 0 && gesture.last.distance > 0) {
        stage.zoomTo(stage.scale * (now.distance / gesture.last.distance), now.x, now.y);
      }
      stage.pan(now.x - gesture.last.x, now.y - gesture.last.y);
      gesture.last = now;
      return;
    }
    const dx = event.clientX - gesture.start.x;
    const dy = event.clientY - gesture.start.y;
    if (actions.paints()) {
      gesture.last = point;
      return;
    }
    if (gesture.kind === "press") {
      if (gesture.holding || Math.hypot(dx, dy) <= SLOP) return;
      clearTimeout(holdTimer);
      if (zoomed()) gesture.kind = "pan";
      else if (Math.abs(dx) > Math.abs(dy) && actions.drag(0, "start", event)) gesture.kind = "slide";
      else gesture.kind = "none";
      element.classList.toggle("panning", gesture.kind === "pan");
    }
    if (gesture.kind === "pan") stage.pan(point.x - gesture.last.x, point.y - gesture.last.y);
    if (gesture.kind === "slide") actions.drag(dx, "move", event);
    gesture.last = point;
  });

  function end(event) {
    if (!pointers.delete(event.pointerId) || !gesture) return;
    const { kind, holding, start } = gesture;
    endHold();
    element.classList.remove("panning");
    if (kind === "slide") actions.drag(
      event.clientX - start.x,
      event.type === "pointercancel" ? "cancel" : "end",
      event,
    );
    if (kind === "press" && !holding && event.type === "pointerup" && !actions.paints()) tap(event);
    // One finger left of a pinch goes on as a pan, without a jump.
    gesture = pointers.size === 1 ? { kind: "pan", start: { x: 0, y: 0 }, last: [...pointers.values()][0] } : null;
  }
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);

  function tap(event) {
    const near = Math.hypot(event.clientX - lastTap.x, event.clientY - lastTap.y) < 24;
    if (event.timeStamp - lastTap.time < DOUBLE && near) {
      const point = stage.point(event);
      stage.toggleZoom(point.x, point.y);
      lastTap = { time: 0, x: 0, y: 0 };
    } else {
      lastTap = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    }
  }

  element.addEventListener(
    "wheel",
    (event) => {
      if (!actions.active()) return;
      event.preventDefault();
      // Lines and pages of a mouse's wheel in pixels; a trackpad's pinch comes as a wheel with Ctrl, in small steps.
      const unit = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1;
      const delta = Math.max(-240, Math.min(240, event.deltaY * unit));
      const point = stage.point(event);
      stage.zoomTo(stage.scale * Math.exp(-delta * (event.ctrlKey ? 0.01 : 0.0022)), point.x, point.y);
    },
    { passive: false },
  );
  // The keyboard's menu key still opens a menu; a long press on a phone must not.
  element.addEventListener("contextmenu", (event) => event.pointerType === "touch" && event.preventDefault());
}
