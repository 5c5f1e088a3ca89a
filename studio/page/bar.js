// The bar: what is open, undo, ways to compare, scopes, menu, export.
import { h, setAttribute, setText } from "./core/dom.js";
import { icon } from "./core/icons.js";
import { createMenu } from "./sheets/menu.js";
import { toggleCompare } from "./stage/compare.js";
import { toggleProof } from "./stage/proof.js";

/** Milliseconds. */
const TAP = 300;

/** @param {object} library what of it stands here: see `inBar` of library/rooms.js */
export function createBar({ store, editor, steps, stage, clipboard, copyCommand, library, openCamera }) {
  const button = (name, label, run, key) =>
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        title: key ? `${label} (${key})` : label,
        "aria-label": label,
        on: { click: run },
      },
      icon(name),
    );
  const grid = button("photos", "Grid", library.toGrid, "G");
  grid.classList.add("to-grid");
  const undo = button("undo", "Undo", steps.undo, "Ctrl+Z");
  const redo = button("redo", "Redo", steps.redo, "Ctrl+Shift+Z");
  const zoom = h(
    "button",
    { type: "button", class: "quiet zoom-button", title: "Fit or 100 % (Z)", on: { click: () => stage.toggleZoom() } },
  );
  const original = button("original", "Show the original", () => {}, "\\");
  const split = button("split", "Split", () => toggleCompare(store, "split"), "V");
  const side = button("side", "Side by side", () => toggleCompare(store, "side"), "B");
  const scopes = button(
    "scopes",
    "Scopes",
    () => store.update((s) => ({ scopes: { ...s.scopes, shown: !s.scopes.shown } })),
    "S",
  );
  const proof = button("proof", "Proof", () => toggleProof(store), "Y");
  const camera = button("camera", "Camera", openCamera, "K");
  const more = createMenu([
    { label: "Copy edit", key: "Ctrl C", run: () => clipboard.copy() },
    {
      label: "Paste look and colours",
      key: "Ctrl V",
      run: () => clipboard.paste(["colours"]),
      enabled: () => clipboard.isFilled,
    },
    { label: "Paste crop", run: () => clipboard.paste(["crop"], "Paste crop"), enabled: () => clipboard.isFilled },
    {
      label: "Paste everything",
      run: () => clipboard.paste(["colours", "crop"]),
      enabled: () => clipboard.isFilled,
    },
    { label: "Paste parts…", key: "Ctrl ⇧ V", run: library.pasteParts, enabled: library.canPaste },
    null,
    { label: "Copy as command", run: copyCommand, enabled: () => Boolean(store.state.command) },
    null,
    { label: "Keys", key: "?", run: () => store.update({ sheet: "keys" }) },
  ]);
  const exports = h(
    "button",
    {
      type: "button",
      class: "export-button",
      title: "Export (Ctrl+E)",
      "aria-label": "Export",
      on: { click: () => store.update({ sheet: "export" }) },
    },
    icon("export"),
    h("span", {}, "Export"),
  );
  const name = h("span", { class: "photo-name" });
  const place = h("span", { class: "photo-place" });
  const element = h(
    "header",
    { class: "bar" },
    h(
      "div",
      { class: "bar-start" },
      h("span", { class: "mark", "aria-hidden": "true" }),
      grid,
      h("h1", { class: "title" }, name, place),
      library.control.element,
    ),
    h(
      "div",
      { class: "bar-middle", role: "toolbar", "aria-label": "View" },
      original,
      split,
      side,
      h("span", { class: "bar-line" }),
      scopes,
      proof,
      zoom,
    ),
    library.size,
    library.compareTools,
    h("div", { class: "bar-end" }, library.job, camera, undo, redo, more, exports),
  );

  // Held, not pressed, as on the picture itself. A finger covers what it touches, so a short tap keeps showing the original
  // until the next tap.
  let pressed = 0;
  let isKept = false;
  original.addEventListener("pointerdown", (event) => {
    pressed = event.timeStamp;
    isKept = event.pointerType === "touch" && !store.state.holding;
    store.update({ holding: true });
  });
  original.addEventListener("pointerup", (event) => {
    store.update({ holding: isKept && event.timeStamp - pressed < TAP });
  });
  // A finger that is lifted leaves the button, too.
  original.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && store.update({ holding: false }));
  for (const type of ["pointercancel", "blur"]) original.addEventListener(type, () => store.update({ holding: false }));
  store.subscribe((s) => [s.mode, s.room], () => store.update({ holding: false }));
  original.addEventListener("keydown", (event) => {
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      store.update({ holding: true });
    }
  });
  original.addEventListener("keyup", () => store.update({ holding: false }));
  original.addEventListener("contextmenu", (event) => event.preventDefault());

  store.subscribe(
    (s) => [s.undo > 0 || s.markSteps.undo, s.redo > 0 || s.markSteps.redo, s.compare, s.scopes.shown, s.mode, s.holding, s.info, s.connection, s.room, s.selection, s.isGone],
    ([undoable, redoable, compare, shown, mode, holding, info, connection, room, selection, isGone]) => {
      const cropping = mode === "crop";
      const offline = connection !== "open";
      const isFixed = cropping || offline || isGone;
      undo.disabled = !undoable || isFixed;
      redo.disabled = !redoable || isFixed;
      for (const one of [original, split, side, zoom, proof]) one.disabled = cropping || !info;
      const chosen = room === "grid" ? selection.ids.size > 0 : !cropping && Boolean(info);
      exports.disabled = !chosen || offline;
      setAttribute(grid, "aria-pressed", room === "grid");
      setAttribute(split, "aria-pressed", compare === "split");
      setAttribute(side, "aria-pressed", compare === "side");
      setAttribute(scopes, "aria-pressed", shown);
      setAttribute(original, "aria-pressed", holding);
    },
  );
  store.subscribe((s) => [s.welcome?.proof, s.proof.shown, s.room], ([device, shown, room]) => {
    proof.hidden = !device || room !== "photo";
    setAttribute(proof, "aria-pressed", shown);
    if (device) proof.title = `Proof by ${device.name} (Y)`;
  });
  store.subscribe((s) => s.welcome?.cameras?.length ?? 0, (count) => (camera.hidden = count === 0));
  store.subscribe(
    (s) => [s.photo, s.info, s.welcome, s.room, s.filter, s.marks, s.edited, s.choosing, s.choosing && s.selection],
    ([photo, info, welcome, room, , , , choosing, selection]) => {
      const all = welcome?.photos ?? [];
      const list = library.shown.list;
      if (room === "grid") {
        setText(name, choosing ? `${selection.ids.size} selected` : (welcome?.folder ?? "Photos"));
        const count = list === all ? `${all.length} photos` : `${list.length} of ${all.length} photos`;
        setText(place, choosing ? "" : count);
        document.title = `${welcome?.folder ?? "Photos"} – Safelight`;
        return;
      }
      if (room === "compare") {
        setText(name, "Compare");
        setText(place, "");
        return;
      }
      const index = library.shown.indexOf(photo);
      const open = list[index] ?? all.find((one) => one.photo === photo);
      setText(name, open?.name ?? info?.name ?? "Safelight");
      setText(place, list.length > 1 && index >= 0 ? `${index + 1} of ${list.length}` : "");
      document.title = open?.name ? `${open.name} – Safelight` : "Safelight";
    },
  );
  store.subscribe((s) => [s.photo, s.marks], ([photo]) => library.control.show(library.markOf(photo)));
  store.subscribe((s) => [s.view.mode, s.frame], ([mode, frame]) => {
    setText(zoom, mode === "fit" || !frame ? "Fit" : `${Math.round(frame.zoom * 100)} %`);
  });
  return element;
}
