// Stars, flags and colours: shown at once, sent, and put back with a sentence if the server refuses them.
import { isNeutral, neutral } from "./filter.js";

/** Photos that one message may name. */
const MOST = 1000;
/** For so long the server's word on a photo may be older than what was sent. */
const SETTLING = 1500;
/** After a new connection the server names all marks within this time; what it does not name is gone. */
const RENEWAL = 2500;
const UNDOABLE = 500;

export const sameMark = (a, b) => a.rating === b.rating && a.flag === b.flag && a.color === b.color;

/**
 * @param {object} parts `store`; `session` for its messages; `send(message)`; `clock`: `now()` and `later(run, ms)`
 */
export function createMarks({ store, session, send, clock = browserClock }) {
  /** What the server said last. */
  const confirmed = new Map();
  /** What was sent and not yet confirmed: `{ want, since, isSent }`. */
  const pending = new Map();
  const requests = new Map();
  /** What photos had before: `[[photo, mark], …]` for each step back, and forward. */
  const history = [];
  const undone = [];
  const listeners = new Set();
  let unnamed = new Set();

  const own = () => store.state.marks.byPhoto;
  const of = (photo) => own().get(photo) ?? neutral;
  // The map is one and the same, which ten thousand photos ask for; what is new tells that it changed.
  const publish = () => store.update({ marks: { byPhoto: own() } });
  function put(photo, mark) {
    if (isNeutral(mark)) own().delete(photo);
    else own().set(photo, mark);
  }

  /** Sends what photos are to have, those with the same in one message. */
  function transmit(photos, patch) {
    for (let start = 0; start < photos.length; start += MOST) {
      const some = photos.slice(start, start + MOST);
      const request = session.newRequest();
      requests.set(request, some);
      if (requests.size > 500) requests.delete(requests.keys().next().value);
      const isSent = send({ type: "mark", request, photos: some, mark: patch });
      for (const photo of some) {
        const entry = pending.get(photo);
        if (entry) entry.isSent = isSent;
      }
    }
  }

  function apply(changes) {
    const time = clock.now();
    for (const [photo, mark] of changes) {
      put(photo, mark);
      pending.set(photo, { want: mark, since: time, isSent: false });
    }
    publish();
  }

  const marks = {
    of,
    /** Gives photos a part of a mark. Returns whether that changes anything. */
    set(photos, patch) {
      const before = photos.map((photo) => [photo, of(photo)]);
      const changes = before.map(([photo, mark]) => [photo, { ...mark, ...patch }])
        .filter(([photo, mark]) => !sameMark(mark, of(photo)));
      if (changes.length === 0) return false;
      const changed = new Set(changes.map(([photo]) => photo));
      history.push(before.filter(([photo]) => changed.has(photo)));
      if (history.length > UNDOABLE) history.shift();
      undone.length = 0;
      apply(changes);
      transmit([...changed], patch);
      for (const listener of listeners) listener();
      return true;
    },
    /** A colour is taken off again by its own key. */
    toggleColor(photos, color) {
      const all = photos.length > 0 && photos.every((photo) => of(photo).color === color);
      return marks.set(photos, { color: all ? "none" : color });
    },
    /** Takes the last marks back; returns the photos that they were given to. */
    undo: () => goBack(history, undone),
    /** Gives them again. */
    redo: () => goBack(undone, history),
    /** Calls `run()` whenever photos are given marks, but not when that is undone or done again. */
    listen: (run) => listeners.add(run),
  };

  function goBack(from, to) {
    const marked = from.pop() ?? [];
    if (marked.length === 0) return [];
    to.push(marked.map(([photo]) => [photo, of(photo)]));
    apply(marked);
    const alike = new Map();
    for (const [photo, mark] of marked) {
      const key = JSON.stringify(mark);
      if (!alike.has(key)) alike.set(key, { mark, photos: [] });
      alike.get(key).photos.push(photo);
    }
    for (const { mark, photos } of alike.values()) transmit(photos, mark);
    return marked.map(([photo]) => photo);
  }

  function accept(photo, mark) {
    pending.delete(photo);
    put(photo, mark);
  }

  session.listen("marks", (message) => {
    for (const [photo, mark] of Object.entries(message.marks)) {
      confirmed.set(photo, mark);
      unnamed.delete(photo);
      const waiting = pending.get(photo);
      const age = waiting ? clock.now() - waiting.since : Infinity;
      if (!waiting || sameMark(waiting.want, mark) || (waiting.isSent && age >= SETTLING)) {
        accept(photo, mark);
      } else if (waiting.isSent) {
        // It may be the answer to what was sent before this: the newest word counts once it has settled.
        clock.later(() => {
          if (pending.get(photo) !== waiting) return;
          accept(photo, confirmed.get(photo) ?? neutral);
          publish();
        }, SETTLING - age);
      }
    }
    publish();
    return true;
  });

  session.listen("problem", ({ request, photo, message, remedy }) => {
    const sent = requests.get(request);
    // One photo of those that were sent, or all of them; without a number, what is said of a photo that waits for it.
    const meant = photo ? [photo] : (sent ?? []);
    const refused = meant.filter((one) => pending.get(one)?.isSent);
    if (!sent && (request !== null || refused.length === 0)) return false;
    for (const one of refused) accept(one, confirmed.get(one) ?? neutral);
    publish();
    store.update({ problem: { message, remedy } });
    return true;
  });

  // The next server names all marks anew; others are gone. What it was never told is sent.
  session.listen("welcome", () => {
    unnamed = new Set(own().keys());
    clock.later(() => {
      for (const photo of unnamed) if (!pending.has(photo)) put(photo, neutral);
      for (const photo of unnamed) confirmed.delete(photo);
      unnamed = new Set();
      publish();
    }, RENEWAL);
    return false;
  });
  store.subscribe((s) => s.connection, (connection) => {
    if (connection !== "open") return;
    for (const [photo, { want }] of pending) transmit([photo], want);
  });
  return marks;
}

const browserClock = { now: () => performance.now(), later: (run, ms) => setTimeout(run, ms) };
