// The WebSocket: says hello, and comes back by itself after a loss.

const FIRST = 250;
const LONGEST = 4000;

/** Milliseconds to wait before retry number `attempt` (0, 1, …). */
export const retryDelay = (attempt) => Math.min(FIRST * 2 ** attempt, LONGEST);

/** Starts the worker that holds the connection. */
export const startLine = () => new Worker(new URL("./line.js", import.meta.url), { type: "module" });

/** What the worker is told to connect. */
export function connection(token) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const hello = JSON.stringify({ type: "hello", token, protocol: 1 });
  return { url: `${scheme}://${location.host}/api/v1/socket`, hello };
}

/**
 * @param {object} handlers `message(object)`, `binary(header, payload, received)`,
 *   `frame(header, surface, received, decoded)`: a picture, null if it could not be decoded; `state(connection)`;
 *   `stripes(count)`: in how many JPEGs this browser is fastest with a picture.
 *   Times are the page's, in milliseconds.
 * @param {object} [early] a worker that is connecting already, and what it said: `worker`, `heard`
 */
export function createSocket({ token, message, binary, frame, state, stripes, early = null }) {
  const worker = early?.worker ?? startLine();
  let isConnected = false;
  let isOpen = false;
  let attempt = 0;
  let refusals = 0;
  let timer = 0;
  let welcomed = false;

  function connect() {
    clearTimeout(timer);
    isConnected = true;
    isOpen = welcomed = false;
    worker.postMessage(connection(token()));
  }

  const sent = (object) => worker.postMessage({ text: JSON.stringify(object) });
  const onPage = (time) => time - performance.timeOrigin;

  const heard = {
    /** Only if the worker's file cannot be had. */
    failed: () => state("lost"),
    opened() {
      isOpen = true;
    },
    text({ text }) {
      const object = JSON.parse(text);
      if (object.type !== "welcome") {
        message(object);
        return;
      }
      welcomed = true;
      attempt = 0;
      refusals = 0;
      // The photo is opened again first: a view means nothing before.
      message(object);
      state("open");
    },
    binary: ({ header, payload, received }) => binary(header, payload, onPage(received)),
    frame: ({ header, surface, received, decoded }) => frame(header, surface, onPage(received), onPage(decoded)),
    stripes: ({ count }) => stripes(count),
    closed() {
      const wasOpen = isOpen;
      isConnected = isOpen = false;
      // Open, but closed before the welcome: the token is not this server's. Once may be chance.
      if (wasOpen && !welcomed && ++refusals >= 2) {
        state("refused");
        return;
      }
      welcomed = false;
      state("lost");
      timer = setTimeout(connect, retryDelay(attempt++));
    },
  };
  worker.onmessage = ({ data }) => heard[data.type](data);
  worker.onerror = () => heard.failed();

  // A machine that wakes or comes back online need not wait for the timer.
  const hurry = () => {
    if (!isConnected && refusals < 2 && timer && document.visibilityState === "visible") {
      attempt = 0;
      connect();
    }
  };
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);

  return {
    start() {
      refusals = 0;
      if (!early) {
        connect();
        return;
      }
      isConnected = true;
      const { heard: said } = early;
      early = null;
      said.forEach((data) => heard[data.type](data));
    },
    /** Ends the connection, until it is started again. */
    stop() {
      clearTimeout(timer);
      timer = 0;
      isConnected = isOpen = welcomed = false;
      worker.postMessage({ ends: true });
    },
    /** Sends a message; false if there is no connection to send it on. */
    send(object) {
      if (!isOpen || !welcomed) return false;
      sent(object);
      return true;
    },
  };
}
