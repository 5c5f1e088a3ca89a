// The colours that this page can show: Display P3 where the screen has them and the browser's canvas holds them, else sRGB.

/** Whether a 2D canvas keeps the colours of a space; browsers that know none ignore the wish. */
function holds(colorSpace) {
  try {
    const context = new OffscreenCanvas(1, 1).getContext("2d", { colorSpace });
    return context.getContextAttributes?.().colorSpace === colorSpace;
  } catch {
    return false;
  }
}

/** "srgb" or "display-p3". It holds for as long as the page does: a canvas keeps the space that it was made with. */
export const screenSpace =
  globalThis.matchMedia?.("(color-gamut: p3)").matches && holds("display-p3") ? "display-p3" : "srgb";
