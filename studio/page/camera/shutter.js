// The shutter: a ring of 76, a fill of 60. It fires when it is pressed, not when it is let go.
import { h, setAttribute, setText } from "../core/dom.js";
import { motionIsReduced } from "../core/spring.js";
import { follow, isClip, isRunning } from "./camera-state.js";

const names = {
  photo: "Take a photo",
  video: "Record",
  burst: "Burst: hold",
  bracket: "Take a bracket",
  timer: "Take a photo with the timer",
};

/** @param {object} actions `press(time)`, `release()` */
export function createShutter(store, actions) {
  const count = h("span", { class: "shutter-count", "aria-hidden": "true" });
  const button = h(
    "button",
    { type: "button", class: "shutter", title: "Space" },
    h("span", { class: "shutter-ring" }),
    h("span", { class: "shutter-fill" }, count),
  );
  const flash = h("div", { class: "camera-flash", "aria-hidden": "true" });
  let pressed = false;

  function press(time) {
    if (pressed || button.disabled) return;
    pressed = true;
    button.classList.add("pressed");
    actions.press(time);
  }
  function release() {
    if (!pressed) return;
    pressed = false;
    button.classList.remove("pressed");
    actions.release();
  }

  button.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    event.preventDefault();
    // A burst goes on where the finger slides off the button.
    button.setPointerCapture(event.pointerId);
    press(event.timeStamp);
  });
  for (const type of ["pointerup", "pointercancel"]) button.addEventListener(type, release);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  // Assistive technology clicks without a pointer and without a key.
  button.addEventListener("click", (event) => {
    if (event.detail !== 0) return;
    press(event.timeStamp);
    release();
  });
  // The page's keys press it, also when it has the focus: not a second time on letting go.
  button.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && event.preventDefault());
  button.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());

  follow(
    store,
    ["mode", "recording", "burst", "countdown", "timer", "device"],
    (mode, recording, burst, countdown, timer, device) => {
      const state = recording ? "recording" : burst !== null ? "burst" : countdown !== null ? "countdown" : "ready";
      setAttribute(button, "data-mode", mode);
      setAttribute(button, "data-state", state);
      const name = isClip({ device }) ? "Save this frame" : names[mode];
      setAttribute(
        button,
        "aria-label",
        state === "recording" ? "Stop recording" : state === "countdown" ? "Cancel the timer" : name,
      );
      setAttribute(button, "aria-pressed", mode === "video" ? state === "recording" : null);
      const text = { burst: burst ? String(burst) : "", countdown: "×" }[state] ?? (mode === "timer" ? `${timer}` : "");
      setText(count, text);
    },
  );
  store.subscribe(
    (s) => isRunning(s.camera) && s.connection === "open",
    (ready) => (button.disabled = !ready),
  );

  return {
    element: button,
    flash,
    press,
    release,
    get isPressed() {
      return pressed;
    },
    /** White over everything, for 180 ms. */
    blink() {
      if (motionIsReduced()) return;
      flash.animate([{ opacity: 0 }, { opacity: 0.85, offset: 0.22 }, { opacity: 0 }], {
        duration: 180,
        easing: "ease-out",
      });
    },
  };
}
