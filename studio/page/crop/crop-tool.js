// The crop tool: a mode with a draft of its own, which becomes one step of the history when it is done.
import { withValues } from "../core/edits.js";
import { animate } from "../core/spring.js";
import { rounded } from "../adjust/scale.js";
import * as drafts from "./crop-draft.js";
import { createCornerPicking } from "./corner-picking.js";
import { perspectiveFlags, valuesOfWarp } from "./warp.js";

export const GRIDS = ["thirds", "golden", "square", "none"];
const withoutPerspective = Object.fromEntries(perspectiveFlags.map((flag) => [flag, null]));

export function createCropTool({ store, editor, session, stage }) {
  let draft = null;
  let before = null;
  /** The draft that a gesture of a kind begins with, and that its values are of: `{ kind, draft }`. */
  let base = null;
  /** Drafts before each gesture, for undo within the tool. */
  let past = [];
  /** What moves to its place: `{ stop, step }`. */
  let spring = null;
  const listeners = new Set();
  let evidence = null;
  let summary = "";
  let grid = GRIDS[0];

  const tell = () => listeners.forEach((listener) => listener());
  const angleParameter = () => editor.parameters.get("straighten") ?? { step: 0.05, minimum: -45, maximum: 45 };

  function push(dragging, time) {
    const values = {
      ...drafts.valuesOf(draft),
      ...valuesOfWarp(draft.warp),
      "straighten-corners": draft.corners === "crop" ? null : draft.corners,
    };
    editor.change(withValues(store.state.edit, values, editor.parameters), { dragging, time });
  }

  function set(next, { dragging = false, send = true, keepBase = false, time } = {}) {
    draft = next;
    if (!keepBase) base = null;
    if (send) push(dragging, time);
    stage.expect(draft.full, drafts.partOfDraft(draft));
    tell();
  }

  function start(step, motion) {
    const own = { step, stop: () => {} };
    spring = own;
    own.stop = animate((t) => {
      if (t === 1 && spring === own) spring = null;
      step(t);
    }, motion);
  }

  function stopSpring() {
    spring?.stop();
    spring = null;
  }

  /** Whoever goes on before a spring has settled means the place that it goes to. */
  function finishSpring() {
    const unfinished = spring;
    stopSpring();
    unfinished?.step(1);
  }

  /** The draft that a gesture began with; values of another kind begin anew. */
  function from(kind) {
    if (base?.kind !== kind) base = { kind, draft };
    return base.draft;
  }

  /** Remembers the draft before a gesture. Whoever does something else chooses no corners any more. */
  function mark() {
    finishSpring();
    if (picking.corners) draft = picking.end().begun;
    if (draft) past.push(draft);
  }

  const picking = createCornerPicking({ tell });
  const tool = {
    onChange: (listener) => listeners.add(listener),
    get draft() {
      return draft;
    },
    get evidence() {
      return evidence;
    },
    get summary() {
      return summary;
    },
    get grid() {
      return grid;
    },
    /** Four places that are to become the picture's corners, while they are chosen; null otherwise. */
    get corners() {
      return picking.corners;
    },
    /** Shows the picture without perspective, to choose four corners in it. */
    pickCorners() {
      finishSpring();
      picking.begin(draft);
      evidence = null;
      set(drafts.warped({ ...draft, aspect: null }, withoutPerspective, 0));
    },
    setCorner: (index, place) => picking.move(index, place, drafts.uprightOf(draft)),
    /** Four corners take the place of all other perspective, and of the angle. */
    takeCorners() {
      const { begun, text } = picking.end();
      past.push(begun);
      const whole = { ...draft, rect: { x: 0, y: 0, ...draft.full } };
      set(drafts.warped(whole, { ...withoutPerspective, perspective: text }));
    },
    leaveCorners() {
      set(picking.end().begun);
    },
    mark,
    enter() {
      const { info, photo, edit } = store.state;
      if (draft || !info || info.photo !== photo) return;
      editor.flush();
      before = edit;
      past = [];
      evidence = null;
      summary = "";
      base = null;
      draft = drafts.draftOf(edit, { width: info.width, height: info.height });
      stage.painter.glide("in", drafts.partOfDraft(draft));
      stage.expect(draft.full, drafts.partOfDraft(draft));
      store.update({ mode: "crop", view: { mode: "fit", scale: 1, x: 0.5, y: 0.5 } });
      tell();
    },
    done() {
      if (!draft) return;
      if (tool.corners) tool.takeCorners();
      finishSpring();
      push(false);
      editor.commit("Crop");
      leave();
    },
    cancel() {
      if (!draft) return;
      if (tool.corners) {
        tool.leaveCorners();
        return;
      }
      if (store.state.edit !== before) editor.change(before, { dragging: false });
      draft = drafts.draftOf(before, draft.size);
      leave();
    },
    /** The photo went away beneath the tool. */
    abandon() {
      stopSpring();
      picking.end();
      draft = null;
      stage.expect(null, null);
      tell();
    },
    undo() {
      stopSpring();
      if (tool.corners) {
        tool.leaveCorners();
        return;
      }
      if (past.length) set(past.pop());
    },
    /** A rectangle from the overlay; rendering does not change, so only its end is sent. */
    setRect(rect, { end = false } = {}) {
      set({ ...draft, rect }, { send: end });
    },
    setAngle(value, { dragging = true, time } = {}) {
      if (!draft) return;
      const angle = rounded(angleParameter(), value);
      const begun = from("angle");
      if (angle === draft.angle && dragging) return;
      evidence = dragging ? evidence : null;
      set(drafts.atAngle(begun, angle), { dragging, keepBase: true, time });
    },
    setCorners(corners) {
      mark();
      set(drafts.atAngle(draft, draft.angle, corners));
    },
    /** A value of perspective, keystone or lens; null is neutral. A drag of one slider is one step of the tool. */
    setWarp(flag, value, { dragging = false, time } = {}) {
      if (!draft) return;
      const kind = dragging ? flag : `${flag}, typed`;
      if (base?.kind !== kind) mark();
      evidence = null;
      set(drafts.warped(from(kind), { [flag]: value }), { dragging, keepBase: dragging, time });
    },
    /** What was found, by flag, in one step: its lines are drawn over the picture that it makes. */
    setFound({ straighten = draft.angle, ...warp }, lines = null) {
      mark();
      set(drafts.warped(draft, warp, straighten));
      evidence = lines?.length ? lines : null;
      tell();
    },
    turn(clockwise) {
      mark();
      evidence = null;
      set(drafts.quarterTurned(draft, clockwise));
    },
    flip(axis) {
      mark();
      evidence = null;
      set(drafts.flipped(draft, axis));
    },
    /** Proportions with the spring of the frame. */
    setAspect(aspect) {
      mark();
      tool.springTo(drafts.proportioned(draft, aspect));
    },
    /** Landscape to portrait and back; free crops swap their sides. */
    swapAspect() {
      mark();
      const { width, height } = draft.rect;
      const next = drafts.proportioned(draft, height / width);
      tool.springTo(draft.aspect ? next : { ...next, aspect: null });
    },
    springTo(next) {
      const from = draft.rect;
      const mix = (t) => Object.fromEntries(
        Object.keys(from).map((key) => [key, from[key] + (next.rect[key] - from[key]) * t]),
      );
      start(
        (t) => set(t === 1 ? next : { ...next, rect: mix(t) }, { send: t === 1 }),
        { response: 0.36, damping: 0.82 },
      );
    },
    reset() {
      mark();
      evidence = null;
      summary = "";
      set(drafts.neutralDraft(draft));
    },
    cycleGrid() {
      grid = GRIDS[(GRIDS.indexOf(grid) + 1) % GRIDS.length];
      tell();
    },
    /** The engine's own levelling: its evidence is drawn, then the dial springs to the angle. */
    auto() {
      const { photo } = store.state;
      const sent = session.ask({ type: "auto", kind: "straighten" }, (answer) => {
        if (!draft || store.state.photo !== photo) return;
        summary = answer.summary ?? answer.message ?? "";
        const found = answer.type === "auto" && answer.found;
        evidence = found || answer.evidence?.length ? answer.evidence : null;
        tell();
        if (!found) return;
        const to = Number(answer.values?.straighten ?? 0);
        mark();
        base = null;
        const angle = draft.angle;
        const lines = evidence;
        start(
          (t) => {
            if (!draft) return;
            tool.setAngle(t === 1 ? to : angle + (to - angle) * t, { dragging: t < 1 });
            evidence = lines;
            tell();
          },
          { response: 0.42, damping: 0.85 },
        );
      });
      if (!sent) {
        summary = "Not connected.";
        tell();
      }
    },
    /** A frame of the uncropped picture tells its true size. */
    frame(header) {
      // A picture that is scaled afterwards has another size than the crop's pixels.
      if (!draft || header.input < editor.lastInput || store.state.edit.values.resize !== undefined) return;
      const next = drafts.withFull(draft, header.full);
      if (next === draft) return;
      draft = next;
      base = null;
      stage.expect(draft.full, drafts.partOfDraft(draft));
      tell();
    },
  };

  function leave() {
    stopSpring();
    const { rect } = draft;
    const part = drafts.partOfDraft(draft);
    draft = null;
    evidence = null;
    stage.painter.glide("out", part);
    stage.expect({ width: Math.round(rect.width), height: Math.round(rect.height) }, part);
    store.update({ mode: "adjust" });
    tell();
  }

  store.subscribe((s) => s.mode, (mode) => {
    if (mode !== "crop" && draft) tool.abandon();
  });
  return tool;
}
