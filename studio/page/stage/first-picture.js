// The first picture: asked for and drawn while the page's own script still loads, where the page will have it.
//
// The page's skeleton (index.html) is laid out by the page's style sheet, for which scripts wait, so the place of the
// picture is known before anything that goes into the page is.
import { parseBinary, stripesOf } from "../core/binary.js";
import { screenSpace } from "../core/screen.js";
import { fitMargin, panesOf, pictureRect } from "./viewport.js";

/** The device pixels of a box in CSS pixels; browsers move both of its edges to whole ones. */
export function devicePixels({ x, y, width, height }, ratio) {
  const between = (start, length) => Math.round((start + length) * ratio) - Math.round(start * ratio);
  return { width: between(x, width), height: between(y, height) };
}

/**
 * What is asked for, in device pixels: the pane of a stage if there were no other photos, and the rows that those take.
 *
 * @param {object} stage its box with other photos beneath it, in CSS pixels: `{ x, y, width, height }`
 * @param {number} film the height of those
 */
export function wantedPicture(stage, film, ratio) {
  const among = devicePixels(stage, ratio);
  const canvas = devicePixels({ ...stage, height: stage.height + film }, ratio);
  const [pane] = panesOf(canvas, { margin: Math.round(fitMargin(stage.width) * ratio), side: false });
  return { width: pane.width, height: pane.height, film: canvas.height - among.height, space: screenSpace };
}

/** Where a frame that was asked for lies on its canvas. */
export function firstRect(header, canvas, ratio) {
  const margin = Math.round(fitMargin(canvas.width / ratio) * ratio);
  const [pane] = panesOf(canvas, { margin, side: false, most: Math.max(1, ratio) });
  return pictureRect({ mode: "fit" }, pane, header.full, header.scaled);
}

/**
 * Asks for the picture and draws it into the skeleton, while that is there.
 *
 * @returns {Promise<?object>} a frame for the stage, `{ header, surface }`; null if there is none
 */
export async function firstPicture(token) {
  const [stage, film] = [".skeleton.stage", ".skeleton.filmstrip"].map((part) => document.querySelector(part));
  const ratio = devicePixelRatio || 1;
  const { x, y, width, height } = stage.getBoundingClientRect();
  const wanted = wantedPicture({ x, y, width, height }, film.getBoundingClientRect().height, ratio);
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`/api/v1/first-picture?${new URLSearchParams(wanted)}`, { headers });
  if (response.status !== 200) return null;
  const { header, payload } = parseBinary(await response.arrayBuffer());
  const [{ bytes }] = stripesOf(header, payload);
  const surface = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  if (stage.isConnected) {
    film.hidden = header.photos < 2;
    draw(stage.firstElementChild, header, surface, ratio);
    // For who measures.
    performance.mark("first picture");
  }
  return { header, surface };
}

function draw(canvas, header, surface, ratio) {
  const size = devicePixels(canvas.getBoundingClientRect(), ratio);
  Object.assign(canvas, size);
  const { x, y, width, height } = firstRect(header, size, ratio);
  canvas.getContext("2d", { alpha: false, colorSpace: screenSpace }).drawImage(surface, x, y, width, height);
}
