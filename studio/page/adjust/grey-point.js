// The eyedropper of the white balance: a press on something grey in the picture finds the balance that makes it grey.
import { h, setAttribute } from "../core/dom.js";
import { icon } from "../core/icons.js";

/**
 * @param {object} parts `view`: where places of the photo are in what is shown, see masks/view.js
 * @returns `{ isOn, toggle(), stop(), button }`
 */
export function createGreyPoint({ store, session, editor, stage, view }) {
  const isOn = () => store.state.picksGrey && store.state.mode === "adjust" && store.state.room === "photo";
  const set = (on) => store.update({ picksGrey: on, ...(on ? { picking: null } : {}) });
  // On the picture, where people look.
  const say = (said) => store.update({ said });
  const toggle = () => {
    set(!store.state.picksGrey);
    say(store.state.picksGrey ? "Press something that is grey or white." : "");
  };

  stage.element.addEventListener("pointerdown", (event) => {
    if (!isOn() || event.button > 0 || event.target.closest("button, .floating")) return;
    const box = stage.element.getBoundingClientRect();
    const at = { x: event.clientX - box.left, y: event.clientY - box.top };
    const place = view.place();
    if (!place || !view.shows(at)) return;
    const { photo } = store.state;
    const { x, y } = place.toMask(at);
    const sent = session.ask({ type: "auto", kind: "grey-point", x, y }, (answer) => {
      // It may have been ended meanwhile.
      if (store.state.photo !== photo || !isOn()) return;
      say(answer.summary ?? answer.message ?? "");
      // Where there was nothing to be found, another place is pressed.
      if (answer.type !== "auto" || !answer.found) return;
      set(false);
      editor.flush();
      editor.setValues(answer.values, { dragging: false });
      editor.commit("White balance");
    });
    if (!sent) say("Not connected.");
  });

  const text = "Pick something grey in the photo (W)";
  const button = h(
    "button",
    { type: "button", class: "icon-button small", title: text, "aria-label": text, on: { click: toggle } },
    icon("pipette"),
  );
  store.subscribe((s) => [s.picksGrey, s.mode, s.room], ([picks, mode, room]) => {
    button.hidden = mode === "camera";
    setAttribute(button, "aria-pressed", picks);
    setAttribute(stage.element, "data-picks-grey", isOn() ? "" : null);
    // Other tools take the pointer for themselves.
    if (picks && (mode !== "adjust" || room !== "photo")) set(false);
  });
  store.subscribe((s) => s.picking, (picking) => picking !== null && set(false));
  store.subscribe((s) => s.photo, () => set(false));

  return {
    get isOn() {
      return isOn();
    },
    toggle,
    stop: () => set(false),
    button,
  };
}
