// A horizontal drag over a fitted picture: it moves the slider that was used last on this photo, or a finger goes on to the
// next photo.

/** CSS pixels that a finger moves before the photo is left. */
const SWIPE = 48;

/** @param sliderOf `(flag)`: the slider of a control, if it has one */
export function createSlide({ store, stage, session, sliderOf }) {
  /** `{ slider, from }`, or `{ swipes: true }` of a finger. */
  let drag = null;

  function begin(event) {
    const { active, mode, edit } = store.state;
    // Sliders are in sight in these.
    const slides = ["adjust", "looks"].includes(mode) && (active !== "look" || edit.look);
    const slider = slides ? sliderOf(active) : null;
    if (slider) {
      drag = { slider, from: slider.value };
      store.update({ dragging: active, sliding: true });
    } else drag = event.pointerType === "touch" && mode !== "masks" ? { swipes: true } : null;
    return drag !== null;
  }

  /** `(dx, phase, event)`: "start" (returns whether it means anything), "move", "end" or "cancel". */
  return function slide(dx, phase, event) {
    if (phase === "start") return begin(event);
    if (!drag) return false;
    const { slider, from, swipes } = drag;
    if (phase === "move") {
      slider?.nudge(from, dx / Math.max(320, stage.element.clientWidth * 0.6), event);
      return true;
    }
    drag = null;
    if (swipes) {
      if (phase === "end" && Math.abs(dx) > SWIPE) session.step(dx < 0 ? 1 : -1);
      return true;
    }
    store.update({ dragging: null, sliding: false });
    slider.commit();
    return true;
  };
}
