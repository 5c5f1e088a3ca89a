// The buttons around the viewfinder: back, which camera, aids, looks, adjust, controls.
import { h, setAttribute, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { follow, isClip, patch } from "./camera-state.js";
import { toggleDrawer } from "./drawer.js";

export function cameraButton(name, label, key, run, extra = "") {
  return h(
    "button",
    {
      type: "button",
      class: `camera-button ${extra}`,
      title: key ? `${label} (${key})` : label,
      "aria-label": label,
      on: { click: run },
    },
    icon(name),
  );
}

export function createChrome({ store, client, compare, leave }) {
  const flip = (name) => () => patch(store, { [name]: !store.state.camera[name] });
  const back = cameraButton("back", "Photos", "Esc", () => leave());
  const source = h("button", {
    type: "button",
    class: "source-pill",
    title: "Camera and format (D)",
    on: { click: () => toggleDrawer(store, "source") },
  });
  const aids = {
    grid: cameraButton("thirds", "Thirds", "G", flip("grid")),
    level: cameraButton("level", "Level", "L", flip("level")),
    zebra: cameraButton("zebra", "Zebra", "Z", flip("zebra")),
    peaking: cameraButton("peaking", "Focus peaking", "P", flip("peaking")),
  };
  const scopes = cameraButton("scopes", "Scopes", "S", () =>
    store.update((s) => ({ scopes: { ...s.scopes, shown: !s.scopes.shown } })));
  const original = cameraButton("original", "Show the original while held", "\\", () => {});
  const split = cameraButton("split", "Split", "V", () => compare.toggleSplit());
  const aidsButton = cameraButton("more", "Aids", "", () => {
    const open = row.classList.toggle("open");
    setAttribute(aidsButton, "aria-expanded", open);
  }, "aids-button");
  setAttribute(aidsButton, "aria-expanded", false);
  const row = h(
    "div",
    { class: "camera-aids", role: "toolbar", "aria-label": "Aids" },
    ...Object.values(aids),
    scopes,
    h("span", { class: "bar-line" }),
    original,
    split,
  );
  const top = h("header", { class: "camera-top" }, back, source, h("span", { class: "spacer" }), row, aidsButton);

  const looks = cameraButton("looks", "Looks", "F", () => toggleDrawer(store, "looks"));
  const adjust = cameraButton("adjust", "Adjust", "E", () => toggleDrawer(store, "adjust"));
  const controls = cameraButton("controls", "Controls of the camera", "C", () => toggleDrawer(store, "controls"));
  const timer = h("button", {
    type: "button",
    class: "camera-button text",
    title: "Seconds (T)",
    on: { click: () => patch(store, { timer: store.state.camera.timer === 3 ? 10 : 3 }) },
  });
  const sound = cameraButton("mic", "Sound", "M", flip("sound"));
  const swap = cameraButton("flip", "Next camera", "N", () => next(), "swap");

  function next() {
    const list = client.cameras;
    const index = list.findIndex((one) => one.source === store.state.camera.device?.source);
    if (list.length > 1) client.choose(list[(index + 1) % list.length].source);
  }

  // Held, not pressed.
  const hold = (on) => () => compare.hold(on);
  original.addEventListener("pointerdown", hold(true));
  for (const type of ["pointerup", "pointerleave", "pointercancel", "blur"]) original.addEventListener(type, hold(false));
  original.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    compare.hold(true);
  });
  original.addEventListener("keyup", hold(false));
  original.addEventListener("contextmenu", (event) => event.preventDefault());

  follow(store, Object.keys(aids), (...on) => {
    Object.values(aids).forEach((button, index) => setAttribute(button, "aria-pressed", on[index]));
  });
  store.subscribe((s) => [s.scopes.shown, s.camera.compare], ([shown, kind]) => {
    setAttribute(scopes, "aria-pressed", shown);
    setAttribute(split, "aria-pressed", kind === "split");
    setAttribute(original, "aria-pressed", kind === "hold");
  });
  follow(store, ["drawer"], (drawer) => {
    setAttribute(looks, "aria-pressed", drawer === "looks");
    setAttribute(adjust, "aria-pressed", drawer === "adjust");
    setAttribute(controls, "aria-pressed", drawer === "controls");
    setAttribute(source, "aria-expanded", drawer === "source");
  });
  store.subscribe(
    (s) => [s.camera.device, s.camera.mode, s.camera.timer, s.camera.sound, s.camera.recording, s.welcome?.cameras],
    ([device, mode, seconds, on, recording, cameras]) => {
      const size = device?.width ? `${device.width} × ${device.height}` : "";
      source.replaceChildren(
        h("span", { class: "source-name" }, device?.name ?? "Camera"),
        h("span", { class: "source-size" }, size),
      );
      setAttribute(source, "aria-label", `Camera: ${device?.name ?? "none"}. Choose`);
      timer.hidden = mode !== "timer";
      setText(timer, `${seconds} s`);
      setAttribute(timer, "aria-label", `Timer: ${seconds} seconds. Change`);
      sound.hidden = mode !== "video" || !device?.microphone;
      sound.disabled = recording !== null;
      setAttribute(sound, "aria-pressed", on);
      sound.replaceChildren(icon(on ? "mic" : "mic-off"));
      swap.classList.toggle("absent", (cameras?.length ?? 0) < 2);
      swap.disabled = source.disabled = recording !== null;
      controls.hidden = isClip({ device });
    },
  );
  // A look that is on shows where it is chosen.
  store.subscribe((s) => s.edit.look !== null, (on) => looks.classList.toggle("marked", on));

  return { top, looks, adjust, controls, timer, sound, swap, next };
}
