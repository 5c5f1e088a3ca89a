// Scopes on a small canvas, in device pixels.
import { heightsOf, vectorscopeOf, waveformOf } from "./counts.js";

const colours = { r: [255, 84, 72], g: [82, 214, 104], b: [78, 142, 255], luma: [225, 225, 225] };

export function drawHistogram(context, { width, height }, histogram, { rgb, bin }) {
  context.clearRect(0, 0, width, height);
  const area = (counts, fill) => {
    const heights = heightsOf(counts);
    context.beginPath();
    context.moveTo(0, height);
    heights.forEach((part, index) => context.lineTo((index / 255) * width, height - part * (height - 2)));
    context.lineTo(width, height);
    context.closePath();
    context.fillStyle = fill;
    context.fill();
  };
  if (rgb) {
    context.globalCompositeOperation = "lighter";
    area(histogram.red, "rgb(150 28 26)");
    area(histogram.green, "rgb(24 122 34)");
    area(histogram.blue, "rgb(26 44 168)");
    context.globalCompositeOperation = "source-over";
  } else {
    area(histogram.lightness, "rgb(255 255 255 / .62)");
  }
  if (bin !== null) {
    context.fillStyle = "oklch(0.86 0.17 92)";
    context.fillRect(Math.round((bin / 255) * (width - 2)), 0, Math.max(2, width / 128), height);
  }
}

/** Counts as light: each channel adds its colour. */
function paintCounts(context, layers, columns, rows, area, gain) {
  const image = context.createImageData(columns, rows);
  for (const { counts, colour } of layers) {
    for (let i = 0; i < counts.length; i++) {
      if (!counts[i]) continue;
      const light = Math.min(1, Math.sqrt(counts[i] * gain));
      for (let c = 0; c < 3; c++) image.data[i * 4 + c] = Math.min(255, image.data[i * 4 + c] + colour[c] * light);
      image.data[i * 4 + 3] = 255;
    }
  }
  const layer = new OffscreenCanvas(columns, rows);
  layer.getContext("2d").putImageData(image, 0, 0);
  context.imageSmoothingEnabled = true;
  context.drawImage(layer, area.x, area.y, area.width, area.height);
}

/** Values grow upwards on a monitor, downwards in an image. */
function upright(counts, columns) {
  const turned = new Uint16Array(counts.length);
  for (let value = 0; value < 256; value++) {
    turned.set(counts.subarray(value * columns, (value + 1) * columns), (255 - value) * columns);
  }
  return turned;
}

function levels(context, { width, height }) {
  context.fillStyle = "rgb(255 255 255 / .1)";
  for (const part of [0, 0.25, 0.5, 0.75, 1]) context.fillRect(0, Math.round(part * (height - 1)), width, 1);
}

export function drawWaveform(context, size, pixels) {
  context.clearRect(0, 0, size.width, size.height);
  levels(context, size);
  const columns = 220;
  const [counts] = waveformOf(pixels.data, pixels.width, pixels.height, columns, ["luma"]);
  paintCounts(
    context,
    [{ counts: upright(counts, columns), colour: colours.luma }],
    columns,
    256,
    { x: 0, y: 0, ...size },
    14 / pixels.height,
  );
}

export function drawParade(context, size, pixels) {
  context.clearRect(0, 0, size.width, size.height);
  levels(context, size);
  const columns = 80;
  const channels = ["r", "g", "b"];
  const third = size.width / 3;
  waveformOf(pixels.data, pixels.width, pixels.height, columns, channels).forEach((counts, index) => {
    const area = { x: index * third + 2, y: 0, width: third - 4, height: size.height };
    paintCounts(
      context,
      [{ counts: upright(counts, columns), colour: colours[channels[index]] }],
      columns,
      256,
      area,
      6 / pixels.height,
    );
  });
}

/** BT.709 chroma of the primaries and secondaries, at 75 %. */
const targets = {
  R: [-0.1146, 0.5],
  Mg: [0.3854, 0.4542],
  B: [0.5, -0.0458],
  Cy: [0.1146, -0.5],
  G: [-0.3854, -0.4542],
  Yl: [-0.5, 0.0458],
};

export function drawVectorscope(context, size, pixels) {
  context.clearRect(0, 0, size.width, size.height);
  const side = Math.min(size.width, size.height);
  const left = (size.width - side) / 2;
  const place = ([cb, cr], part) => [left + (0.5 + cb * part) * side, (0.5 - cr * part) * side];
  context.strokeStyle = "rgb(255 255 255 / .14)";
  context.lineWidth = Math.max(1, side / 160);
  context.beginPath();
  context.arc(left + side / 2, side / 2, side / 2 - 1, 0, 2 * Math.PI);
  context.moveTo(left + side / 2, 0);
  context.lineTo(left + side / 2, side);
  context.moveTo(left, side / 2);
  context.lineTo(left + side, side / 2);
  context.stroke();
  const cells = 128;
  const counts = vectorscopeOf(pixels.data, cells);
  context.globalCompositeOperation = "lighter";
  paintCounts(
    context,
    [{ counts, colour: [150, 235, 190] }],
    cells,
    cells,
    { x: left, y: 0, width: side, height: side },
    160 / (pixels.width * pixels.height / 100),
  );
  context.globalCompositeOperation = "source-over";
  context.font = `${Math.round(side / 13)}px ui-monospace, monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = "rgb(255 255 255 / .55)";
  for (const [name, chroma] of Object.entries(targets)) context.fillText(name, ...place(chroma, 0.82));
  // The line that skin lies on, whoever's it is: 123° from the blue–yellow axis.
  const skin = (123 * Math.PI) / 180;
  context.strokeStyle = "rgb(255 255 255 / .3)";
  context.beginPath();
  context.moveTo(...place([0, 0], 1));
  context.lineTo(...place([Math.cos(skin) * 0.46, Math.sin(skin) * 0.46], 1));
  context.stroke();
}
