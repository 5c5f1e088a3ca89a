// The scopes: a small panel over the picture, from the very frame that is shown.
import { h, setAttribute } from "../core/dom.js";
import { screenSpace } from "../core/screen.js";
import { histogramOf } from "./counts.js";
import { drawHistogram, drawParade, drawVectorscope, drawWaveform } from "./drawing.js";
import { lightnessBins } from "./lightness.js";

const TABS = [
  ["histogram", "Histogram", "Hist"],
  ["waveform", "Waveform", "Wave"],
  ["parade", "Parade", "RGB"],
  ["vectorscope", "Vectorscope", "Vect"],
];
/** Long edge of the pixels that scopes look at, and milliseconds between two looks. */
const EDGE = 320;
/** The same for what is clipped, which averages over many pixels would hide. */
const CLIPPING_EDGE = 1024;
const PAUSE = 66;
/** Below this fraction, clipping is noise. */
const CLIPPED = 0.0005;
/** Codes of 8 bits that count as full and as empty: JPEG leaves no channel exactly there. */
const FULL = 254;
const EMPTY = 1;

export function createScopes({ store, stage }) {
  const canvas = h("canvas", { class: "scope-canvas", role: "img" });
  const context = canvas.getContext("2d");
  const small = new OffscreenCanvas(1, 1);
  const smallContext = small.getContext("2d", { willReadFrequently: true, alpha: false, colorSpace: screenSpace });
  const [low, high] = ["low", "high"].map((end) =>
    h("button", {
      type: "button",
      class: `clip ${end}`,
      "aria-label": "Show what is clipped",
      on: { click: () => toggleClipping() },
    }));
  const rgb = h(
    "button",
    { type: "button", class: "scope-rgb", "aria-pressed": "false", title: "Red, green and blue" },
    "RGB",
  );
  const tabs = TABS.map(([tab, title, short]) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        class: "scope-tab",
        title,
        on: { click: () => store.update((s) => ({ scopes: { ...s.scopes, tab } })) },
      },
      short,
    ),
  );
  const element = h(
    "section",
    { class: "scopes floating", "aria-label": "Scopes", hidden: true },
    h("div", { class: "scope-tabs", role: "tablist", "aria-label": "Kind of scope" }, tabs),
    h("div", { class: "scope-face" }, canvas, low, high, rgb),
  );
  let histogram = null;
  let last = 0;
  let timer = 0;
  let bin = null;
  let showRGB = false;
  let marksClipping = false;
  let clipping = { surface: null, layer: null };

  rgb.addEventListener("click", () => {
    showRGB = !showRGB;
    setAttribute(rgb, "aria-pressed", showRGB);
    draw();
  });

  /** The pixels of the frame shown, at reduced size. */
  function pixels(edge = EDGE) {
    const frame = stage.painter.frame;
    if (!frame?.surface) return null;
    const { width, height } = frame.surface;
    const scale = Math.min(1, edge / Math.max(width, height));
    small.width = Math.max(1, Math.round(width * scale));
    small.height = Math.max(1, Math.round(height * scale));
    smallContext.imageSmoothingQuality = "low";
    smallContext.drawImage(frame.surface, 0, 0, small.width, small.height);
    return smallContext.getImageData(0, 0, small.width, small.height);
  }

  function fitCanvas() {
    const ratio = store.state.canvas.ratio;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    return { width, height };
  }

  function draw() {
    const { scopes } = store.state;
    // A frame that was handed to the browser has no pixels here: the next one has, now that scopes are shown.
    if (!scopes.shown || !stage.painter.frame?.surface) return;
    last = performance.now();
    const size = fitCanvas();
    const isHistogram = scopes.tab === "histogram";
    rgb.hidden = low.hidden = high.hidden = !isHistogram;
    if (isHistogram) {
      histogram ??= histogramOf(pixels().data, screenSpace);
      drawHistogram(context, size, histogram, { rgb: showRGB, bin });
      showClipping();
    } else {
      const draws = { waveform: drawWaveform, parade: drawParade, vectorscope: drawVectorscope };
      draws[scopes.tab](context, size, pixels());
    }
  }

  function showClipping() {
    for (const [mark, part, what] of [[low, histogram.clippedLow, "black"], [high, histogram.clippedHigh, "white"]]) {
      mark.classList.toggle("on", part > CLIPPED);
      const text = `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} % clipped to ${what}`;
      setAttribute(mark, "title", `${text}: show where (J)`);
      setAttribute(mark, "aria-label", `${text}: show where`);
      setAttribute(mark, "aria-pressed", marksClipping);
    }
  }

  /** What is black in all channels or full in one, as a canvas; made once for each frame. */
  function clippingOf(frame) {
    if (!frame.surface) return null;
    if (clipping.surface === frame.surface) return clipping.layer;
    const image = pixels(CLIPPING_EDGE);
    const { data } = image;
    const overlay = smallContext.createImageData(image.width, image.height);
    for (let i = 0; i < data.length; i += 4) {
      const [least, most] = [Math.min(data[i], data[i + 1], data[i + 2]), Math.max(data[i], data[i + 1], data[i + 2])];
      if (most >= FULL) overlay.data.set(least >= FULL ? [255, 40, 30, 255] : [255, 60, 40, 190], i);
      else if (most <= EMPTY) overlay.data.set([60, 120, 255, 255], i);
    }
    clipping = { surface: frame.surface, layer: layerOf(overlay) };
    return clipping.layer;
  }

  function toggleClipping(on = !marksClipping) {
    marksClipping = on;
    if (histogram) showClipping();
    stage.painter.mark(marksClipping ? clippingOf : null);
  }
  // The camera has a zebra of its own.
  store.subscribe((s) => s.mode === "camera", (isLive) => isLive && toggleClipping(false));

  function layerOf(image) {
    const layer = new OffscreenCanvas(image.width, image.height);
    layer.getContext("2d").putImageData(image, 0, 0);
    return layer;
  }

  /** Lights the pixels of a bin on the picture. */
  function light(next) {
    if (next === bin) return;
    bin = next;
    if (bin === null) {
      stage.painter.highlight(null);
    } else {
      const image = pixels();
      if (!image) return;
      const bins = lightnessBins(image.data, screenSpace);
      const overlay = smallContext.createImageData(image.width, image.height);
      // A bin and its neighbours: one alone is a few scattered points.
      bins.forEach((value, index) => {
        const on = Math.abs(value - bin) <= 2;
        overlay.data.set(on ? [255, 208, 32, 235] : [0, 0, 0, 110], index * 4);
      });
      stage.painter.highlight(layerOf(overlay));
    }
    draw();
  }
  canvas.addEventListener("pointermove", (event) => {
    if (store.state.scopes.tab !== "histogram") return;
    const box = canvas.getBoundingClientRect();
    light(Math.min(255, Math.max(0, Math.round(((event.clientX - box.left) / box.width) * 255))));
  });
  canvas.addEventListener("pointerleave", () => light(null));

  store.subscribe((s) => [s.scopes, s.canvas], ([scopes]) => {
    element.hidden = !scopes.shown;
    tabs.forEach((tab, index) => {
      setAttribute(tab, "aria-selected", TABS[index][0] === scopes.tab);
    });
    setAttribute(canvas, "aria-label", TABS.find(([tab]) => tab === scopes.tab)[1]);
    draw();
  });

  return {
    element,
    /** Shows what is clipped on the picture, or ends that. */
    toggleClipping: () => toggleClipping(),
    /** A frame was drawn. */
    frame(header) {
      bin = null;
      // Final frames bring the engine's own counts; while dragging they are made here.
      histogram = header.histogram ?? null;
      clearTimeout(timer);
      const wait = PAUSE - (performance.now() - last);
      if (header.final || wait <= 0) timer = setTimeout(draw, 0);
      else timer = setTimeout(draw, wait);
    },
  };
}
