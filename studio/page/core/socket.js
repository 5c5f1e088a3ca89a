// The WebSocket: says hello, and comes back by itself after a loss.
import { parseBinary } from "./binary.js";

const FIRST = 250;
const LONGEST = 4000;

/** Milliseconds to wait before retry number `attempt` (0, 1, …). */
export const retryDelay = (attempt) => Math.min(FIRST * 2 ** attempt, LONGEST);

/**
 * @param {object} handlers `message(object)`, `binary(header, payload, received)`, `state(connection)`
 */
export function createSocket({ url, token, message, binary, state }) {
  let socket = null;
  let attempt = 0;
  let refusals = 0;
  let timer = 0;
  let welcomed = false;
  let ended = false;

  function connect() {
    clearTimeout(timer);
    const current = new WebSocket(url);
    let opened = false;
    socket = current;
    welcomed = false;
    current.binaryType = "arraybuffer";
    current.onopen = () => {
      opened = true;
      current.send(JSON.stringify({ type: "hello", token: token(), protocol: 1 }));
    };
    current.onmessage = (event) => {
      if (typeof event.data !== "string") {
        const { header, payload } = parseBinary(event.data);
        binary(header, payload, performance.now());
        return;
      }
      const object = JSON.parse(event.data);
      if (object.type === "welcome") {
        welcomed = true;
        attempt = 0;
        refusals = 0;
        // The photo is opened again first: a view means nothing before.
        message(object);
        state("open");
        return;
      }
      message(object);
    };
    current.onclose = () => {
      if (socket !== current || ended) return;
      socket = null;
      // Open, but closed before the welcome: the token is not this server's. Once may be chance.
      if (opened && !welcomed && ++refusals >= 2) {
        state("refused");
        return;
      }
      state("lost");
      timer = setTimeout(connect, retryDelay(attempt++));
    };
  }

  // A machine that wakes or comes back online need not wait for the timer.
  const hurry = () => {
    if (!socket && !ended && document.visibilityState === "visible") {
      attempt = 0;
      connect();
    }
  };
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);

  return {
    start() {
      refusals = 0;
      ended = false;
      connect();
    },
    /** Sends a message; false if there is no connection to send it on. */
    send(object) {
      if (!socket || socket.readyState !== WebSocket.OPEN || !welcomed) return false;
      socket.send(JSON.stringify(object));
      return true;
    },
  };
}
