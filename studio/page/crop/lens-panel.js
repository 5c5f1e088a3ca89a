// The crop tool's lens: whether what the photo's own lens did is undone, which lens that is, and what of it is undone.
import { h, setAttribute, setText } from "../core/dom.js";
import { createWarpNote } from "./warp-note.js";
import { lensFlags } from "./warp.js";

export function createLensPanel({ tool, store, session }) {
  const name = h("p", { class: "lens-name" });
  const note = createWarpNote(lensFlags);
  const segments = [["off", "Off"], ["auto", "Auto"]].map(([choice, title]) =>
    h(
      "button",
      { type: "button", role: "radio", class: "segment", on: { click: () => choose(choice) } },
      title,
    ));
  const group = h("div", { class: "segments", role: "radiogroup", "aria-label": "Lens correction" }, segments);
  const element = h(
    "section",
    { class: "lens", "aria-label": "Lens" },
    h("div", { class: "section-head plain" }, h("h2", {}, "Lens")),
    h("div", { class: "crop-others" }, group, name),
    note.element,
  );
  const isOn = () => lensFlags.some((flag) => tool.draft.warp[flag] !== undefined);

  function choose(choice) {
    note.clear();
    if (choice === "auto") find();
    else if (isOn()) tool.setFound(Object.fromEntries(lensFlags.map((flag) => [flag, null])));
  }

  /** The lens that the photo names, as the command line finds it; why none is found is told. */
  function find() {
    const { photo } = store.state;
    const sent = session.ask({ type: "auto", kind: "lens" }, (answer) => {
      if (!tool.draft || store.state.photo !== photo) return;
      if (answer.type === "auto" && answer.found) {
        const values = Object.entries(answer.values).map(([flag, value]) => [flag, isNeutral(value) ? null : value]);
        tool.setFound(Object.fromEntries(values));
      }
      note.say(told(answer), tool.draft);
    });
    if (!sent) note.say("Not connected.", tool.draft);
  }

  group.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const index = (segments.indexOf(document.activeElement) + by + segments.length) % segments.length;
    segments[index].focus();
    choose(index === 0 ? "off" : "auto");
  });

  function show() {
    if (!tool.draft) return;
    note.show(tool.draft);
    const on = isOn();
    segments.forEach((segment, index) => {
      setAttribute(segment, "aria-checked", (index === 1) === on);
      segment.tabIndex = (index === 1) === on ? 0 : -1;
    });
    setText(name, on ? tool.draft.warp["lens-name"] ?? "By its numbers" : "");
    for (const segment of segments) segment.disabled = tool.corners !== null;
  }

  store.subscribe((s) => s.mode, (mode) => mode === "crop" && note.clear());
  tool.onChange(show);
  return element;
}

/** A centre in the middle, no name, no distortion, no light: as the engine writes what it leaves alone. */
const isNeutral = (value) => value === "" || value === "none" || value === "0,0";

/** What was found; of what is missing, also what to do about it. */
const told = ({ summary, message, remedy }) =>
  summary ?? ([message, remedy].filter(Boolean).map((text) => text.replace(/\.?$/, ".")).join(" ") || "Not connected.");
