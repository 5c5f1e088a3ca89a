// A line at the upper edge while a photo is read. One that comes at once needs no sign that it is coming.
import { h } from "../core/dom.js";

const PAUSE = 250;

export function createLoading(store) {
  const element = h("div", { class: "loading", role: "progressbar", "aria-label": "Loading the photo", hidden: true });
  let timer = 0;
  store.subscribe((s) => s.loading, (busy) => {
    clearTimeout(timer);
    if (busy) timer = setTimeout(() => (element.hidden = false), PAUSE);
    else element.hidden = true;
  });
  return element;
}
