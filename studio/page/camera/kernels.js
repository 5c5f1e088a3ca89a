// Zebra and peaking from RGBA pixels. No DOM: a worker runs them.

/** 95 % of full scale, of BT.709 luma; and what counts as full scale after a JPEG's rounding. */
const BRIGHT = 242;
const CLIPPED = 254;

/** BT.709 luma of each pixel, 0…255. */
export function lumaOf(data) {
  const luma = new Float32Array(data.length / 4);
  for (let i = 0, j = 0; j < luma.length; i += 4, j++) {
    luma[j] = 0.2126 * data[i] + 0.7152 * data[i + 1] + 0.0722 * data[i + 2];
  }
  return luma;
}

/** 0 for most pixels, 1 from 95 % on, 2 where a channel is clipped. */
export function zebraOf(data) {
  const luma = lumaOf(data);
  const zones = new Uint8Array(luma.length);
  for (let i = 0, j = 0; j < zones.length; i += 4, j++) {
    if (data[i] >= CLIPPED || data[i + 1] >= CLIPPED || data[i + 2] >= CLIPPED) zones[j] = 2;
    else if (luma[j] >= BRIGHT) zones[j] = 1;
  }
  return zones;
}

/**
 * 1 where the picture is sharp: where its second difference is large beside its slope over a wider way. A soft edge is
 * as high, but not as sudden.
 */
export function peakingOf(data, width, height, threshold = 18) {
  const luma = lumaOf(data);
  const edges = new Uint8Array(luma.length);
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const i = y * width + x;
      const across = Math.abs(luma[i - 1] - luma[i + 1]);
      const along = Math.abs(luma[i - width] - luma[i + width]);
      const near = Math.max(across, along);
      if (near < threshold) continue;
      const step = across >= along ? 1 : width;
      const far = Math.abs(luma[i - 2 * step] - luma[i + 2 * step]);
      // A step: all of the way is between the two neighbours. A ramp goes on: twice as far, twice as high.
      if (near < 0.72 * far) continue;
      // Only the steepest pixel across an edge, so that lines are thin.
      if (near > Math.abs(luma[i - 2 * step] - luma[i]) && near >= Math.abs(luma[i] - luma[i + 2 * step])) edges[i] = 1;
    }
  }
  return edges;
}

/** RGBA of a colour (0…255 each) where `zones` has a value, transparent elsewhere. */
export function painted(zones, value, [red, green, blue, alpha], target = new Uint8ClampedArray(zones.length * 4)) {
  for (let j = 0; j < zones.length; j++) {
    if (zones[j] !== value) continue;
    target[j * 4] = red;
    target[j * 4 + 1] = green;
    target[j * 4 + 2] = blue;
    target[j * 4 + 3] = alpha;
  }
  return target;
}
