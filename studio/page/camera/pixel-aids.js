// Stripes over what is too bright, and a colour on what is sharp: drawn over the picture, found by a worker.
import { h } from "../core/dom.js";
import { follow, patch } from "./camera-state.js";

/** Long edge of the pixels that are looked at, and the least milliseconds between two looks. */
const EDGE = 720;
const PAUSE = 80;

/** Diagonal stripes, 4 CSS pixels of 8. */
function stripes(colour) {
  const tile = new OffscreenCanvas(8, 8);
  const context = tile.getContext("2d");
  context.strokeStyle = colour;
  context.lineWidth = 3;
  context.beginPath();
  for (const x of [-8, 0, 8]) {
    context.moveTo(x - 2, 10);
    context.lineTo(x + 10, -2);
  }
  context.stroke();
  return tile;
}

export function createPixelAids(store) {
  const canvas = h("canvas", { class: "pixel-aids" });
  const context = canvas.getContext("2d");
  const layer = new OffscreenCanvas(1, 1);
  const layerContext = layer.getContext("2d");
  const bright = stripes("rgb(255 255 255 / .9)");
  const clipped = stripes("rgb(255 70 60 / .95)");
  let worker = null;
  let busy = false;
  let last = 0;
  /** Where the picture is, in CSS pixels: set by what lays out the overlays. */
  let size = { width: 0, height: 0 };

  const wanted = () => {
    const { zebra, peaking } = store.state.camera;
    return zebra || peaking;
  };

  function striped(mask, tile) {
    layerContext.globalCompositeOperation = "copy";
    layerContext.imageSmoothingEnabled = true;
    layerContext.drawImage(mask, 0, 0, layer.width, layer.height);
    layerContext.globalCompositeOperation = "source-in";
    layerContext.fillStyle = layerContext.createPattern(tile, "repeat");
    layerContext.fillRect(0, 0, layer.width, layer.height);
    context.drawImage(layer, 0, 0);
  }

  function draw({ data: found }) {
    busy = false;
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (wanted()) {
      if (found.edges) context.drawImage(found.edges, 0, 0, canvas.width, canvas.height);
      if (found.bright) striped(found.bright, bright);
      if (found.clipped) striped(found.clipped, clipped);
    }
    for (const mask of Object.values(found)) mask?.close();
  }

  follow(store, ["zebra", "peaking", "started"], (zebra, peaking, started) => {
    if (!started || !(zebra || peaking)) context.clearRect(0, 0, canvas.width, canvas.height);
  });

  return {
    element: canvas,
    place(next) {
      const [width, height] = [Math.max(1, Math.round(next.width)), Math.max(1, Math.round(next.height))];
      size = { width, height };
      if (canvas.width === width && canvas.height === height) return;
      canvas.width = layer.width = width;
      canvas.height = layer.height = height;
    },
    /** A frame was drawn: looked at unless the worker is still busy with another. */
    async frame(surface) {
      const now = performance.now();
      if (!wanted() || busy || now - last < PAUSE || !size.width) return;
      busy = true;
      last = now;
      if (!worker) {
        worker = new Worker(new URL("./assist-worker.js", import.meta.url), { type: "module" });
        worker.onmessage = draw;
        worker.onerror = () => {
          patch(store, { zebra: false, peaking: false });
          store.update({
            problem: { message: "Zebra and peaking could not be started in this browser.", remedy: "Reload the page." },
          });
        };
      }
      const scale = Math.min(1, EDGE / Math.max(surface.width, surface.height));
      const { zebra, peaking } = store.state.camera;
      try {
        const frame = await createImageBitmap(surface, {
          resizeWidth: Math.max(1, Math.round(surface.width * scale)),
          resizeHeight: Math.max(1, Math.round(surface.height * scale)),
          resizeQuality: "low",
        });
        worker.postMessage({ frame, zebra, peaking }, [frame]);
      } catch {
        // The frame was closed for a newer one in the meantime: that one is looked at.
        busy = false;
      }
    },
  };
}
