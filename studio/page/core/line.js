// A worker that holds the connection and decodes pictures: neither waits while the page lays itself out.
import { parseBinary, stripesOf } from "./binary.js";

let socket = null;
/** Reused: a canvas for each frame would be hundreds of megabytes a second for the collector. */
let canvas = null;

/** On a clock that the page shares. */
const now = () => performance.timeOrigin + performance.now();

/** With `colorSpaceConversion: "none"` Chromium takes half as long again; frames are sRGB, as the canvas is. */
const decode = (bytes) => createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));

/** One picture of a frame's stripes: scaled one by one, they would show seams. */
async function decoded(header, payload) {
  const stripes = stripesOf(header, payload);
  // Of one size all at once, on as many threads.
  const bitmaps = await Promise.all(stripes.map(({ bytes }) => decode(bytes)));
  if (bitmaps.length === 1) return bitmaps[0];
  const { width, height } = header.picture;
  if (canvas?.width !== width || canvas?.height !== height) canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { alpha: false });
  bitmaps.forEach((bitmap, index) => {
    context.drawImage(bitmap, 0, stripes[index].y);
    bitmap.close();
  });
  return canvas.transferToImageBitmap();
}

async function frame(header, payload, received) {
  try {
    const surface = await decoded(header, payload);
    postMessage({ type: "frame", header, surface, received, decoded: now() }, [surface]);
  } catch {
    postMessage({ type: "frame", header, surface: null, received, decoded: now() });
  }
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
