// The picture while a slider is dragged: frames smaller than the screen, handed to the browser as they are, which scales
// them as it puts the page together. Drawn into the canvas of the stage, each would be scaled by the page itself first.
import { h } from "../core/dom.js";

export function createMotion(stageCanvas) {
  const canvas = h("canvas", { class: "motion", hidden: true, "aria-hidden": "true" });
  const context = canvas.getContext("bitmaprenderer", { alpha: false });
  let placed = "";

  function place(to, ratio) {
    const key = [to.x, to.y, to.width, to.height, ratio].join();
    if (key === placed) return;
    placed = key;
    const { style } = canvas;
    style.left = `${to.x / ratio}px`;
    style.top = `${to.y / ratio}px`;
    style.width = `${to.width / ratio}px`;
    style.height = `${to.height / ratio}px`;
  }

  return {
    element: canvas,
    get isShown() {
      return !canvas.hidden;
    },
    place,
    /** Shows a picture, which it takes, in a rectangle of device pixels; `whole`: nothing else is to be seen beside it. */
    show(picture, to, ratio, whole) {
      if (canvas.width !== picture.width || canvas.height !== picture.height) {
        canvas.width = picture.width;
        canvas.height = picture.height;
      }
      context.transferFromImageBitmap(picture);
      place(to, ratio);
      canvas.hidden = false;
      // A canvas that is seen is handed over anew with every change of the page.
      stageCanvas.classList.toggle("covered", whole);
    },
    hide() {
      if (canvas.hidden) return;
      canvas.hidden = true;
      stageCanvas.classList.remove("covered");
      context.transferFromImageBitmap(null);
    },
  };
}
