// The camera and all that shows it: over the stage, on which its frames are drawn like a photo's.
import { h, setAttribute, setText } from "../core/dom.js";
import { cameraKeys } from "./camera-keys.js";
import { CAMERA, follow, patch } from "./camera-state.js";
import { createChrome } from "./chrome.js";
import { createCameraClient } from "./client.js";
import { createClip } from "./clip.js";
import { createCameraCompare } from "./compare.js";
import { createControlsPanel } from "./controls-panel.js";
import { createDrawerHead } from "./drawer.js";
import { createFocus } from "./focus.js";
import { createGallery } from "./gallery.js";
import { addViewfinderGestures } from "./gestures.js";
import { createModes } from "./modes.js";
import { createOverlay } from "./overlay.js";
import { createRecording } from "./recording.js";
import { createShots } from "./shots.js";
import { createShutter } from "./shutter.js";
import { createSourcePanel } from "./source-panel.js";
import { createStatus } from "./status.js";
import { createZoom } from "./zoom-control.js";

/** Milliseconds that the first frame fades in, and a frame more. */
const FADE = 200;

/**
 * @param {object} context store, editor, session, socket, stage, and `endTool()`: ends the tool that is open
 * @returns `{ element, adjustHead, keys, enter(source), leave(photo), drawn(frame, time), thumbnail(header, payload) }`
 */
export function createCamera({ store, editor, session, socket, stage, endTool }) {
  const client = createCameraClient({ store, editor, session, socket, stage });
  const spoken = h("p", { class: "spoken", role: "status", "aria-live": "polite" });
  const say = (text) => setText(spoken, text);
  /** The picture's rectangle in CSS pixels of the window, or null. */
  const picture = () => {
    const rect = stage.painter.rect;
    if (!rect) return null;
    const { ratio } = store.state.canvas;
    const box = stage.canvas.getBoundingClientRect();
    return {
      x: box.left + rect.x / ratio,
      y: box.top + rect.y / ratio,
      width: rect.width / ratio,
      height: rect.height / ratio,
    };
  };
  const enter = (source) => {
    endTool();
    client.enter(source);
  };
  const leave = (photo) => client.leave(photo);

  const compare = createCameraCompare({ store, client });
  const gallery = createGallery({ store, socket, picture, open: () => leave(store.state.camera.last) });
  const shots = createShots({ store, client, gallery, say, blink: () => shutter.blink() });
  const shutter = createShutter(store, { press: shots.press, release: shots.release });
  const modes = createModes(store);
  const zoom = createZoom({ store, client, say });
  const focus = createFocus({ store, client, editor, stage, picture, say });
  const overlay = createOverlay({ store, stage });
  const recording = createRecording(store);
  const clip = createClip({ store, client, say });
  const chrome = createChrome({ store, client, compare, leave });
  const status = createStatus(store, {
    retry: () => client.enter(),
    choose: () => patch(store, { drawer: "source" }),
    leave,
  });
  const countdown = h("div", { class: "countdown", "aria-hidden": "true" });

  const element = h(
    "section",
    { class: "camera", "aria-label": "Camera" },
    h("h1", { class: "spoken" }, "Live camera"),
    overlay.element,
    focus.element,
    zoom.ring,
    countdown,
    status.screen,
    chrome.top,
    status.line,
    recording,
    focus.banner,
    h(
      "div",
      { class: "camera-bottom" },
      h(
        "div",
        { class: "camera-tools" },
        h("div", { class: "tools-side" }, chrome.looks, chrome.adjust),
        zoom.element,
        h("div", { class: "tools-side end" }, chrome.timer, chrome.sound, chrome.controls),
      ),
      clip.element,
      modes.element,
      h("div", { class: "shutter-row" }, gallery.element, shutter.element, chrome.swap),
    ),
    createControlsPanel({ store, client }),
    createSourcePanel({ store, client }),
    shutter.flash,
    spoken,
  );
  const keys = cameraKeys({
    store, client, shutter, shots, modes, zoom, focus, clip, compare, chrome, enter, leave,
  });

  addViewfinderGestures(stage.element, {
    active: () => store.state.mode === "camera",
    tap: focus.tap,
    hold: focus.lock,
    swipe: modes.step,
    exposes: () => focus.isShown,
    expose: focus.drag,
    pinch: zoom.pinch,
    wheel: zoom.wheel,
  });

  follow(store, ["countdown"], (left) => {
    setText(countdown, left === null ? "" : String(left));
    countdown.hidden = left === null;
  });
  store.subscribe((s) => [s.camera.drawer, s.mode === "camera"], ([drawer, shown]) => {
    document.body.dataset.drawer = shown && drawer ? drawer : "";
  });
  store.subscribe((s) => s.mode === "camera", (shown) =>
    setAttribute(stage.element, "aria-label", shown ? "Viewfinder" : "Photo"));
  let fade = 0;
  follow(store, ["started"], (started) => {
    clearTimeout(fade);
    if (started) fade = setTimeout(() => patch(store, { steady: true }), FADE);
    else patch(store, { steady: false });
  });
  // Black until the first frame, which then fades in.
  store.subscribe((s) => s.mode === "camera" && !s.camera.started, (black) =>
    stage.element.classList.toggle("black", black));
  follow(store, ["level", "peaking", "zebra"], () => client.assist());
  session.listen("camera", (message, answered) => {
    answered(true);
    client.receive(message);
  });
  session.listen("live", client.live);
  session.listen("cameras", client.connected);
  session.listen("shot", (message, answered) => {
    answered(shots.isLast(message));
  });
  session.listen("recording", (message, answered) => {
    answered(Boolean(message.ended));
    shots.recording(message);
  });
  session.listen("problem", client.refused);
  session.opensFirst(client.welcome);

  return {
    element,
    /** Above the adjust panel, while it lies beside the viewfinder. */
    adjustHead: createDrawerHead(store, "Adjust"),
    keys,
    enter,
    leave,
    /** A frame is on the screen. */
    drawn({ header, surface, received }, time) {
      if (header.photo !== CAMERA) return;
      if (header.kind === "original") {
        compare.original();
        return;
      }
      if (!store.state.camera.started) patch(store, { started: true });
      status.frame(header, received, time);
      clip.frame(header);
      overlay.frame(header, surface);
    },
    /** A thumbnail of a photo that was just taken, or of the newest one. */
    thumbnail(header, payload) {
      if (header.kind === "shot") shots.thumbnail(header, payload);
      else gallery.thumbnail(header, payload);
    },
  };
}
