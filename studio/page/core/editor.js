// Changes of the edit: shown at once, sent at most once per animation frame, saved as one step when a gesture ends.
import { merged, parametersByFlag, sameEdit, withValue, withValues } from "./edits.js";

export function createEditor(store, send, clock) {
  let input = 0;
  /** The newest input of the photo that is open; 0 before the first. */
  let newest = 0;
  let lastCommit = 0;
  /** A state that waits for the next frame: `{ dragging, time }`. */
  let waiting = null;
  let sentThisFrame = false;
  let commitTimer = 0;
  let pendingLabel = null;
  /** Commits that the server has not confirmed: what is sent again after a loss. */
  let unconfirmed = 0;
  /** The edit as the server saved it last: a gesture that ends there is no step. */
  let saved = store.state.edit;
  let lastLabel = "Edit";
  /** Steps that could not be sent, by photo: sent when the line is back, even if another photo is open by then. */
  const unsent = new Map();
  const listeners = new Set();

  /** Nothing is edited before its photo has arrived: the edit shown is still that of the one before. */
  const ready = () =>
    store.state.info !== null && store.state.info.photo === store.state.photo && !store.state.isGone;

  function message(type, { dragging, label, time }) {
    const { photo, edit } = store.state;
    const id = ++input;
    newest = id;
    if (type === "commit") lastCommit = id;
    clock.sent(id, time);
    const fields = type === "commit" ? { label } : { dragging };
    const sent = send({ type, photo, input: id, edit, ...fields });
    if (type === "commit" && !sent) unsent.set(photo, { edit, label });
    else if (type === "commit") unsent.delete(photo);
    return sent;
  }

  function flushWaiting() {
    sentThisFrame = false;
    if (!waiting) return;
    const { dragging, time } = waiting;
    waiting = null;
    sendEdit(dragging, time);
  }

  function sendEdit(dragging, time) {
    sentThisFrame = true;
    message("edit", { dragging, time });
    requestAnimationFrame(flushWaiting);
  }

  const editor = {
    get lastInput() {
      return newest;
    },
    get parameters() {
      return parameters();
    },
    /** What was just saved is counted when the server has answered; of a photo that has not arrived nothing is known. */
    get isUndoable() {
      if (store.state.isGone) return false;
      return !ready() || store.state.undo > 0 || unconfirmed > 0;
    },
    get isRedoable() {
      if (store.state.isGone) return false;
      return !ready() || store.state.redo > 0;
    },
    /** Shows an edit now and sends it; `commit` saves it. */
    change(edit, { dragging = true, time = performance.now() } = {}) {
      if (!ready()) return;
      store.update({ edit });
      // The first change of a frame goes at once: waiting for the frame would cost up to 16 ms.
      if (sentThisFrame) waiting = { dragging, time };
      else sendEdit(dragging, time);
    },
    setValue(flag, value, options) {
      const parameter = parameters().get(flag);
      if (parameter) editor.change(withValue(store.state.edit, parameter, value), options);
    },
    setValues(values, options) {
      editor.change(withValues(store.state.edit, values, parameters()), options);
    },
    /** Saves the newest state as one step of the history. */
    commit(label = lastLabel, time = performance.now(), isNew = true) {
      clearTimeout(commitTimer);
      pendingLabel = null;
      waiting = null;
      if (store.state.isGone && !sameEdit(saved, store.state.edit)) {
        // It is saved when the photo is back, and opened.
        unsent.set(store.state.photo, { edit: store.state.edit, label });
      }
      if (!ready()) return;
      if (sameEdit(saved, store.state.edit)) {
        // A gesture that came back: nothing to save, but the sharp frame is wanted.
        message("edit", { dragging: false, time });
        return;
      }
      lastLabel = label;
      saved = store.state.edit;
      unconfirmed++;
      message("commit", { label, time });
      if (isNew) for (const listener of listeners) listener(store.state.photo);
    },
    /** Saves after a pause, so that ten key presses are one step. */
    commitSoon(label, delay = 400) {
      clearTimeout(commitTimer);
      pendingLabel = label;
      commitTimer = setTimeout(() => editor.commit(label), delay);
    },
    /** Saves what still waits for its pause. */
    flush() {
      if (pendingLabel !== null) editor.commit(pendingLabel);
    },
    /** Changes and saves in one message. */
    apply(edit, label) {
      if (!ready()) return;
      editor.flush();
      store.update({ edit });
      editor.commit(label);
    },
    /** Asks for the step before; returns whether there is one. */
    undo() {
      if (store.state.isGone) return false;
      editor.flush();
      // What was just saved is counted when the server has answered.
      const isThere = store.state.undo > 0 || unconfirmed > 0;
      return isThere && !store.state.dragging && send({ type: "undo", photo: store.state.photo });
    },
    redo() {
      if (store.state.isGone) return false;
      editor.flush();
      return store.state.redo > 0 && !store.state.dragging && send({ type: "redo", photo: store.state.photo });
    },
    /** Calls `run(photo)` with each step that is saved. */
    listen: (run) => listeners.add(run),

    /** After a loss: steps of photos that are no longer open. The open one's is sent when it has arrived. */
    resendOthers() {
      for (const [photo, { edit, label }] of unsent) {
        if (photo === store.state.photo) continue;
        send({ type: "commit", photo, input: ++input, edit, label });
      }
    },

    /** The server saved a step of another photo. */
    savedOther: (photo) => unsent.delete(photo),

    /** The server's word on a step. Newer states of ours stay. */
    edited(message) {
      // A server that names the step's input settles it; otherwise steps are answered in their order.
      const ours = message.input === undefined ? unconfirmed > 0 : message.input !== null;
      if (ours) unconfirmed = message.input === undefined ? unconfirmed - 1 : Number(message.input < lastCommit);
      const patch = { undo: message.undo, redo: message.redo, command: message.command ?? null };
      if (!ours) {
        // In the middle of a drag, what another tab has changed comes to what is dragged.
        const isBusy = store.state.dragging !== null || pendingLabel !== null;
        patch.edit = isBusy ? merged(saved, store.state.edit, message.edit) : message.edit;
        saved = message.edit;
      }
      store.update(patch);
    },
    /** The server could not take a step: it will confirm none. */
    refused() {
      unconfirmed = 0;
    },
    /** A photo was opened, or another tab changed it. */
    opened(message, reconnected) {
      const { state } = store;
      const samePhoto = state.info?.photo === message.photo;
      newest = 0;
      const missed = samePhoto ? undefined : unsent.get(message.photo);
      const patch = { info: message, undo: message.undo, redo: message.redo, command: message.command ?? null };
      const busy = unconfirmed > 0 || pendingLabel !== null || state.dragging !== null || waiting !== null;
      const newer = samePhoto && busy;
      if (newer && (reconnected || !message.changed)) {
        // What was done while the line was down is saved now.
        store.update(patch);
        saved = message.edit;
        // A step that is sent again was counted when it was made.
        const isNew = unconfirmed === 0 || pendingLabel !== null;
        unconfirmed = 0;
        if (state.dragging) editor.change(state.edit);
        else editor.commit(pendingLabel ?? lastLabel, performance.now(), isNew);
        return;
      }
      if (samePhoto && (state.dragging || pendingLabel !== null)) {
        store.update({ ...patch, edit: merged(saved, state.edit, message.edit) });
        saved = message.edit;
        return;
      }
      clearTimeout(commitTimer);
      pendingLabel = null;
      waiting = null;
      unconfirmed = 0;
      saved = message.edit;
      store.update({ ...patch, edit: missed?.edit ?? message.edit });
      if (missed) editor.commit(missed.label, performance.now(), false);
    },
  };

  let filters = null;
  let byFlag = new Map();
  function parameters() {
    if (store.state.welcome && store.state.welcome.filters !== filters) {
      filters = store.state.welcome.filters;
      byFlag = parametersByFlag(filters);
    }
    return byFlag;
  }
  return editor;
}
