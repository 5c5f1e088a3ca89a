// A worker that holds the connection and decodes pictures: neither waits while the page lays itself out.
import { parseBinary, stripesOf } from "./binary.js";

let socket = null;
/** Reused: a canvas for each frame would be hundreds of megabytes a second for the collector. */
let canvas = null;
let canvasSpace = "";

/** On a clock that the page shares. */
const now = () => performance.timeOrigin + performance.now();

/**
 * Pictures are in the space of the canvas and say so: nothing is converted. With `colorSpaceConversion: "none"` Chromium
 * takes half as long again, and takes Display P3 for sRGB.
 */
const decode = (bytes) => createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));

/** One picture of a frame's stripes: scaled one by one, they would show seams. */
async function decoded(header, payload) {
  const stripes = stripesOf(header, payload);
  // Of one size all at once, on as many threads.
  const bitmaps = await Promise.all(stripes.map(({ bytes }) => decode(bytes)));
  return bitmaps.length === 1 ? bitmaps[0] : joined(header, stripes, bitmaps);
}

function joined(header, stripes, bitmaps) {
  const { width, height } = header.picture;
  const colorSpace = header.space ?? "srgb";
  if (canvas?.width !== width || canvas?.height !== height || canvasSpace !== colorSpace) {
    canvas = new OffscreenCanvas(width, height);
    canvasSpace = colorSpace;
  }
  const context = canvas.getContext("2d", { alpha: false, colorSpace });
  bitmaps.forEach((bitmap, index) => {
    context.drawImage(bitmap, 0, stripes[index].y);
    bitmap.close();
  });
  return canvas.transferToImageBitmap();
}

/** Whether stripes have been tried against single pictures. */
let isRaced = false;
const ROUNDS = 2;

/**
 * Where a browser decodes one picture after the other, stripes are no faster, and have to be joined. Firefox decoded two of
 * 1440 × 960 in 22 ms, in 43 ms with joining them. ImageDecoder was no faster there (40 ms), and gave other pixels in Chromium.
 */
async function race(header, payload) {
  isRaced = true;
  const stripes = stripesOf(header, payload);
  const best = { striped: Infinity, plain: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    let start = now();
    (await decoded(header, payload)).close();
    best.striped = Math.min(best.striped, now() - start);
    // As long as one picture of all rows takes.
    start = now();
    for (const { bytes } of stripes) (await decode(bytes)).close();
    best.plain = Math.min(best.plain, now() - start);
  }
  // The server makes stripes on two threads: one picture must win clearly.
  if (best.plain < 0.75 * best.striped) postMessage({ type: "stripes", count: 1 });
}

async function frame(header, payload, received) {
  try {
    const surface = await decoded(header, payload);
    postMessage({ type: "frame", header, surface, received, decoded: now() }, [surface]);
  } catch {
    postMessage({ type: "frame", header, surface: null, received, decoded: now() });
    return;
  }
  // Of a picture at rest, so that nothing waits for it.
  if (!isRaced && header.final && header.stripes.length > 1) race(header, payload);
}

function open(url, hello) {
  const current = new WebSocket(url);
  socket = current;
  current.binaryType = "arraybuffer";
  current.onopen = () => {
    // From here, as the page may be busy.
    current.send(hello);
    postMessage({ type: "opened" });
  };
  current.onmessage = ({ data }) => {
    if (typeof data === "string") {
      postMessage({ type: "text", text: data });
      return;
    }
    const received = now();
    const { header, payload } = parseBinary(data);
    if (header.type === "frame") frame(header, payload, received);
    else postMessage({ type: "binary", header, payload, received }, [payload.buffer]);
  };
  current.onclose = () => {
    if (socket === current) postMessage({ type: "closed" });
  };
}

onmessage = ({ data }) => {
  if (data.url !== undefined) {
    open(data.url, data.hello);
  } else if (data.ends) {
    // What it still says belongs to nobody.
    const ended = socket;
    socket = null;
    ended?.close();
  } else if (socket?.readyState === WebSocket.OPEN) {
    socket.send(data.text);
  }
};
