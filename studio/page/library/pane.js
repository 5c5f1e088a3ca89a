// One of two photos that are compared: a stage with a connection of its own, since a connection shows one photo.
import { createSocket } from "../core/socket.js";
import { initialState } from "../core/state.js";
import { createStore } from "../core/store.js";
import { createAhead } from "../stage/ahead.js";
import { createFrames } from "../stage/frames.js";
import { addGestures } from "../stage/gestures.js";
import { createStage } from "../stage/stage.js";

/**
 * @param {object} parts `token()`; `stripes`: the most JPEGs of a frame, if known; `label` for screen readers; `moved(view)`: the view has changed
 */
export function createPane({ token, stripes, label, moved }) {
  const store = createStore({ ...initialState(), stripes });
  let isConnected = false;

  const receivers = {
    welcome: (message) => store.update({ welcome: message }),
    photo(message) {
      if (message.photo === store.state.photo) store.update({ info: message });
    },
    problem({ photo, message, remedy }) {
      if (photo && photo !== store.state.photo) return;
      stage.painter.clear();
      store.update({ problem: { message, remedy }, loading: false, frame: null });
    },
  };
  const socket = createSocket({
    token,
    message: (message) => receivers[message.type]?.(message),
    binary: () => {},
    frame: (...frame) => frames.receive(...frame),
    stripes: (count) => store.update({ stripes: count }),
    state(connection) {
      isConnected = connection === "open";
      store.update({ connection });
      if (!isConnected) {
        stage.forget();
        ahead.clear();
        return;
      }
      frames.restart();
      if (store.state.photo !== null) socket.send({ type: "open", photo: store.state.photo });
      stage.send();
    },
  });
  const stage = createStage(store, socket.send, { name: "div", label, id: null });
  const ahead = createAhead();
  const frames = createFrames({
    ahead: ahead.keep,
    wanted: (header) => header.photo === store.state.photo,
    show: (fresh) => stage.painter.show(fresh),
    acknowledge: (frame) => socket.send({ type: "drawn", frame }),
    failed: () => store.update({ problem: { message: "A picture could not be read.", remedy: "Reload the page." } }),
    drawn({ header }) {
      if (header.kind !== "edited") return;
      store.update({
        loading: false,
        problem: null,
        frame: {
          full: header.full,
          zoom: stage.scale > 1 ? stage.scale : header.scaled.width / header.full.width,
          latency: null,
          sharp: header.final && header.view === stage.viewNumber,
        },
      });
    },
  });
  addGestures(stage, store, {
    active: () => true,
    hold: (holding) => store.update({ holding }),
    drag: () => false,
    paints: () => false,
  });
  store.subscribe((s) => s.view, moved);

  return {
    element: stage.element,
    stage,
    store,
    get photo() {
      return store.state.photo;
    },
    /** Shows a photo, in the view that is now; null for none. */
    show(photo) {
      if (photo === store.state.photo) return;
      stage.painter.clear();
      if (photo !== null && isConnected) socket.send({ type: "open", photo });
      store.update({ photo, info: null, frame: null, problem: null, loading: photo !== null, holding: false });
      const frame = photo === null ? null : ahead.take(photo);
      if (frame) frames.recall(frame);
    },
    setView: (view) => store.update({ view }),
    start: socket.start,
    stop() {
      socket.stop();
      ahead.clear();
      isConnected = false;
      stage.forget();
      stage.painter.clear();
      store.update({ photo: null, info: null, frame: null, problem: null, loading: false });
    },
  };
}
