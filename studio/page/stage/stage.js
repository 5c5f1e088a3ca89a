// The stage: a canvas in device pixels, the view of the picture on it, and the messages that ask for that view.
import { viewfinderPane } from "../camera/viewfinder-layout.js";
import { h } from "../core/dom.js";
import { screenSpace } from "../core/screen.js";
import { motionIsReduced } from "../core/spring.js";
import { createMotion } from "./motion.js";
import { createPainter } from "./painter.js";
import { proofFields } from "./proof.js";
import { asZoom, askedOf, clampedView, fitMargin, fitScale, panesOf, panned, zoomedAt } from "./viewport.js";

/** CSS pixels that stay free around a fitted picture in the crop tool, and of two. */
const MARGIN = { crop: 44, side: 12 };
const GAP = 2;

export function createStage(store, send, { name = "main", id = "stage", label = "Photo" } = {}) {
  const canvas = h("canvas", { class: "canvas" });
  const motion = createMotion(canvas);
  const role = name === "main" ? null : "group";
  const element = h(
    name,
    { class: "stage", id, role, tabindex: "0", "aria-label": label, "aria-roledescription": "photo" },
    canvas,
    motion.element,
  );
  let number = 0;
  let lastSent = "";
  let sentThisFrame = false;
  let waiting = false;
  /** Full size and crop as the crop tool foresees them, until a frame of the current view tells. */
  let expected = { full: null, part: null };

  const cropping = () => store.state.mode === "crop";
  const side = () => store.state.compare === "side" && !cropping();

  function layout(view = store.state.view) {
    const { canvas: size, mode, camera } = store.state;
    if (mode === "camera") {
      // Full-bleed, and as large as the window lets it be.
      const pane = viewfinderPane(size, fullSize() ?? cameraSize(), camera.drawer);
      return { panes: [pane], areas: [pane] };
    }
    const css = size.width / size.ratio;
    const margin = cropping() ? MARGIN.crop : side() ? MARGIN.side : fitMargin(css);
    // A phone has no room to give away: the crop's corners need some all the same.
    const used = cropping() && css < 700 ? 28 : margin;
    // A small photo is enlarged as far as other pages would: a pixel of it becomes a CSS pixel.
    const options = { side: side(), full: fullSize(), gap: GAP * size.ratio, most: Math.max(1, size.ratio) };
    return {
      panes: panesOf(size, { ...options, margin: view.mode === "fit" ? Math.round(used * size.ratio) : 0 }),
      areas: panesOf(size, { ...options, margin: 0 }),
    };
  }

  /** Before the first frame its size is that of the camera's format. */
  const cameraSize = () => {
    const { device } = store.state.camera;
    return device?.width ? { width: device.width, height: device.height } : null;
  };
  const fullSize = () => {
    const frame = painter.frame;
    return expected.full ?? frame?.header.full ?? null;
  };

  /** Frames follow each other in a view that stays, and nothing reads their pixels, as scopes, masks and aids do. */
  const isMoving = ({ mode, dragging, scopes, camera, holding }) =>
    mode === "camera"
      ? camera.steady && !camera.zebra && !camera.peaking && camera.compare === "none" && !holding && !scopes.shown
      : dragging !== null && mode !== "crop" && mode !== "masks" && !scopes.shown;

  function target() {
    const { state } = store;
    return {
      ...layout(),
      view: state.view,
      number,
      full: expected.full,
      part: expected.part,
      uncropped: cropping(),
      side: side(),
      ratio: state.canvas.ratio,
      drags: isMoving(state),
      split: state.compare === "split" && !cropping() ? state.split : null,
    };
  }

  const painter = createPainter(canvas, target, motion, motionIsReduced);

  /** Scale of the fitted picture: the server's own, where it has told. */
  function least() {
    const full = fullSize();
    if (!full) return 1;
    const scale = fitScale(full, layout({ mode: "fit" }).panes[0]);
    const header = painter.frame?.header;
    const told = scale <= 1 && store.state.view.mode === "fit" && header?.view === number;
    return told ? header.scaled.width / header.full.width : scale;
  }

  function sendView() {
    const { photo, canvas: size, view, stripes } = store.state;
    if (!photo || !size.width) return;
    const pane = layout().panes[0];
    const wanted = {
      photo,
      ...(view.mode === "fit" ? { width: pane.width, height: pane.height, mode: "fit" } : askedOf(view, pane)),
      uncropped: cropping(),
      original: !cropping(),
      ...(stripes ? { stripes } : {}),
      // Cameras have the colours of sRGB.
      ...(store.state.mode !== "camera" && store.state.welcome?.proof ? proofFields(store.state.proof) : {}),
      ...(screenSpace !== "srgb" && store.state.mode !== "camera" ? { space: screenSpace } : {}),
    };
    const text = JSON.stringify(wanted);
    if (text === lastSent) return;
    painter.noteView(number + 1, wanted.uncropped);
    if (send({ type: "view", view: number + 1, ...wanted })) {
      number++;
      lastSent = text;
      store.update((state) => (state.frame ? { frame: { ...state.frame, sharp: false } } : null));
    }
  }

  /** At most one view per animation frame, the first at once. */
  function syncView() {
    painter.request();
    if (sentThisFrame) {
      waiting = true;
      return;
    }
    sentThisFrame = true;
    sendView();
    requestAnimationFrame(() => {
      sentThisFrame = false;
      if (waiting) {
        waiting = false;
        syncView();
      }
    });
  }

  function setView(view, { soft = false } = {}) {
    if (soft) painter.glide();
    store.update({ view });
  }

  const stage = {
    element,
    canvas,
    painter,
    get viewNumber() {
      return number;
    },
    get scale() {
      const { view } = store.state;
      return view.mode === "fit" ? least() : view.scale;
    },
    layout,
    /** Tells what a frame of the new view will show, so that the last one can be put in its place until then. */
    expect(full, part) {
      expected = { full, part };
    },
    /** The connection is lost: the next one's server knows no view. */
    forget() {
      lastSent = "";
    },
    /** Asks for the view, unless that was done. */
    send: sendView,
    fit: () => setView({ mode: "fit", scale: least(), x: 0.5, y: 0.5 }, { soft: true }),
    /** Zooms about a point of the canvas (device pixels). */
    zoomTo(scale, x, y, options) {
      const full = fullSize();
      if (!full || cropping()) return;
      const pane = layout({ mode: "zoom" }).panes[0];
      const point = { x: x ?? pane.x + pane.width / 2, y: y ?? pane.y + pane.height / 2 };
      setView(zoomedAt(store.state.view, pane, full, { scale, ...point, least: least() }), options);
    },
    /** Fit to 100 %, or back; 200 % where the whole picture fits at 100 %. */
    toggleZoom(x, y) {
      if (store.state.view.mode !== "fit") stage.fit();
      else stage.zoomTo(least() >= 0.99 ? Math.max(2, least() * 2) : 1, x, y, { soft: true });
    },
    pan(dx, dy) {
      const full = fullSize();
      if (!full || store.state.view.mode === "fit") return;
      setView(panned(store.state.view, layout({ mode: "zoom" }).panes[0], full, dx, dy));
    },
    /** A client position as a point of the canvas; beside the first pane it is taken back into it. */
    point(event) {
      const box = canvas.getBoundingClientRect();
      const { ratio } = store.state.canvas;
      const point = { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
      const { areas } = layout();
      if (areas.length > 1) {
        if (areas[1].x > 0 && point.x >= areas[1].x) point.x -= areas[1].x;
        if (areas[1].y > 0 && point.y >= areas[1].y) point.y -= areas[1].y;
      }
      return point;
    },
  };

  // Device pixels as the browser lays them out: CSS pixels times the ratio would be off by one at odd ratios.
  function resized(entries) {
    const entry = entries[0];
    const device = entry.devicePixelContentBoxSize?.[0];
    const ratio = devicePixelRatio || 1;
    const css = entry.contentRect;
    // A ratio that is emulated does not reach the device's box: then the ratio is right.
    const real = device && Math.abs(device.inlineSize - css.width * ratio) <= 1.5;
    const width = real ? device.inlineSize : Math.round(css.width * ratio);
    const height = real ? device.blockSize : Math.round(css.height * ratio);
    if (width === store.state.canvas.width && height === store.state.canvas.height) return;
    canvas.width = width;
    canvas.height = height;
    store.update({ canvas: { width, height, ratio: width / Math.max(1, css.width) } });
    const full = fullSize();
    if (full && store.state.view.mode === "zoom") {
      setView(clampedView(asZoom(store.state.view, 1), layout({ mode: "zoom" }).panes[0], full));
    }
    painter.draw();
  }
  const observer = new ResizeObserver(resized);
  try {
    observer.observe(canvas, { box: "device-pixel-content-box" });
  } catch {
    observer.observe(canvas);
  }

  store.subscribe((s) => [s.photo, s.canvas, s.view, s.mode === "crop", s.compare, s.stripes], syncView);
  store.subscribe((s) => [s.mode === "camera", s.camera.drawer, s.camera.device?.width, s.camera.device?.height], syncView);
  store.subscribe((s) => [s.proof], syncView);
  store.subscribe((s) => [s.split], () => painter.request());
  store.subscribe((s) => s.holding, (holding) => painter.reveal(holding));
  return stage;
}
