// While a movie is recorded: the time, how loud the sound is, what was lost.
import { h, setAttribute, setText } from "../core/dom.js";
import { bytes } from "../adjust/numbers.js";
import { follow } from "./camera-state.js";
import { heldPeak, meterPosition, meterZone } from "./meters.js";
import { clockText } from "./timing.js";

export function createRecording(store) {
  const time = h("span", { class: "rec-time" });
  const clock = h(
    "div",
    { class: "rec-clock", role: "timer", "aria-label": "Recording time" },
    h("span", { class: "rec-dot" }),
    time,
  );
  const meters = h("div", { class: "rec-meters", "aria-hidden": "true" });
  const facts = h("span", { class: "rec-facts" });
  const element = h("div", { class: "recording", hidden: true }, clock, meters, facts);
  let channels = [];
  let frame = 0;

  function build(count) {
    channels = Array.from({ length: count }, () => {
      const bar = h("span", { class: "meter-bar" });
      const peak = h("span", { class: "meter-peak" });
      return { element: h("span", { class: "meter" }, bar, peak), bar, peak, held: null, level: -Infinity };
    });
    meters.replaceChildren(...channels.map((channel) => channel.element));
    meters.hidden = count === 0;
  }

  function draw() {
    frame = 0;
    const now = performance.now();
    for (const channel of channels) {
      channel.held = heldPeak(channel.held, channel.level, now);
      channel.bar.style.scale = `${meterPosition(channel.level)} 1`;
      channel.peak.style.left = `${meterPosition(channel.held.value) * 100}%`;
      setAttribute(channel.element, "data-zone", meterZone(channel.level));
      setAttribute(channel.peak, "data-zone", meterZone(channel.held.value));
    }
    if (store.state.camera.recording && channels.length) frame = requestAnimationFrame(draw);
  }

  follow(store, ["recording"], (recording) => {
    element.hidden = recording === null;
    if (!recording) {
      cancelAnimationFrame(frame);
      frame = 0;
      build(0);
      return;
    }
    setText(time, clockText(recording.seconds ?? 0));
    const level = recording.level ?? [];
    if (level.length !== channels.length) build(level.length);
    level.forEach((value, index) => (channels[index].level = value ?? -Infinity));
    const lost = recording.dropped ?? 0;
    const told = [recording.bytes ? bytes(recording.bytes) : "", lost ? `${lost} dropped` : ""];
    setText(facts, told.filter(Boolean).join(" · "));
    facts.classList.toggle("lost", lost > 0);
    if (!frame) draw();
  });
  return element;
}
