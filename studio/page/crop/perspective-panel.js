// The crop tool's perspective: upright lines by themselves or by hand, and four corners that become the picture's.
import { createControl } from "../adjust/control.js";
import { h } from "../core/dom.js";
import { quiet } from "../masks/field.js";
import { createWarpNote } from "./warp-note.js";
import { perspectiveFlags } from "./warp.js";

const UPRIGHT = [
  ["auto", "Auto", "Upright lines where that is sure; else only the horizon"],
  ["vertical", "Vertical", "Upright lines, and the horizon with them"],
  ["level", "Level", "Only the horizon"],
  ["full", "Full", "Upright lines, the horizon, and the level lines that are seen best"],
];
const CONTROLS = ["keystone-vertical", "keystone-horizontal", "keystone-focal-length", "perspective-proportions"];
const TITLES = {
  "keystone-focal-length": "Focal length",
  "perspective-proportions": "Proportions of the corners",
};

const noCorners = { perspective: null, "perspective-proportions": null };

export function createPerspectivePanel({ tool, store, session, editor }) {
  const note = createWarpNote(perspectiveFlags);
  const upright = h(
    "div",
    { class: "segments", role: "group", "aria-label": "Upright" },
    UPRIGHT.map(([kind, title, help]) =>
      h(
        "button",
        { type: "button", class: "segment", title: help, on: { click: () => find(kind) } },
        title,
      )),
  );
  const button = (style, title, click) => h("button", { type: "button", class: style, on: { click } }, title);
  const pick = button("pill-button", "Four corners", () => tool.pickCorners());
  const remove = button("quiet", "Remove", () => tool.setFound(noCorners));
  const take = button("pill-button", "Straighten them", () => tool.takeCorners());
  const leave = button("quiet", "Back", () => tool.leaveCorners());
  const help = h("p", { class: "notice" }, "Drag the corners onto those of something flat and rectangular.");
  const body = h("div", {});
  const corners = h("div", { class: "corner-row" }, pick, remove, take, leave);
  const element = h(
    "section",
    { class: "perspective", "aria-label": "Perspective" },
    h("div", { class: "section-head plain" }, h("h2", {}, "Perspective")),
    h(
      "div",
      { class: "crop-others" },
      h("div", { class: "control-head" }, h("span", { class: "control-name" }, "Upright")),
      upright,
    ),
    h("div", { class: "crop-others" }, body),
    help,
    corners,
    // Beneath what can be dragged: a sentence that comes must move nothing that is aimed at.
    note.element,
  );
  let controls = [];

  // Within the tool a change is part of the draft: it is saved with "Done".
  const draftEditor = {
    setValue(flag, value, options) {
      tool.setWarp(flag, value === "" ? null : meant(flag, value), options);
    },
    commit() {},
    commitSoon() {},
  };

  /** A value; null where it is neutral. */
  const meant = (flag, value) => (String(value) === String(editor.parameters.get(flag)?.neutral) ? null : value);

  /** The command line's own analysis; where it abstains, its sentence is shown. */
  function find(kind) {
    const { photo } = store.state;
    const sent = session.ask({ type: "auto", kind: `upright-${kind}` }, (answer) => {
      if (!tool.draft || tool.corners || store.state.photo !== photo) return;
      if (answer.type === "auto" && answer.found) {
        const { straighten, ...warp } = answer.values;
        const found = Object.fromEntries(Object.entries(warp).map(([flag, value]) => [flag, meant(flag, value)]));
        tool.setFound({ ...found, straighten }, answer.evidence);
      }
      note.say(answer.summary ?? answer.message ?? "Not connected.", tool.draft);
    });
    if (!sent) note.say("Not connected.", tool.draft);
  }

  function build() {
    controls = CONTROLS.map((flag) => editor.parameters.get(flag)).filter(Boolean).map((parameter) =>
      createControl(parameter, {
        editor: draftEditor,
        store: quiet(store),
        title: TITLES[parameter.flag] ?? parameter.title,
      }));
    body.replaceChildren(...controls.map((control) => control.element));
    show();
  }

  function show() {
    const { draft } = tool;
    if (!draft) return;
    note.show(draft);
    const isPicking = tool.corners !== null;
    for (const part of [upright, body]) part.inert = isPicking;
    pick.hidden = isPicking;
    const hasCorners = draft.warp.perspective !== undefined;
    remove.hidden = isPicking || !hasCorners;
    // What the four corners enclose has proportions; without them there is nothing to have any.
    for (const { element: one, parameter } of controls) {
      one.hidden = parameter.flag === "perspective-proportions" && !hasCorners;
    }
    take.hidden = leave.hidden = help.hidden = !isPicking;
    for (const control of controls) control.show({ values: draft.warp });
  }

  store.subscribe((s) => s.welcome?.filters, (filters) => filters && build());
  store.subscribe((s) => s.mode, (mode) => mode === "crop" && note.clear());
  tool.onChange(show);
  return element;
}
