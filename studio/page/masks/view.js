// The picture as the masks tool sees it: where masks lie in it, and what colours it has.
import { oklab } from "../scopes/lightness.js";
import { cropFlags, cropFilters } from "../adjust/sections.js";
import { frameRect } from "../stage/viewport.js";
import { createPlace } from "./place.js";

/** Device pixels around a place whose mean is its colour. */
const SPOT = 7;

export function createMasksView({ store, stage }) {
  const small = new OffscreenCanvas(1, 1);
  const context = small.getContext("2d", { willReadFrequently: true, alpha: false });
  let last = { key: [], place: null };
  let told = { places: null, text: "" };

  /** The rectangle of the whole edited picture, in CSS pixels of the stage; null without a picture. */
  function rect() {
    const device = stage.painter.rect;
    const { ratio } = store.state.canvas;
    const header = stage.painter.frame?.header;
    // Until a photo's first frame is there, the one before it is shown; behind the crop tool, one without the crop.
    if (!device || header?.photo !== store.state.photo || header.uncropped) return null;
    return { x: device.x / ratio, y: device.y / ratio, width: device.width / ratio, height: device.height / ratio };
  }

  /** Whether the colours that reach the first group are those of the photo itself. */
  function isPlain() {
    const { edit, welcome } = store.state;
    const flags = cropFlags(welcome.filters);
    const moves = edit.base.every(({ filter }) => cropFilters.has(filter));
    return !edit.look && moves && Object.keys(edit.values).every((flag) => flags.has(flag));
  }

  /**
   * Where colours are read: an image, the place in it of the stage's corner, and its pixels per CSS pixel. Masks read
   * what reaches the first group: the original, if nothing comes before; else, nearly, what is shown.
   */
  function source() {
    const { ratio } = store.state.canvas;
    const { original } = stage.painter;
    if (!original || original.header.view !== stage.viewNumber || !isPlain()) {
      return { image: stage.canvas, x: 0, y: 0, across: ratio, down: ratio };
    }
    const to = frameRect(original.header, stage.painter.rect);
    const across = original.surface.width / to.width;
    const down = original.surface.height / to.height;
    const [x, y] = [-to.x * across, -to.y * down];
    return { image: original.surface, x, y, across: across * ratio, down: down * ratio };
  }

  const view = {
    rect,
    /** The way between masks and CSS pixels of the stage: through the geometry of the picture that is shown. */
    place() {
      const { info, photo } = store.state;
      const area = rect();
      if (!area || !info || info.photo !== photo) return null;
      const { places } = stage.painter.frame.header;
      // Each frame brings its own, which are mostly those of the one before.
      if (places !== told.places) told = { places, text: JSON.stringify(places) };
      const key = [told.text, info, area.x, area.y, area.width, area.height];
      if (!last.place || key.some((part, index) => part !== last.key[index])) {
        last = { key, place: createPlace(places, { width: info.width, height: info.height }, area) };
      }
      return last.place;
    },
    /** The part of the stage that shows picture. */
    seen() {
      const area = rect();
      const { canvas } = store.state;
      const x = Math.max(0, area.x);
      const y = Math.max(0, area.y);
      return {
        x,
        y,
        width: Math.max(1, Math.min(canvas.width / canvas.ratio, area.x + area.width) - x),
        height: Math.max(1, Math.min(canvas.height / canvas.ratio, area.y + area.height) - y),
      };
    },
    /** Whether a place of the stage shows picture. */
    shows({ x, y }) {
      const area = rect();
      const [across, down] = area ? [(x - area.x) / area.width, (y - area.y) / area.height] : [-1, -1];
      return across >= 0 && down >= 0 && across < 1 && down < 1;
    },
    /** The pixels that masks read in a rectangle of the stage, RGBA of `width` × `height`. */
    pixels(area, width, height) {
      small.width = width;
      small.height = height;
      context.imageSmoothingQuality = "low";
      const { image, x, y, across, down } = source();
      const from = [x + area.x * across, y + area.y * down, area.width * across, area.height * down];
      context.drawImage(image, ...from, 0, 0, width, height);
      return context.getImageData(0, 0, width, height).data;
    },
    /** The colour at a place of the stage: `{ hex, lightness }`. */
    sample({ x, y }) {
      const side = SPOT / store.state.canvas.ratio;
      const data = view.pixels({ x: x - side / 2, y: y - side / 2, width: side, height: side }, SPOT, SPOT);
      const mean = [0, 1, 2].map((channel) => {
        let sum = 0;
        for (let i = channel; i < data.length; i += 4) sum += data[i];
        return Math.round(sum / (SPOT * SPOT));
      });
      const hex = `#${mean.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
      return { hex, lightness: oklab(...mean)[0] };
    },
  };
  return view;
}
