// A clip as the source: play, pause, and a place in it.
import { h, setAttribute, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { follow, isClip } from "./camera-state.js";
import { clockText } from "./timing.js";

export function createClip({ store, client, say }) {
  const play = h("button", { type: "button", class: "camera-button", title: "Space", on: { click: toggle } });
  const range = h("input", { type: "range", class: "scrubber", min: 0, step: "any", "aria-label": "Place in the clip" });
  const text = h("span", { class: "clip-time" });
  const element = h("div", { class: "clip-bar", hidden: true }, play, range, text);
  let position = 0;
  let paused = false;
  let scrubbing = false;
  let waits = 0;

  const device = () => store.state.camera.device;

  function toggle() {
    paused = !paused;
    client.say("pause", { on: paused });
    show();
    say(paused ? "Paused" : "Playing");
  }
  function seek(seconds) {
    position = Math.min(device().duration ?? 0, Math.max(0, seconds));
    show();
    // One message an animation frame: the newest place is the one that is wanted.
    if (waits) return;
    waits = requestAnimationFrame(() => {
      waits = 0;
      client.say("seek", { seconds: position });
    });
  }
  function show() {
    const duration = device()?.duration ?? 0;
    play.replaceChildren(icon(paused ? "play" : "pause"));
    setAttribute(play, "aria-label", paused ? "Play" : "Pause");
    range.max = duration;
    if (!scrubbing) range.value = position;
    range.style.setProperty("--part", duration ? position / duration : 0);
    const label = `${clockText(position)} of ${clockText(duration)}`;
    setAttribute(range, "aria-valuetext", label);
    setText(text, `${clockText(position)} / ${clockText(duration)}`);
  }
  range.addEventListener("pointerdown", () => (scrubbing = true));
  range.addEventListener("pointerup", () => (scrubbing = false));
  range.addEventListener("pointercancel", () => (scrubbing = false));
  range.addEventListener("input", () => seek(Number(range.value)));
  range.addEventListener("keydown", (event) => event.key.startsWith("Arrow") && event.preventDefault());

  follow(store, ["device"], (now) => {
    element.hidden = !isClip({ device: now });
    if (element.hidden) return;
    paused = now.paused ?? paused;
    range.disabled = !now.seekable;
    show();
  });

  return {
    element,
    toggle,
    seekBy: (seconds) => device()?.seekable && seek(position + seconds),
    frame(header) {
      if (header.position === undefined || header.position === null || scrubbing || waits) return;
      position = header.position;
      show();
    },
  };
}
