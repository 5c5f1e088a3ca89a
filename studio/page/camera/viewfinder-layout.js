// Where the picture lies in a window full of it, and how taps become places of the sensor. No DOM.

/** CSS pixels that chrome takes at each side, where the picture leaves them free. */
const PORTRAIT = { left: 0, top: 60, right: 0, bottom: 212 };
/** On a phone on its side all that is free is where the shutter is. */
const LANDSCAPE = { left: 0, top: 0, right: Infinity, bottom: 0 };
const STRIP = 124;
const DRAWER = 340;
/** On a wall of pixels chrome is drawn larger: as style/camera-panels.css says. */
const LARGE = { from: 2800, by: 1.4 };

/** A phone on its side: the shutter is beside the picture. */
export const isBeside = (width, height) => width > height && height <= 500;

/** A window with room for a drawer beside the picture. */
export const isWide = (width, height) => width >= 900 && height > 500;

/** Chrome of a window in CSS pixels: what the picture may lie beneath, and what is taken from it. */
export function chromeOf(width, height, drawer) {
  const by = width >= LARGE.from ? LARGE.by : 1;
  const { left, top, right, bottom } = isBeside(width, height) ? LANDSCAPE : PORTRAIT;
  const chrome = { left: left * by, top: top * by, right, bottom: bottom * by, takenRight: 0, takenBottom: 0 };
  if (drawer === "looks") chrome.bottom += isBeside(width, height) ? 0 : STRIP * by;
  else if (drawer) {
    if (isWide(width, height)) chrome.takenRight = DRAWER * by;
    else if (isBeside(width, height)) chrome.takenRight = Math.round(width * 0.42);
    else {
      chrome.takenBottom = Math.round(height * 0.5);
      chrome.bottom = 0;
    }
  }
  return chrome;
}

/** Where something of `size` begins in `room`: between what is before and after it; first it frees what is after. */
function place(room, size, before, after) {
  const spare = room - size;
  if (spare >= before + after) return before + (spare - before - after) / 2;
  return Math.max(0, spare - after);
}

/**
 * The pane that the picture fills, in device pixels.
 *
 * @param {object} canvas `{ width, height, ratio }`
 * @param {object|null} full the picture's size, or null while it is not known
 */
export function viewfinderPane(canvas, full, drawer = null) {
  const { width, height, ratio } = canvas;
  if (!full || !width || !height) return { x: 0, y: 0, width: Math.max(1, width), height: Math.max(1, height) };
  const chrome = chromeOf(width / ratio, height / ratio, drawer);
  const room = { width: width - chrome.takenRight * ratio, height: height - chrome.takenBottom * ratio };
  const scale = Math.min(room.width / full.width, room.height / full.height);
  const size = { width: Math.ceil(full.width * scale), height: Math.ceil(full.height * scale) };
  return {
    x: Math.round(place(room.width, size.width, chrome.left * ratio, chrome.right * ratio)),
    y: Math.round(place(room.height, size.height, chrome.top * ratio, chrome.bottom * ratio)),
    ...size,
  };
}

/** A place of the picture shown (0…1) as a place of the frame as the sensor has it; null outside. */
export function sensorPoint(x, y, { zoom = 1, isMirrored = false } = {}) {
  if (x < 0 || y < 0 || x > 1 || y > 1) return null;
  const part = (value) => 0.5 + (value - 0.5) / zoom;
  return { x: part(isMirrored ? 1 - x : x), y: part(y) };
}
