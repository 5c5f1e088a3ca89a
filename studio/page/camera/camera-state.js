// What the page knows of the camera, and what each name means.

export const CAMERA = "camera";

export const initialCamera = () => ({
  /** The server's newest `camera` message, and its newest `live` one. */
  device: null,
  live: null,
  /** A frame was drawn since the camera was opened: before, the viewfinder is black. */
  started: false,
  /** The first frame has faded in: from then on frames may be handed to the browser as they are. */
  steady: false,
  /** photo, video, burst, bracket or timer; seconds of the timer; whether movies have sound. */
  mode: "photo",
  timer: 3,
  sound: true,
  /** What lies beside the viewfinder: null, looks, adjust, controls or source. */
  drawer: null,
  grid: false,
  level: false,
  zebra: false,
  peaking: false,
  /** none, hold or split: what is asked for. The original shows when its first frame is there. */
  compare: "none",
  zoom: 1,
  /** Focus and exposure are held. */
  locked: false,
  /** Seconds left of the timer, or null. */
  countdown: null,
  /** Photos of the burst that is being taken, or null. */
  burst: null,
  /** The newest `recording` message of the take, `{}` before the first, or null. */
  recording: null,
  /** Photos that are being saved; the newest `shot` message of a frame that was chosen. */
  saving: 0,
  shot: null,
  /** The photo taken last: its id. */
  last: null,
});

/** Changes part of the camera's state: `patch(store, { grid: true })`. */
export const patch = (store, changes) => store.update(({ camera }) => ({ camera: { ...camera, ...changes } }));

/** Runs with parts of the camera's state whenever one of them changes, and now. */
export const follow = (store, names, run) =>
  store.subscribe(({ camera }) => names.map((name) => camera[name]), (values) => run(...values));

export const isClip = ({ device }) => device?.kind === "clip";
export const isRunning = ({ device }) => device?.state === "running";

/** What a control of the driver can do, by its key (`ev`, `focus-point`); null where there is none. */
export function controlOf({ device }, key) {
  const control = device?.controls?.find((one) => one.key === key);
  return control?.supported ? control : null;
}
