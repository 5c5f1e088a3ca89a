// Taking photos and movies: what a press means in each mode, and what becomes of it.
import { isClip, patch } from "./camera-state.js";
import { pressedAgo, secondsLeft } from "./timing.js";

/** @param {object} context `say(text)`: tells screen readers; `blink()`: the flash */
export function createShots({ store, client, gallery, say, blink }) {
  const camera = () => store.state.camera;
  /** When each request's shutter was pressed, on the page's clock. */
  const presses = new Map();
  /** The burst while it lasts: `{ request, released }`; the request of the take, 0 without one. */
  let burst = null;
  let take = 0;
  let timer = 0;

  function failed(answer) {
    const { problem } = answer;
    // The connection's own sign tells of a loss; what may have been lost with it does not.
    if (answer.type === "lost") store.update({
      problem: {
        message: "The connection was lost while something was being saved.",
        remedy: "Look in the photos: it may be there all the same.",
      },
    });
    else store.update({ problem: problem?.message ? problem : problem ? { message: problem, remedy: "" } : answer });
  }

  /** Follows a request to its end; `saving` counts what is on its way. Returns the request's number, 0 if offline. */
  function follow(action, fields, pressed) {
    let open = 0;
    const settle = (by) => {
      open += by;
      patch(store, { saving: Math.max(0, camera().saving + by) });
    };
    const end = () => {
      settle(-open);
      if (burst?.request !== request) return;
      burst = null;
      patch(store, { burst: null });
    };
    const request = client.ask(action, fields, (answer) => {
      if (answer.type === "shot" && answer.problem) {
        // One of several: the others go on.
        if (answer.number === undefined) end();
        else if (open) settle(-1);
        failed(answer);
      } else if (answer.stage === "captured") {
        settle(1);
        patch(store, { shot: answer, ...(burst?.request === request ? { burst: answer.number } : {}) });
      } else if (answer.stage === "saved") {
        if (open) settle(-1);
        patch(store, { last: answer.photo || camera().last });
        say(`Saved ${answer.name}`);
      } else if (answer.stage === "ended") {
        end();
        say(answer.count === 1 ? "1 photo" : `${answer.count} photos`);
      } else {
        end();
        failed(answer);
      }
    });
    if (request) presses.set(request, pressed);
    else failed({ type: "lost" });
    return request;
  }

  function shoot(mode, pressed) {
    blink();
    follow("shoot", { mode, pressedAgo: pressedAgo(pressed, performance.now()) }, pressed);
  }

  function startBurst(pressed) {
    patch(store, { burst: 0 });
    const fields = { mode: "burst", pressedAgo: pressedAgo(pressed, performance.now()) };
    burst = { request: follow("burst-start", fields, pressed), released: false };
    if (!burst.request) {
      burst = null;
      patch(store, { burst: null });
    }
  }

  function record(on) {
    if (!on) {
      client.say("record", { on: false, request: take });
      return;
    }
    patch(store, { recording: {} });
    const { sound, device } = camera();
    take = client.ask("record", { on: true, sound: sound && Boolean(device?.microphone) }, (answer) => {
      if (answer.type === "recording" && !answer.ended && !answer.problem) {
        patch(store, { recording: answer });
        return;
      }
      take = 0;
      patch(store, { recording: null });
      if (answer.type === "recording" && !answer.problem) say(`Recorded ${answer.name}`);
      else failed(answer);
    });
    if (take) say("Recording");
    else {
      patch(store, { recording: null });
      failed({ type: "lost" });
    }
  }

  function countdown() {
    if (camera().countdown !== null) {
      cancel();
      return;
    }
    const { timer: seconds } = camera();
    const start = performance.now();
    const step = () => {
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
      // A phone can be felt to have heard it; others have no such thing.
      navigator.vibrate?.(8);
      if (isClip(now)) shoot("photo", pressed);
      else if (now.mode === "video") record(!now.recording);
      else if (now.mode === "burst") startBurst(pressed);
      else if (now.mode === "timer") countdown();
      else shoot(now.mode, pressed);
    },
    release() {
      if (!burst || burst.released) return;
      burst.released = true;
      client.say("burst-stop", { request: burst.request });
    },
    cancel,
    /** A photo's thumbnail has come, before its file: it flies. */
    thumbnail(header, payload) {
      const pressed = presses.get(header.request) ?? performance.now();
      gallery.taken(header, payload, performance.now() - pressed);
      if (presses.size > 200) presses.delete(presses.keys().next().value);
    },
  };
}
