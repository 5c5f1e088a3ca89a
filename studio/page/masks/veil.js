// Shows where a mask is: red over the picture, at reduced size, scaled up softly by the browser.
import { h } from "../core/dom.js";
import { createGrid } from "./grid.js";
import { filtersOf } from "./groups.js";
import { createRaster } from "./raster.js";
import { readsColours } from "./tree.js";

/** Long edge of the grid on which masks are found. */
const EDGE = 320;
const RED = [255, 44, 32];
const MOST = 0.55;

export function createVeil({ tool, view, store, stage }) {
  const canvas = h("canvas", { class: "mask-veil", hidden: true, "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  stage.element.append(canvas);
  const raster = createRaster();
  let drawn = [];
  /** The grid over what is seen, and what it was made for. */
  let known = { key: [], grid: null };
  let image = null;
  let scheduled = false;

  function isWanted() {
    const { mode, masks, holding, dragging, compare } = store.state;
    const { group } = tool;
    if (mode !== "masks" || !group || holding || compare !== "off") return false;
    if (masks.overlay || masks.dragging) return true;
    // A group that does nothing yet cannot be seen otherwise.
    return filtersOf(group).length === 0 && dragging === null;
  }

  function draw() {
    scheduled = false;
    const place = isWanted() ? view.place() : null;
    canvas.hidden = !place;
    if (!place) {
      drawn = [];
      return;
    }
    const { mask } = tool.group;
    const coloured = readsColours(mask);
    const area = view.seen();
    const key = [mask, place, area.x, area.y, area.width, area.height, coloured ? stage.painter.frame : null];
    if (key.every((part, index) => part === drawn[index])) return;
    drawn = key;
    paint(mask, place, area, coloured);
  }

  function paint(mask, place, area, coloured) {
    const scale = Math.min(1, EDGE / Math.max(area.width, area.height));
    const width = Math.max(1, Math.round(area.width * scale));
    const height = Math.max(1, Math.round(area.height * scale));
    const key = [place, area.x, area.y, area.width, area.height];
    if (!known.grid || key.some((part, index) => part !== known.key[index])) {
      known = { key, grid: createGrid(place, area, width, height) };
    }
    const values = raster(mask, { ...known.grid, pixels: coloured ? view.pixels(area, width, height) : null });
    if (canvas.width !== width || canvas.height !== height || !image) {
      canvas.width = width;
      canvas.height = height;
      image = context.createImageData(width, height);
      for (let i = 0; i < image.data.length; i += 4) image.data.set(RED, i);
    }
    for (let i = 0; i < values.length; i++) image.data[i * 4 + 3] = values[i] * MOST * 255;
    context.putImageData(image, 0, 0);
    const { style } = canvas;
    style.transform = `translate(${area.x}px, ${area.y}px)`;
    style.width = `${area.width}px`;
    style.height = `${area.height}px`;
  }

  /** Once for each animation frame, whatever happens in it. */
  function request() {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(draw);
  }
  store.subscribe((s) => [s.mode, s.edit, s.masks, s.holding, s.compare, s.dragging, s.canvas], request);
  stage.painter.onPaint(() => store.state.mode === "masks" && request());
  return canvas;
}
