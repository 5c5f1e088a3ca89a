// What the page and the server say to each other about the camera.
import { emptyEdit } from "../core/state.js";
import { CAMERA, controlOf, initialCamera, isClip, patch } from "./camera-state.js";

/** A page that nobody sees gives the camera back after so long (ms), unless it records. */
const HIDDEN = 5000;
/** For so long after a step of the zoom (ms) the server's word on it is old. */
const SETTLED = 600;

export function createCameraClient({ store, editor, session, socket, stage }) {
  const camera = () => store.state.camera;
  const say = (action, fields) => socket.send({ type: "camera", action, ...fields });
  const ask = (action, fields, answer) => session.ask({ type: "camera", photo: undefined, action, ...fields }, answer);
  let source = null;
  let format = null;
  /** The photo that was open before. */
  let before = null;
  let lastBefore = null;
  let away = false;
  let hiddenTimer = 0;

  const client = {
    say,
    ask,
    get cameras() {
      return store.state.welcome?.cameras ?? [];
    },
    /** Shows a camera: the one that is named, or the one of last time, or the first. */
    enter(wanted = null, wantedFormat = null) {
      const { welcome, mode, photo } = store.state;
      if (!welcome || !client.cameras.length) return;
      const known = client.cameras.some((one) => one.source === source);
      const next = wanted ?? (known ? source : client.cameras[0].source);
      if (next !== source) format = null;
      source = next;
      format = wantedFormat ?? format;
      if (mode !== "camera") {
        editor.flush();
        before = photo;
        lastBefore = camera().last;
        stage.painter.clear();
        const kept = camera();
        store.update({
          photo: CAMERA,
          info: null,
          edit: emptyEdit(),
          undo: 0,
          redo: 0,
          plan: null,
          problem: null,
          loading: false,
          frame: null,
          holding: false,
          dragging: null,
          compare: "off",
          view: { mode: "fit", scale: 1, x: 0.5, y: 0.5 },
          mode: "camera",
          room: "photo",
          camera: {
            ...initialCamera(),
            ...Object.fromEntries(KEPT.map((name) => [name, kept[name]])),
          },
        });
        // What had the keyboard is no longer there.
        stage.element.focus({ preventScroll: true, focusVisible: false });
      } else {
        patch(store, { device: null, live: null, started: false, zoom: 1, locked: false, compare: "none" });
        store.update({ compare: "off", holding: false, problem: null });
        stage.painter.clear();
      }
      open();
    },
    /** Another camera, or another format of this one. */
    choose: (next, nextFormat = null) => client.enter(next, nextFormat),
    /** Gives the camera back and shows a photo: the one that is named, or the one before. */
    leave(photo = null) {
      if (store.state.mode !== "camera") return;
      editor.flush();
      if (camera().recording) say("record", { on: false });
      say("close");
      // The server has forgotten what was seen of it.
      stage.forget();
      stage.painter.clear();
      const { welcome } = store.state;
      const known = (id) => welcome.photos.some((one) => one.photo === id);
      // Back to what was seen before, unless a photo was taken since: then to that one.
      const taken = camera().last !== lastBefore ? camera().last : null;
      const newest = welcome.photos.at(-1)?.photo;
      const next = [photo, taken, before, newest].find((id) => id && known(id)) ?? null;
      patch(store, { device: null, live: null, started: false, drawer: null, recording: null, countdown: null });
      store.update({
        mode: "adjust",
        photo: null,
        info: null,
        frame: null,
        compare: "off",
        holding: false,
        problem: null,
      });
      if (next) session.open(next);
    },
    /** After a new connection, or a press on "Try again". */
    open,
    zoom(factor) {
      patch(store, { zoom: factor });
      zoomSoon();
    },
    /** Sets a control of the driver; answered with a new `camera`, or a problem that is shown. */
    control: (key, value) => say("control", { key, value }),
    /** The device's own exposure bias where it has one, else the look's exposure. */
    get bias() {
      const control = controlOf(camera(), "ev");
      return control ? { kind: "driver", control } : { kind: "look" };
    },
    assist() {
      const { level, peaking, zebra, compare } = camera();
      say("assist", { level, peaking, zebra, compare });
    },
    receive(message) {
      const { mode } = store.state;
      if (mode !== "camera") return;
      const now = camera();
      const changes = { device: message };
      if (message.modes?.length && !message.modes.includes(now.mode) && !now.recording) changes.mode = message.modes[0];
      if (message.state === "running") source = message.source ?? source;
      // Of our own zoom the answer comes later than the next step.
      const mine = zoomWaits || performance.now() - zoomed < SETTLED;
      if (message.zoom && !mine) changes.zoom = message.zoom;
      // The picture that stood still when the camera went away is not one of the camera that came back.
      if (message.state === "opening") changes.started = false;
      patch(store, changes);
    },
    live: (message) => patch(store, { live: message }),
    /** A camera that cannot be opened says so where its picture would be; returns whether it was that. */
    refused({ photo, request, message, remedy }) {
      const { device } = camera();
      const opens = device === null || device.state === "opening";
      if (store.state.mode !== "camera" || photo !== CAMERA || request !== null || !opens) return false;
      patch(store, { device: { ...device, state: "failed", reason: message, remedy } });
      return true;
    },
    /** Cameras were connected or taken away. */
    connected: ({ cameras }) => store.update(({ welcome }) => ({ welcome: { ...welcome, cameras } })),
    /** The server's `welcome`: true if the camera is what is shown. */
    welcome(message, reconnecting) {
      if (store.state.mode === "camera") {
        patch(store, { device: null, started: false, saving: 0, burst: null, recording: null });
        open();
        return true;
      }
      if (reconnecting || message.start !== "camera" || !message.cameras?.length) return false;
      client.enter(message.cameras[0].source);
      return true;
    },
  };

  function open() {
    say("open", { source, ...(format === null ? {} : { format }) });
    client.assist();
  }

  // At most one zoom per animation frame.
  let zoomWaits = false;
  let zoomed = -Infinity;
  function zoomSoon() {
    if (zoomWaits) return;
    zoomWaits = true;
    requestAnimationFrame(() => {
      zoomWaits = false;
      zoomed = performance.now();
      say("zoom", { factor: Number(camera().zoom.toFixed(3)) });
    });
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiddenTimer);
    if (store.state.mode !== "camera") return;
    if (document.visibilityState === "hidden") {
      hiddenTimer = setTimeout(() => {
        if (camera().recording || isClip(camera())) return;
        away = true;
        say("close");
      }, HIDDEN);
    } else if (away) {
      away = false;
      stage.forget();
      open();
      stage.send();
    }
  });
  return client;
}

/** What stays as it was when the camera is shown again. */
const KEPT = ["timer", "sound", "grid", "level", "zebra", "peaking", "last"];
