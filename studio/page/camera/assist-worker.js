// Zebra and peaking beside the page: looking at pixels must not hold up the frames.
import { painted, peakingOf, zebraOf } from "./kernels.js";

const WHITE = [255, 255, 255, 255];
/** The accent is yellow and clipping is red: what is sharp is green. */
const EDGE = [80, 255, 110, 255];

const bitmap = (pixels, width, height) => createImageBitmap(new ImageData(pixels, width, height));

onmessage = async ({ data: { frame, zebra, peaking } }) => {
  const { width, height } = frame;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true, alpha: false });
  context.drawImage(frame, 0, 0);
  frame.close();
  const { data } = context.getImageData(0, 0, width, height);
  const found = { bright: null, clipped: null, edges: null };
  if (zebra) {
    const zones = zebraOf(data);
    found.bright = await bitmap(painted(zones, 1, WHITE), width, height);
    found.clipped = await bitmap(painted(zones, 2, WHITE), width, height);
  }
  if (peaking) found.edges = await bitmap(painted(peakingOf(data, width, height), 1, EDGE), width, height);
  postMessage(found, Object.values(found).filter(Boolean));
};
