// Two photos side by side, moved and zoomed together. The left one was chosen so far; others come beside it.
import { h, keepFocusOffButtons, setAttribute, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { only } from "./selection.js";
import { createMarkControl } from "./mark-control.js";
import { createPane } from "./pane.js";
import { createLoading } from "../stage/loading.js";

/**
 * @param {object} parts `store`, `shown`, `marks`, `library`, `connection`: `{ token() }`, `leaveTools()`
 */
export function createCompare({ store, shown, marks, library, connection, leaveTools }) {
  let active = 1;
  let from = "photo";
  let isLinking = false;
  let panes = [];

  function createSide(side, index) {
    const pane = createPane({
      ...connection,
      stripes: store.state.stripes,
      label: `${side} photo`,
      moved: (view) => link(index, view),
    });
    const name = h("span", { class: "pane-name" });
    const control = createMarkControl({
      set: (patch) => markPane(index, patch),
      label: `Marks of the ${side.toLowerCase()} photo`,
    });
    const problem = h("p", { class: "pane-problem", role: "alert" });
    const own = () => activate(index);
    const element = h(
      "section",
      { class: "pane", "aria-label": `${side} photo`, on: { pointerdown: own, focusin: own } },
      pane.element,
      createLoading(pane.store),
      problem,
      h("footer", { class: "pane-foot" }, name, control.element),
    );
    pane.store.subscribe((s) => s.problem, (found) => setText(problem, found?.message ?? ""));
    return { pane, name, control, box: element };
  }

  /** Each side has a connection of its own: they are made when they are needed first. */
  function build() {
    if (panes.length) return;
    panes = ["Left", "Right"].map(createSide);
    room.append(...panes.map(({ box }) => box));
    panes[0].pane.store.subscribe((s) => [s.frame, s.view], ([frame, view]) => {
      setText(zoom, view.mode === "fit" || !frame ? "Fit" : `${Math.round(frame.zoom * 100)} %`);
    });
  }
  const photoOf = (index) => panes[index].pane.photo;
  const button = (name, label, key, run) =>
    h(
      "button",
      { type: "button", class: "icon-button", title: `${label} (${key})`, "aria-label": label, on: { click: run } },
      icon(name),
    );
  const zoom = h("button", { type: "button", class: "quiet compare-zoom", title: "Fit or 100 %, both (Z)" });
  zoom.addEventListener("click", () => compare.toggleZoom());
  const tools = h(
    "div",
    { class: "compare-tools", role: "toolbar", "aria-label": "Compare" },
    button("swap-sides", "Swap", "↓", () => compare.swap()),
    zoom,
    button("close", "Back", "Esc", () => compare.close()),
  );
  const room = h("div", { class: "panes" });
  const element = h("section", { class: "compare", "aria-label": "Compare two photos", inert: true }, room);
  keepFocusOffButtons(element);

  /** What one shows, the other shows too: the same place at the same scale. */
  function link(index, view) {
    if (isLinking || panes.length < 2) return;
    isLinking = true;
    panes[1 - index].pane.setView(view);
    isLinking = false;
  }

  function activate(index) {
    active = index;
    panes.forEach(({ box }, other) => setAttribute(box, "data-active", other === index ? "" : null));
  }

  function markPane(index, patch) {
    activate(index);
    if (photoOf(index) !== null) marks.set([photoOf(index)], patch);
  }

  function fill() {
    panes.forEach(({ pane, name, control }) => {
      setText(name, pane.photo === null ? "" : library.nameOf(pane.photo));
      control.show(marks.of(pane.photo));
    });
  }

  function put(left, right) {
    panes[0].pane.show(left);
    panes[1].pane.show(right);
    fill();
  }

  /** The next photo beside one, but not the other of the two. */
  function beside(photo, by, other) {
    const next = shown.step(photo, by);
    return next === other ? shown.step(next, by) : next;
  }

  const compare = {
    element,
    /** For the bar. */
    tools,
    open(photos) {
      const [left, right] = photos;
      if (photos.length !== 2 || store.state.room === "compare") return;
      from = store.state.room;
      leaveTools();
      build();
      isLinking = true;
      for (const { pane } of panes) pane.setView({ mode: "fit", scale: 1, x: 0.5, y: 0.5 });
      isLinking = false;
      store.update({ room: "compare", holding: false });
      for (const { pane } of panes) pane.start();
      put(left, right);
      activate(1);
      panes[1].pane.element.focus({ preventScroll: true, focusVisible: false });
    },
    openWithNext(photo) {
      const next = photo === null ? null : (shown.step(photo, 1) ?? shown.step(photo, -1));
      if (next !== null) compare.open([photo, next]);
    },
    close() {
      if (store.state.room !== "compare") return;
      const photos = [photoOf(0), photoOf(1)];
      const focus = photos[active];
      for (const { pane } of panes) pane.stop();
      const ids = new Set(photos.filter((photo) => shown.indexOf(photo) >= 0));
      store.update({ room: "photo" });
      if (from !== "grid") return;
      store.update({ selection: { ids, anchor: focus, focus } });
      library.open({ flies: false });
    },
    /** Opens the one that is active. */
    show() {
      const photo = photoOf(active);
      for (const { pane } of panes) pane.stop();
      store.update({ selection: only(photo) });
      library.show(photo);
    },
    mark(change, advances) {
      if (photoOf(active) === null) return;
      change([photoOf(active)]);
      if (advances) compare.step(1);
    },
    /** Another photo on the right. */
    step(by) {
      const next = beside(photoOf(1), by, photoOf(0));
      if (next !== null) put(photoOf(0), next);
    },
    /** The right one is better: it goes to the left, and the next one comes. */
    choose() {
      const [left, right] = [photoOf(0), photoOf(1)];
      put(right, beside(right, 1, left) ?? left);
    },
    swap: () => put(photoOf(1), photoOf(0)),
    activateOther() {
      activate(1 - active);
      panes[active].pane.element.focus({ preventScroll: true, focusVisible: false });
    },
    toggleZoom: () => panes[active].pane.stage.toggleZoom(),
    zoomBy(factor) {
      const { stage } = panes[active].pane;
      stage.zoomTo(stage.scale * factor);
    },
    get panes() {
      return panes;
    },
  };

  store.subscribe((s) => s.room, (room) => {
    element.inert = room !== "compare";
  });
  store.subscribe((s) => [s.marks, s.welcome?.photos], fill);
  return compare;
}
