// What stands where the picture would be: opening, taken by another program, unplugged, failed. And the small line.
import { h, setText } from "../core/dom.js";
import { follow } from "./camera-state.js";

/** A camera that opens at once needs no sign that it is opening (ms). */
const PATIENCE = 700;

/** @param {object} actions `retry()`, `choose()`: shows the cameras, `leave()` */
export function createStatus(store, { retry, choose, leave }) {
  const title = h("h2", {});
  const remedy = h("p", {});
  const again = h("button", { type: "button", class: "wide-button accent", on: { click: retry } }, "Try again");
  const other = h("button", { type: "button", class: "wide-button", on: { click: choose } }, "Cameras");
  const back = h("button", { type: "button", class: "wide-button", on: { click: leave } }, "Photos");
  const screen = h(
    "section",
    { class: "camera-screen", role: "status", "aria-label": "State of the camera", hidden: true },
    h("span", { class: "camera-screen-dot", "aria-hidden": "true" }),
    title,
    remedy,
    h("div", { class: "camera-screen-actions" }, again, other, back),
  );
  let timer = 0;

  function show(kind, heading, text) {
    screen.hidden = false;
    screen.dataset.kind = kind;
    setText(title, heading);
    setText(remedy, text);
    again.hidden = kind !== "failed";
    other.hidden = kind === "opening" || (store.state.welcome?.cameras.length ?? 0) < 2;
    back.hidden = kind !== "failed" || !store.state.welcome?.photos.length;
  }

  store.subscribe(
    (s) => [s.camera.device, s.camera.started, s.mode === "camera", s.connection],
    ([device, started, shown, connection]) => {
      clearTimeout(timer);
      const state = device?.state ?? "opening";
      if (!shown || connection !== "open") screen.hidden = true;
      else if (state === "interrupted") show("interrupted", device.reason, device.remedy ?? "");
      else if (state === "failed") show("failed", device.reason, device.remedy ?? "");
      else {
        screen.hidden = true;
        if (started) return;
        timer = setTimeout(() => show("opening", `Opening ${device?.name ?? "the camera"}…`, ""), PATIENCE);
      }
    },
  );

  // Frames a second, milliseconds from the sensor to the screen, what was lost, and how hard the machine works.
  const parts = [h("span", {}), h("span", {}), h("span", {}), h("span", { class: "pressure" })];
  const line = h("p", { class: "camera-line", "aria-hidden": "true" }, parts);
  let age = null;
  let shot = null;
  let shotTimer = 0;
  function write() {
    const { live, device } = store.state.camera;
    line.hidden = !live || device?.state !== "running";
    if (!live) return;
    const lost = typeof live.dropped === "number"
      ? live.dropped
      : Object.values(live.dropped ?? {}).reduce((sum, count) => sum + count, 0);
    setText(parts[0], `${(live.fps ?? 0).toFixed(0)} fps`);
    setText(parts[1], shot ?? `${(age ?? live.latency?.p50 ?? 0).toFixed(0)} ms`);
    setText(parts[2], lost ? `${lost} dropped` : "");
    const pressed = live.pressure && live.pressure !== "nominal";
    setText(parts[3], pressed ? `pressure ${live.pressure}` : "");
  }
  follow(store, ["live", "device"], write);
  // How old the frame was that a press took: for a moment, where the latency stands.
  follow(store, ["shot"], (taken) => {
    if (!taken || taken.latency === undefined) return;
    shot = `shutter ${taken.latency.toFixed(0)} ms`;
    write();
    clearTimeout(shotTimer);
    shotTimer = setTimeout(() => {
      shot = null;
      write();
    }, 1600);
  });

  return {
    screen,
    line,
    /** A frame was drawn: how old it was on the screen, smoothed. */
    frame(header, received, time) {
      if (header.age === undefined || header.age === null) return;
      const now = header.age + time - received;
      age = age === null ? now : age + (now - age) * 0.1;
    },
  };
}
