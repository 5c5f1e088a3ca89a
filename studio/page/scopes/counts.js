// Histograms, waveforms and vectorscopes as counts, from RGBA pixels. No DOM.
import { lightnessBins } from "./lightness.js";

/** As the server sends it, of RGBA in a colour space: 256 counts each, and the fractions of pixels at the ends. */
export function histogramOf(data, space = "srgb") {
  const lightness = new Uint32Array(256);
  const [red, green, blue] = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)];
  const bins = lightnessBins(data, space);
  let low = 0;
  let high = 0;
  for (let i = 0, j = 0; j < bins.length; i += 4, j++) {
    lightness[bins[j]]++;
    red[data[i]]++;
    green[data[i + 1]]++;
    blue[data[i + 2]]++;
    if (data[i] === 0 && data[i + 1] === 0 && data[i + 2] === 0) low++;
    if (data[i] === 255 || data[i + 1] === 255 || data[i + 2] === 255) high++;
  }
  const total = Math.max(1, bins.length);
  return { lightness, red, green, blue, clippedLow: low / total, clippedHigh: high / total };
}

/** For each column of the picture how many pixels have each code value: `counts[channel][value * columns + column]`. */
export function waveformOf(data, width, height, columns, channels) {
  const counts = channels.map(() => new Uint16Array(256 * columns));
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const column = Math.floor((x * columns) / width);
      channels.forEach((channel, index) => {
        // BT.709 luma, as waveform monitors show it.
        const value =
          channel === "luma"
            ? Math.round(0.2126 * data[i] + 0.7152 * data[i + 1] + 0.0722 * data[i + 2])
            : data[i + "rgb".indexOf(channel)];
        counts[index][value * columns + column]++;
      });
    }
  }
  return counts;
}

/** How many pixels have each Cb, Cr (BT.709), on a square of `size`: red is up and to the left. */
export function vectorscopeOf(data, size) {
  const counts = new Uint16Array(size * size);
  for (let i = 0; i < data.length; i += 4) {
    const luma = 0.2126 * data[i] + 0.7152 * data[i + 1] + 0.0722 * data[i + 2];
    const cb = (data[i + 2] - luma) / 1.8556 / 255;
    const cr = (data[i] - luma) / 1.5748 / 255;
    const x = Math.min(size - 1, Math.max(0, Math.floor((0.5 + cb) * size + 1e-6)));
    const y = Math.min(size - 1, Math.max(0, Math.floor((0.5 - cr) * size + 1e-6)));
    counts[y * size + x]++;
  }
  return counts;
}

/** Heights 0…1 of a histogram: the root keeps small counts visible; a few full bins (a border) do not flatten it. */
export function heightsOf(counts) {
  const inner = Array.from(counts).slice(1, 255).sort((a, b) => a - b);
  const top = Math.max(1, inner[Math.floor(inner.length * 0.995)] ?? 1);
  return Array.from(counts, (count) => Math.min(1, Math.sqrt(count / top)));
}
