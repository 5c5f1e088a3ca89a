// What the server says becomes state; what the page wants becomes messages.

/** @param {object} shown the photos that the filter lets through: see library/shown.js */
export function createSession(store, socket, editor, shown) {
  let request = 0;
  const waiting = new Map();
  const listeners = new Map();
  /** Decides what is opened after a welcome: see `opensFirst`. */
  let opener = () => false;
  let reconnecting = false;

  const session = {
    /** Opens a photo of the list. */
    open(photo) {
      if (photo === store.state.photo) return;
      editor.flush();
      // Before the state changes, and with it the view: the server takes the view of an open photo only.
      const near = shown.near(photo);
      socket.send({ type: "open", photo, ...(near ? { near } : {}) });
      store.update({
        photo,
        loading: true,
        problem: null,
        isGone: false,
        plan: null,
        // A drag across the picture is of a slider that was moved on it.
        active: null,
        notices: {},
        holding: false,
        dragging: null,
        mode: store.state.mode === "crop" ? "adjust" : store.state.mode,
        view: { mode: "fit", scale: 1, x: 0.5, y: 0.5 },
      });
    },
    /** The next photo of those shown, or the one before. */
    step(by) {
      const photo = shown.step(store.state.photo, by);
      if (photo !== null) session.open(photo);
    },
    newRequest: () => ++request,
    /**
     * Sends a message with a request number, of the photo that is open if it names none; `answer` gets each message that
     * carries the number. Returns the number, or 0 if offline.
     */
    ask(message, answer) {
      const id = ++request;
      waiting.set(id, answer);
      if (socket.send({ photo: store.state.photo, ...message, request: id })) return id;
      waiting.delete(id);
      return 0;
    },
    /**
     * Calls `run(message, answered)` for messages of a type, before the session; where it returns true, that was all.
     * `answered(last)` passes the message on to who asked; after the last one nobody waits for it any more.
     */
    listen(type, run) {
      listeners.set(type, [...(listeners.get(type) ?? []), run]);
    },
    /** `run(welcome, reconnecting)` may open something else than a photo, and then returns true. */
    opensFirst: (run) => (opener = run),
    connection(state) {
      if (state === "lost") {
        reconnecting = store.state.welcome !== null;
        // No answer will come: whoever waits is told, so that nothing spins for ever.
        for (const answer of waiting.values()) answer({ type: "lost" });
        waiting.clear();
      }
      store.update({ connection: state });
    },
    receive(message) {
      const pass = (last) => answered(message, last);
      if (listeners.get(message.type)?.some((run) => run(message, pass))) return;
      receivers[message.type]?.(message);
    },
  };

  function answered(message, last) {
    const answer = waiting.get(message.request);
    if (last) waiting.delete(message.request);
    answer?.(message);
    return answer !== undefined;
  }

  /** Photos of the list, and those that were in it once. */
  let listed = new Set();
  const known = new Set();
  store.subscribe((s) => s.welcome?.photos, (photos = []) => {
    listed = new Set(photos.map(({ photo }) => photo));
    for (const photo of listed) known.add(photo);
  });
  store.subscribe((s) => [s.welcome?.photos, s.photo], ([, photo]) => {
    store.update({ isGone: known.has(photo) && !listed.has(photo) });
  });

  const receivers = {
    welcome(message) {
      store.update({ welcome: message });
      editor.resendOthers();
      if (opener(message, reconnecting)) return;
      const known = message.photos.some(({ photo }) => photo === store.state.photo);
      if (reconnecting && known) socket.send({ type: "open", photo: store.state.photo });
      else {
        store.update({ photo: null });
        const first = message.open ?? message.photos[0]?.photo ?? null;
        if (first !== null) session.open(first);
      }
    },
    photo(message) {
      if (message.photo !== store.state.photo) return;
      editor.opened(message, reconnecting);
      reconnecting = false;
    },
    edited(message) {
      if (message.photo === store.state.photo) editor.edited(message);
      else editor.savedOther(message.photo);
    },
    plan(message) {
      if (message.photo === store.state.photo) store.update({ plan: message });
    },
    presets: ({ presets }) => store.update((s) => ({ welcome: { ...s.welcome, presets } })),
    kept: (message) => answered(message, true),
    auto: (message) => answered(message, true),
    estimate: (message) => answered(message, true),
    progress: (message) => answered(message, false),
    exported: (message) => answered(message, true),
    pasted: (message) => answered(message, true),
    "exported-all": (message) => answered(message, true),
    problem(message) {
      if (message.request !== null && answered(message, true)) return;
      if (message.photo && message.photo !== store.state.photo) return;
      if (message.request === null) editor.refused();
      store.update({ problem: message, loading: false });
    },
  };
  return session;
}
