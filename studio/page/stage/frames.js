// Frames from bytes to the screen: decoded together, drawn in one animation frame, never an older over a newer.
import { stripesOf } from "../core/binary.js";

/** With `colorSpaceConversion: "none"` Chromium takes half as long again; frames are sRGB, as the canvas is. */
const decode = (bytes) => createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));

/** Canvases that are free again: one per frame would be hundreds of megabytes a second for the collector. */
const free = new Set();
const KEPT = 4;

function freeCanvas(width, height) {
  const canvas = [...free].find(
    (one) => one.width === width && one.height === height,
  ) ?? new OffscreenCanvas(width, height);
  free.delete(canvas);
  canvas.close = () => {
    free.add(canvas);
    if (free.size > KEPT) free.delete(free.values().next().value);
  };
  return canvas;
}

/** One canvas of a frame's stripes: scaled one by one, they would show seams. */
function assembled(frame) {
  if (frame.stripes.length === 1) return frame.stripes[0].bitmap;
  const canvas = freeCanvas(frame.picture.width, frame.picture.height);
  const context = canvas.getContext("2d", { alpha: false });
  for (const { bitmap, y } of frame.stripes) context.drawImage(bitmap, 0, y);
  for (const { bitmap } of frame.stripes) bitmap.close();
  return canvas;
}

/**
 * @param {object} handlers `wanted(header)`: whether a frame still belongs on the screen;
 *   `show(frames)`: draws, in an animation frame; `acknowledge(number)`; `drawn(frame, time)`; `failed(error)`
 */
export function createFrames({ wanted, show, acknowledge, drawn, failed }) {
  const newest = { edited: 0, original: 0 };
  let decoded = [];
  let scheduled = false;

  function present() {
    scheduled = false;
    const fresh = [];
    for (const frame of decoded.sort((a, b) => a.header.frame - b.header.frame)) {
      const { header } = frame;
      // A frame that came late is dropped, but told: the server counts what it waits for.
      if (wanted(header) && header.frame > newest[header.kind]) {
        newest[header.kind] = header.frame;
        const older = fresh.findIndex((other) => other.header.kind === header.kind);
        if (older >= 0) fresh.splice(older, 1)[0].surface.close?.();
        fresh.push(frame);
      } else {
        frame.surface.close?.();
      }
    }
    const all = decoded;
    decoded = [];
    if (fresh.length) show(fresh);
    const time = performance.now();
    for (const frame of all) acknowledge(frame.header.frame);
    for (const frame of fresh) drawn(frame, time);
  }

  return {
    /** A connection's frames are numbered from its start. */
    restart() {
      newest.edited = 0;
      newest.original = 0;
    },
    async receive(header, payload, received) {
      try {
        const stripes = stripesOf(header, payload);
        const bitmaps = await Promise.all(stripes.map(({ bytes }) => decode(bytes)));
        const parts = stripes.map(({ y }, index) => ({ y, bitmap: bitmaps[index] }));
        const surface = assembled({ stripes: parts, picture: header.picture });
        decoded.push({ header, surface, received, decoded: performance.now() });
      } catch (error) {
        acknowledge(header.frame);
        failed(error);
        return;
      }
      if (!scheduled) {
        scheduled = true;
        requestAnimationFrame(present);
      }
    },
  };
}
