// Puts the page together: store, connection, editor, and the parts that show them.
import { createPick } from "./adjust/bands/pick.js";
import { createAdjustPanel } from "./adjust/panel.js";
import { createAuto } from "./adjust/auto.js";
import { createGreyPoint } from "./adjust/grey-point.js";
import { createBar } from "./bar.js";
import { createCamera } from "./camera/camera.js";
import { createAPI } from "./core/api.js";
import { createClipboard } from "./core/clipboard.js";
import { createClock } from "./core/clock.js";
import { h, keepFocusOffButtons, setAttribute } from "./core/dom.js";
import { createEditor } from "./core/editor.js";
import { icon } from "./core/icons.js";
import { listenToKeys } from "./core/keys.js";
import { createSession } from "./core/session.js";
import { createSocket } from "./core/socket.js";
import { publishSprings } from "./core/spring.js";
import { emptyEdit, initialState } from "./core/state.js";
import { createSteps } from "./core/steps.js";
import { createStore } from "./core/store.js";
import { forgetToken, keepToken, takeToken } from "./core/token.js";
import { createCornerOverlay } from "./crop/corner-overlay.js";
import { createCropOverlay } from "./crop/overlay.js";
import { createCropPanel } from "./crop/crop-panel.js";
import { createCropTool } from "./crop/crop-tool.js";
import { createDial } from "./crop/dial.js";
import { createFilmstrip } from "./film/filmstrip.js";
import { inRoom } from "./library/keys.js";
import { createMarks } from "./library/marks.js";
import { createRooms } from "./library/rooms.js";
import { createShown } from "./library/shown.js";
import { createLookDrop } from "./looks/drop.js";
import { createLooks } from "./looks/looks.js";
import { createOwnLooks } from "./looks/own-looks.js";
import { createMasks } from "./masks/masks.js";
import { createHistogram } from "./scopes/histogram.js";
import { createScopes } from "./scopes/scopes.js";
import { createScreens } from "./screens.js";
import { copyText } from "./sheets/copy-button.js";
import { createExportSheet } from "./sheets/export-sheet.js";
import { createKeysSheet } from "./sheets/keys-sheet.js";
import { shortcuts } from "./shortcuts.js";
import { createAhead } from "./stage/ahead.js";
import { addCompare } from "./stage/compare.js";
import { showEarly } from "./stage/early.js";
import { createFrames } from "./stage/frames.js";
import { addGestures } from "./stage/gestures.js";
import { createHud } from "./stage/hud.js";
import { createProofLabel } from "./stage/proof.js";
import { createReadout } from "./stage/readout.js";
import { createSlide } from "./stage/slide.js";
import { createStage } from "./stage/stage.js";

publishSprings(document.documentElement);
const store = createStore(initialState());
const clock = createClock();
let token = takeToken();

// Connected already, or about to be: it holds all that was said.
const early = globalThis.safelightLine;
delete globalThis.safelightLine;
// What people look at goes first, for 300 ms at most: building the page is one long task, which would hold the picture up.
await Promise.race([early?.picture, new Promise((resume) => setTimeout(resume, 300))]);
const socket = createSocket({
  early,
  token: () => token,
  message: (message) => session.receive(message),
  binary: (header, payload) => binary[header.type]?.(header, payload),
  frame: (...frame) => frames.receive(...frame),
  state: (connection) => session.connection(connection),
  stripes: (stripes) => store.update({ stripes }),
});
const editor = createEditor(store, socket.send, clock);
const shown = createShown(store);
const session = createSession(store, socket, editor, shown);
const api = createAPI(() => token);
const stage = createStage(store, socket.send);
const tool = createCropTool({ store, editor, session, stage });
const histogram = createHistogram(store, stage);
const masks = createMasks({ store, editor, stage, histogram });
const auto = createAuto(store, session, editor);
const camera = createCamera({ store, editor, session, socket, stage, endTool: () => setMode("adjust") });
const clipboard = createClipboard(store, editor);
const looks = createLooks({ store, editor, socket });
const marks = createMarks({ store, session, send: socket.send });
const steps = createSteps({
  editor,
  marks,
  photo: () => store.state.photo,
  show: session.open,
  changed: (markSteps) => store.update({ markSteps }),
});
store.subscribe((s) => [s.photo, s.info, s.undo, s.redo], steps.tell);
const film = createFilmstrip({ store, session, socket, shown, marks });
const scopes = createScopes({ store, stage });
const pick = createPick({ store, stage });
const grey = createGreyPoint({ store, session, editor, stage, view: masks.view });
const panel = createAdjustPanel({ store, editor, auto, histogram, pick, grey });
const leaveTools = () => setMode(["crop", "masks"].includes(store.state.mode) ? "adjust" : store.state.mode);
const parts = { store, session, stage, editor, clipboard, shown, marks, steps, film, send: socket.send, leaveTools };
const rooms = createRooms({ ...parts, connection: { token: () => token } });
const screens = createScreens(store, (typed) => {
  token = typed;
  keepToken(typed);
  start();
}, () => camera.enter());

const ahead = createAhead();
const frames = createFrames({
  wanted: (header) => header.photo === store.state.photo,
  ahead: ahead.keep,
  show: (fresh) => stage.painter.show(fresh),
  acknowledge: (frame) => socket.send({ type: "drawn", frame }),
  failed: () => store.update({
    loading: false,
    problem: { message: "A picture from Safelight could not be read.", remedy: "Reload the page." },
  }),
  drawn: frameDrawn,
});
const binary = {
  thumbnail(header, payload) {
    if (header.kind === "look") {
      looks.thumbnail(header, payload);
      return;
    }
    camera.thumbnail(header, payload);
    // Of a photo that was just taken: its file is not in the list yet.
    if (header.kind === "shot") return;
    film.thumbnail(header, payload);
    rooms.library.thumbnail(header, payload);
  },
};

let shownLatency = null;
function frameDrawn(frame, time) {
  const { header } = frame;
  camera.drawn(frame, time);
  if (header.kind !== "edited") return;
  const entry = clock.drawn(frame, time);
  // The readout tells of the last drag, and keeps telling when it is over.
  if (!header.final && entry.isFirst) shownLatency = time - entry.input;
  if (header.view === stage.viewNumber) {
    // What was foreseen is here.
    if (store.state.mode === "crop") tool.frame(header);
    else stage.expect(null, null);
  }
  store.update({
    loading: false,
    frame: {
      full: header.full,
      // Above 100 % the page enlarges.
      zoom: stage.scale > 1 ? stage.scale : header.scaled.width / header.full.width,
      latency: shownLatency,
      sharp: header.final && header.view === stage.viewNumber && (header.input ?? 0) >= editor.lastInput,
    },
  });
  scopes.frame(header);
}

/** Adjust, looks, crop, masks, photos; leaving the crop tool by a tab is as good as "Done". */
function setMode(mode) {
  if (store.state.mode === "crop" && mode !== "crop") tool.done();
  if (mode === "crop") tool.enter();
  else if (mode === "masks") masks.tool.enter();
  else if (mode !== "done") store.update({ mode });
}

addCompare(stage, store);
addGestures(stage, store, {
  active: () => !["crop", "camera"].includes(store.state.mode),
  hold: (holding) => store.update({ holding }),
  drag: createSlide({ store, stage, session, sliderOf: (flag) => (flag === "look" ? looks : panel.control(flag))?.slider }),
  paints: () => masks.paints() || pick.isOn || grey.isOn,
});
createCropOverlay({ tool, stage, store });
createCornerOverlay({ tool, stage, store });
stage.element.append(
  scopes.element,
  createReadout(store),
  createHud(store, (flag) => editor.parameters.get(flag)),
  createProofLabel(store),
  ...screens.overStage,
);

const tabs = ["adjust", "looks", "crop", "masks", "photos"].map((mode) =>
  h(
    "button",
    { type: "button", role: "tab", class: `tab tab-${mode}`, on: { click: () => setMode(mode) } },
    icon(mode),
    h("span", {}, mode[0].toUpperCase() + mode.slice(1)),
  ),
);
const side = h(
  "aside",
  { class: "side", "aria-label": "Tools" },
  h("div", { class: "tabs", role: "tablist", "aria-label": "Tools" }, tabs),
  camera.adjustHead,
  h("div", { class: "side-body" }, panel.element, createCropPanel({ tool, store, session, editor }), masks.panel),
);
const dock = h("div", { class: "dock" }, looks.element, createDial({ tool, store }), rooms.markRow);
const tools = shortcuts({ store, steps, session, stage, tool, masks: masks.tool, pick, grey, scopes, clipboard, pasteParts: rooms.library.pasteParts, auto, setMode });
for (const part of document.querySelectorAll(".skeleton")) part.remove();
document.body.append(
  createBar({
    store,
    editor,
    steps,
    stage,
    clipboard,
    copyCommand: () => copyText(store.state.command ?? ""),
    library: rooms.inBar,
    openCamera: () => camera.enter(),
  }),
  stage.element,
  camera.element,
  dock,
  film.element,
  side,
  screens.element,
  ...rooms.elements,
  createExportSheet({ store, session, editor, batch: rooms.batch }),
  createOwnLooks({ store, session, api }),
  createLookDrop({ store, editor, api }).element,
  createKeysSheet(store, [...tools, ...rooms.keys, camera.keys]),
);
for (const part of [".bar", ".library-tools", ".crop-panel", ".masks-panel", ".dial", ".tabs", ".camera-top", ".camera-bottom"]) {
  keepFocusOffButtons(document.querySelector(part));
}
// The camera's keys come first: while it is shown they mean what they say there. Then the library's: in the grid and in the
// comparison the picture's tools have none.
const noKeys = () => store.state.sheet !== null || store.state.welcome === null;
listenToKeys([camera.keys, ...rooms.keys, ...inRoom(store, "photo", tools)], noKeys);

store.subscribe((s) => s.mode, (mode) => {
  document.body.dataset.mode = mode;
  tabs.forEach((tab) => setAttribute(tab, "aria-selected", tab.classList.contains(`tab-${mode}`)));
});
store.subscribe((s) => s.edit.groups.length, (count) => {
  const tab = tabs.find((one) => one.classList.contains("tab-masks"));
  tab.classList.toggle("used", count > 0);
  setAttribute(tab, "title", count > 0 ? `${count} ${count === 1 ? "mask" : "masks"}` : null);
});
store.subscribe((s) => s.photo, (photo) => {
  shownLatency = null;
  const frame = ahead.take(photo);
  if (frame) frames.recall(frame);
});
store.subscribe((s) => [s.photo, s.info], ([photo, info]) => {
  document.body.classList.toggle("waiting", !info || info.photo !== photo);
});
// After a new connection the server knows no view, and counts its frames anew.
store.subscribe((s) => s.connection, (connection) => {
  if (connection !== "open") {
    stage.forget();
    ahead.clear();
    return;
  }
  frames.restart();
  stage.send();
});
// Under the name of a photo that cannot be opened no other one is shown.
store.subscribe((s) => s.problem, (problem) => {
  const { info, photo } = store.state;
  if (!problem || info?.photo === photo) return;
  stage.painter.clear();
  store.update({ frame: null, info: null, edit: emptyEdit(), undo: 0, redo: 0, command: null });
});
// What still waits for its pause is saved when the page goes.
addEventListener("pagehide", () => editor.flush());

function start() {
  if (!token) {
    store.update({ connection: "no-token" });
    return;
  }
  store.update({ connection: "connecting" });
  socket.start();
}
store.subscribe((s) => s.connection, (connection) => connection === "refused" && forgetToken());
start();
showEarly(early?.picture, { store, stage, film });

/** For tests: the state, what edits it, what is on the canvas, and one entry for each frame drawn. */
window.safelightStudio = { store, editor, stage, camera, marks, ...rooms, latencies: clock.latencies };
