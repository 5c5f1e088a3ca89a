// The mode pill: labels move beneath a mark in the middle, so that the chosen one is always in the same place.
import { h, setAttribute } from "../core/dom.js";
import { follow, isClip, patch } from "./camera-state.js";
import { indexAt, offsetFor, rubber } from "./pill-geometry.js";

const GAP = 28;
const SLOP = 5;
const titles = { photo: "Photo", video: "Video", burst: "Burst", bracket: "Bracket", timer: "Timer" };
/** The order of other cameras: movies to the left of photos. */
const ORDER = ["video", "photo", "burst", "bracket", "timer"];

export function createModes(store) {
  const row = h("div", { class: "mode-row" });
  const element = h(
    "div",
    { class: "mode-pill", role: "radiogroup", "aria-label": "Mode" },
    h("div", { class: "mode-window" }, row),
  );
  let modes = [];
  let labels = [];
  let drag = null;

  const widths = () => labels.map((label) => label.offsetWidth);
  const chosen = () => Math.max(0, modes.indexOf(store.state.camera.mode));
  const choose = (index) => {
    const { camera } = store.state;
    const mode = modes[Math.min(modes.length - 1, Math.max(0, index))];
    if (mode && mode !== camera.mode && !camera.recording && camera.countdown === null) patch(store, { mode });
  };

  function place() {
    if (!labels.length || !element.clientWidth) return;
    row.style.transform = `translateX(${element.clientWidth / 2 + offsetFor(widths(), GAP, chosen())}px)`;
  }

  function build(offered) {
    modes = ORDER.filter((mode) => offered.includes(mode));
    labels = modes.map((mode) =>
      h(
        "button",
        { type: "button", class: "mode", role: "radio", on: { click: () => drag?.moved || choose(modes.indexOf(mode)) } },
        titles[mode],
      ),
    );
    row.replaceChildren(...labels);
    // No glide on the first sight.
    row.classList.add("still");
    show();
    requestAnimationFrame(() => row.classList.remove("still"));
  }

  function show() {
    labels.forEach((label, index) => {
      setAttribute(label, "aria-checked", index === chosen());
      label.tabIndex = index === chosen() ? 0 : -1;
    });
    place();
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button > 0 || store.state.camera.recording) return;
    drag = { x: event.clientX, moved: false, start: offsetFor(widths(), GAP, chosen()), offset: 0 };
  });
  element.addEventListener("pointermove", (event) => {
    if (!drag || !(event.buttons & 1)) return;
    const dx = event.clientX - drag.x;
    if (!drag.moved && Math.abs(dx) <= SLOP) return;
    if (!drag.moved) element.setPointerCapture(event.pointerId);
    drag.moved = true;
    row.classList.add("still");
    drag.offset = rubber(widths(), GAP, drag.start + dx);
    row.style.transform = `translateX(${element.clientWidth / 2 + drag.offset}px)`;
  });
  const end = () => {
    if (drag?.moved) {
      row.classList.remove("still");
      choose(indexAt(widths(), GAP, drag.offset));
      place();
    }
    // The click that follows a drag is none.
    setTimeout(() => (drag = null), 0);
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);

  follow(store, ["device"], (device) => {
    const offered = device?.modes ?? [];
    if (offered.length && ORDER.filter((mode) => offered.includes(mode)).join() !== modes.join()) build(offered);
    // A camera that is being opened has not told yet.
    element.hidden = modes.length < 2 || isClip({ device });
  });
  follow(store, ["mode"], show);
  follow(store, ["recording", "countdown"], (recording, countdown) => {
    element.classList.toggle("away", recording !== null || countdown !== null);
    element.inert = recording !== null || countdown !== null;
  });
  new ResizeObserver(place).observe(element);

  return {
    element,
    /** The next mode, or the one before. */
    step(by) {
      const hadFocus = labels.includes(document.activeElement);
      choose(chosen() + by);
      if (hadFocus) labels[chosen()].focus();
    },
    choose: (mode) => modes.includes(mode) && choose(modes.indexOf(mode)),
  };
}
