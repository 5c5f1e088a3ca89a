// Focus and exposure where a finger points, the sun beside it, and the lock. Honest about what the camera can do.
import { h, setAttribute, setText, svg } from "../core/dom.js";
import { motionIsReduced, spring } from "../core/spring.js";
import { createPlace } from "../masks/place.js";
import { controlOf, follow, patch } from "./camera-state.js";
import { nearestChoice, parseRange, parseValue } from "./control-range.js";
import { MOST, draggedStops, stopsText } from "./exposure.js";
import { sensorPoint } from "./viewfinder-layout.js";
import { digitalPart } from "./zoom.js";

const STAYS = 1400;
/** A sentence is there for as long as it takes to read it. */
const STAYS_WITH_NOTE = 3000;
const RAYS =
  "M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1";
/** Room that the sun needs beside the square. */
const BESIDE = 84;

export function createFocus({ store, client, editor, stage, picture, say }) {
  const thumb = h(
    "span",
    { class: "sun-thumb" },
    svg(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("circle", { cx: 12, cy: 12, r: 4 }),
      svg("path", { d: RAYS }),
    ),
  );
  const stops = h("span", { class: "sun-stops" });
  const sun = h("div", { class: "sun" }, h("span", { class: "sun-track" }), thumb, stops);
  const square = h("div", { class: "focus-square" });
  const note = h("p", { class: "focus-note" });
  const element = h("div", { class: "focus", hidden: true, "aria-hidden": "true" }, square, sun, note);
  const banner = h("div", { class: "lock-banner", role: "status", hidden: true });
  let timer = 0;
  let fade = null;
  let point = null;
  let start = 0;
  let sendTimer = 0;
  let waits = null;

  const camera = () => store.state.camera;
  const can = (key) => controlOf(camera(), key) !== null;
  const holds = (key) => parseRange(controlOf(camera(), key)?.range).words.includes("locked");

  /** Stops that are set now, by the device or by the look. */
  function bias() {
    const { kind, control } = client.bias;
    if (kind === "driver") return parseValue(control.value)?.number ?? 0;
    const value = Number(store.state.edit.values.exposure ?? 0);
    return Math.min(MOST, Math.max(-MOST, value));
  }

  function drawSun(value) {
    const part = 0.5 - value / (2 * MOST);
    thumb.style.top = `${part * 100}%`;
    thumb.firstChild.style.rotate = `${(value / MOST) * 360}deg`;
    setText(stops, stopsText(value));
    stops.classList.toggle("changed", value !== 0);
  }

  function rest() {
    clearTimeout(timer);
    fade?.cancel();
    fade = null;
    timer = setTimeout(() => {
      if (camera().locked) return;
      fade = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 320 });
      fade.onfinish = () => (element.hidden = true);
    }, note.textContent ? STAYS_WITH_NOTE : STAYS);
  }

  function show(x, y, text) {
    clearTimeout(timer);
    fade?.cancel();
    element.hidden = false;
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    setAttribute(element, "data-sun", x + BESIDE > innerWidth ? "left" : "right");
    setText(note, text);
    drawSun(bias());
    if (motionIsReduced()) {
      square.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 200 });
    } else {
      square.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 80 });
      square.animate([{ transform: "scale(1.4)" }, { transform: "scale(1)" }], {
        duration: 220,
        easing: "cubic-bezier(.215, .61, .355, 1)",
      });
      square.animate([{ scale: 1 }, { scale: 0.94 }, { scale: 1 }], { duration: 320, delay: 220 });
    }
    rest();
  }

  function set(value) {
    drawSun(value);
    const { kind, control } = client.bias;
    if (kind === "look") {
      editor.setValue("exposure", value);
      return;
    }
    const { choices, span } = parseRange(control.range);
    const text = choices.length ? nearestChoice(choices, value) : span ? String(value) : null;
    if (text === null || text === waits) return;
    waits = text;
    // A driver takes a while for each: twenty a second are as many as are seen.
    sendTimer ||= setTimeout(() => {
      sendTimer = 0;
      client.control("ev", waits);
    }, 50);
  }

  follow(store, ["locked"], (locked) => {
    banner.hidden = !locked;
    if (!locked && !element.hidden) rest();
    if (!locked || motionIsReduced()) return;
    const { easing, duration } = spring(0.36, 0.82);
    banner.animate([{ translate: "-50% -48px", opacity: 0 }, { translate: "-50% 0", opacity: 1 }], {
      duration: duration * 1000,
      easing,
    });
  });
  // What another camera looks at is not what this one did.
  follow(store, ["started"], (started) => {
    if (!started) element.hidden = true;
  });

  const focus = {
    element,
    banner,
    get isShown() {
      return !element.hidden && fade === null;
    },
    /** A tap at a point of the window. */
    tap(x, y) {
      const rect = picture();
      if (!rect) return;
      if (camera().locked) {
        focus.release();
        return;
      }
      const { device } = camera();
      if (!device?.width) return;
      const { places } = stage.painter.frame?.header ?? {};
      if (!places) return;
      // The look may crop and turn what the sensor sees.
      const place = createPlace(places, { width: device.width, height: device.height }, rect);
      const seen = place.toMask({ x, y });
      point = sensorPoint(seen.x, seen.y, {
        zoom: digitalPart(camera().zoom, controlOf(camera(), "zoom")?.range),
        isMirrored: Boolean(device.isMirrored),
      });
      if (!point) return;
      const [focuses, exposes] = [can("focus-point"), can("exposure-point")];
      if (focuses || exposes) client.say("point", { ...point, focus: focuses, exposure: exposes });
      const text = focuses && exposes
        ? ""
        : focuses
          ? "Focus here; drag for exposure"
          : exposes
            ? "Exposure here"
            : "No focus points on this camera. Drag for exposure";
      show(x, y, text);
      say(text || "Focus and exposure here");
    },
    /** At the middle of the picture, for the keyboard. */
    middle() {
      const rect = picture();
      if (rect) focus.tap(rect.x + rect.width / 2, rect.y + rect.height / 2);
    },
    /** Keeps focus and exposure as they are, where the camera can. */
    lock(x, y) {
      const [focuses, exposes] = [holds("focus"), holds("exposure")];
      if (!focuses && !exposes) {
        show(x, y, "This camera cannot hold its focus or exposure");
        say("This camera cannot hold its focus or exposure");
        return;
      }
      focus.tap(x, y);
      client.say("lock", { on: true });
      setText(banner, focuses && exposes ? "AE/AF Lock" : exposes ? "AE Lock" : "AF Lock");
      patch(store, { locked: true });
    },
    release() {
      client.say("lock", { on: false });
      patch(store, { locked: false });
      say("Lock released");
    },
    toggleLock() {
      const rect = picture();
      if (camera().locked) focus.release();
      else if (rect) focus.lock(rect.x + rect.width / 2, rect.y + rect.height / 2);
    },
    /** A vertical drag, in CSS pixels from where it began. */
    drag(dy, phase) {
      if (phase === "start") {
        start = bias();
        store.update({ dragging: client.bias.kind === "look" ? "exposure" : null });
        element.classList.add("dragging");
      } else if (phase === "move") {
        clearTimeout(timer);
        set(draggedStops(start, dy));
      } else {
        element.classList.remove("dragging");
        store.update({ dragging: null });
        if (client.bias.kind === "look") editor.commit("Exposure");
        rest();
      }
    },
    /** Brighter or darker by the keyboard. */
    nudge(by) {
      const rect = picture();
      if (element.hidden && rect) show(rect.x + rect.width / 2, rect.y + rect.height / 2, "");
      const value = Math.min(MOST, Math.max(-MOST, Math.round((bias() + by) * 10) / 10));
      set(value);
      if (client.bias.kind === "look") editor.commitSoon("Exposure");
      say(`Exposure ${stopsText(value)}`);
      rest();
    },
  };
  return focus;
}
