// Taking photos and movies: what a press means in each mode, and what becomes of it.
import { isClip, patch } from "./camera-state.js";
import { tick } from "./haptics.js";
import { pressedAgo, secondsLeft } from "./timing.js";

/** Stops of a bracket's photos. */
const BRACKET = [-2, 0, 2];

/** @param {object} context `say(text)`: tells screen readers; `blink()`: the flash */
export function createShots({ store, client, gallery, say, blink }) {
  const camera = () => store.state.camera;
  /** By request: when its shutter was pressed (page's clock), how many photos come of it, how many are saved. */
  const orders = new Map();
  /** The burst while it lasts: `{ request, released }`. */
  let burst = null;
  let timer = 0;

  /** When the newest of those that are saved was taken. Files come in another order than photos. */
  let newest = [-1, 0];
  function isNewest(pressed, number) {
    const isNewer = pressed > newest[0] || (pressed === newest[0] && number > newest[1]);
    if (isNewer) newest = [pressed, number];
    return isNewer;
  }

  function failed(answer) {
    // The connection's own sign tells of a loss; what may have been lost with it does not.
    if (answer.type === "lost") store.update({
      problem: {
        message: "The connection was lost while something was being saved.",
        remedy: "Look in the photos: it may be there all the same.",
      },
    });
    else store.update({ problem: answer });
  }

  /**
   * Follows a request to its end; `saving` counts what is on its way. Returns the request's number, 0 if offline.
   *
   * @param {number|null} count photos that will come; null for a burst and a bracket, which tell when they end
   */
  function follow(action, fields, pressed, count) {
    let open = 0;
    const settle = (by) => {
      open += by;
      patch(store, { saving: Math.max(0, camera().saving + by) });
    };
    const request = client.ask(action, fields, (answer) => {
      const order = orders.get(request);
      const isBurst = burst?.request === request;
      if (answer.stage === "captured") {
        settle(1);
        patch(store, { shot: answer, ...(isBurst ? { burst: answer.number } : {}) });
      } else if (answer.stage === "saved") {
        if (open) settle(-1);
        order.done++;
        if (answer.photo && isNewest(order.pressed, answer.number ?? 1)) patch(store, { last: answer.photo });
        say(`Saved ${answer.name}`);
      } else if (answer.stage === "ended") {
        order.count = answer.count;
        if (isBurst) endBurst();
        say(answer.count === 1 ? "1 photo" : `${answer.count} photos`);
      } else {
        settle(-open);
        if (isBurst) endBurst();
        failed(answer);
      }
    });
    if (request) orders.set(request, { pressed, count, done: 0 });
    else failed({ type: "lost" });
    if (orders.size > 200) orders.delete(orders.keys().next().value);
    return request;
  }

  const ago = (pressed) => pressedAgo(pressed, performance.now());

  function shoot(mode, pressed) {
    blink();
    const several = mode === "bracket";
    const fields = { mode, pressedAgo: ago(pressed), ...(several ? { stops: BRACKET.join() } : {}) };
    follow("shoot", fields, pressed, several ? null : 1);
  }

  function startBurst(pressed) {
    patch(store, { burst: 0 });
    burst = { request: follow("burst-start", { pressedAgo: ago(pressed) }, pressed, null), released: false };
    if (!burst.request) endBurst();
  }
  function endBurst() {
    burst = null;
    patch(store, { burst: null });
  }

  function record(on) {
    if (!on) {
      client.say("record", { on: false });
      return;
    }
    patch(store, { recording: {} });
    const { sound, device } = camera();
    const sent = client.ask("record", { on: true, sound: sound && Boolean(device?.microphone) }, (answer) => {
      if (answer.type === "recording") return;
      patch(store, { recording: null });
      failed(answer);
    });
    if (sent) {
      say("Recording");
      return;
    }
    patch(store, { recording: null });
    failed({ type: "lost" });
  }

  function countdown() {
    if (camera().countdown !== null) {
      cancel();
      return;
    }
    const { timer: seconds } = camera();
    const start = performance.now();
    const step = () => {
      // Whoever leaves the camera takes no photo.
      if (store.state.mode !== "camera") return;
      const now = performance.now();
      const left = secondsLeft(seconds, start, now);
      if (left !== camera().countdown && left > 0) {
        patch(store, { countdown: left });
        say(String(left));
      }
      if (left > 0) {
        timer = setTimeout(step, Math.max(10, 1000 - ((now - start) % 1000)));
        return;
      }
      patch(store, { countdown: null });
      shoot("photo", performance.now());
    };
    step();
  }

  function cancel() {
    clearTimeout(timer);
    patch(store, { countdown: null });
  }

  return {
    /** The shutter was pressed at a time of the page's clock. */
    press(pressed) {
      const now = camera();
      tick(8);
      if (isClip(now)) shoot("photo", pressed);
      else if (now.mode === "video") record(!now.recording);
      else if (now.mode === "burst") startBurst(pressed);
      else if (now.mode === "timer") countdown();
      else shoot(now.mode, pressed);
    },
    release() {
      if (!burst || burst.released) return;
      burst.released = true;
      client.say("burst-stop");
    },
    cancel,
    /** Whether nothing more comes of a request after this `shot` message. */
    isLast({ request, stage, count }) {
      const order = orders.get(request);
      if (!order) return true;
      if (stage === "ended") return order.done >= count;
      return stage === "saved" && order.count !== null && order.done + 1 >= order.count;
    },
    /** How a recording goes, whoever began it. */
    recording(message) {
      if (!message.ended) {
        patch(store, { recording: message });
        return;
      }
      patch(store, { recording: null });
      if (message.name) {
        say(`Recorded ${message.name}`);
        const folder = store.state.welcome?.cameraFolder;
        store.update({ said: `Recorded ${message.name}${folder ? ` in ${folder}` : ""}` });
      }
      else if (message.problem && !store.state.problem) failed({ message: message.problem, remedy: "" });
    },
    /** A photo's thumbnail has come, before its file: it flies. */
    thumbnail(header, payload) {
      const { pressed } = orders.get(header.request) ?? { pressed: performance.now() };
      gallery.taken(header, payload, performance.now() - pressed);
    },
  };
}
