// The photos of the folder. Only cells in sight exist, and only their thumbnails are asked for.
import { h, setAttribute } from "../core/dom.js";
import { createThumbnails } from "./thumbnails.js";
import { scrollFor, visibleRange } from "./visible.js";

const PITCH = 60;
const SIZE = 54;
/** Decoded thumbnails kept as bytes: enough to scroll back a while. */
const KEPT = 400;

export function createFilmstrip({ store, session, socket }) {
  const runway = h("div", { class: "film-runway", role: "list" });
  const element = h("nav", { class: "filmstrip", "aria-label": "Photos", hidden: true }, runway);
  const thumbnails = createThumbnails();
  /** Cells in the page, by index. */
  const cells = new Map();
  const images = new Map();
  let asked = new Set();
  let scheduled = false;

  /** Device pixels of a thumbnail. */
  const size = () => Math.round(SIZE * store.state.canvas.ratio * (element.currentCSSZoom ?? 1));
  const photos = () => store.state.welcome?.photos ?? [];

  function render() {
    scheduled = false;
    const list = photos();
    if (element.hidden || !element.clientWidth) return;
    const { first, last } = visibleRange({
      scroll: element.scrollLeft,
      room: element.clientWidth,
      pitch: PITCH,
      count: list.length,
    });
    for (const [index, cell] of cells) {
      if (index >= first && index < last && cell.photo === list[index].photo) continue;
      thumbnails.clear(cell.image);
      cell.place.remove();
      cells.delete(index);
    }
    const missing = [];
    for (let index = first; index < last; index++) {
      const { photo } = list[index];
      if (!cells.has(index)) cells.set(index, createCell(index, list[index], list.length));
      if (!images.has(photo) && !asked.has(photo)) missing.push(photo);
    }
    if (missing.length && socket.send({ type: "thumbnails", photos: missing, size: size() })) {
      for (const photo of missing) asked.add(photo);
    }
    mark();
  }

  function createCell(index, { photo, name }, count) {
    const image = h("img", { alt: "", draggable: "false" });
    const button = h(
      "button",
      {
        type: "button",
        class: "film-cell",
        title: name,
        "aria-label": name,
        on: { click: () => session.open(photo) },
      },
      image,
    );
    const place = h(
      "div",
      { class: "film-place", role: "listitem", "aria-setsize": count, "aria-posinset": index + 1 },
      button,
    );
    place.style.transform = `translateX(${index * PITCH}px)`;
    runway.append(place);
    const bytes = images.get(photo);
    if (bytes) thumbnails.show(image, bytes);
    return { photo, button, image, place };
  }

  function mark() {
    const { photo } = store.state;
    for (const cell of cells.values()) setAttribute(cell.button, "aria-current", cell.photo === photo ? "true" : null);
  }

  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(render);
  };
  element.addEventListener("scroll", schedule, { passive: true });
  element.addEventListener("wheel", (event) => {
    if (Math.abs(event.deltaY) <= Math.abs(event.deltaX)) return;
    element.scrollLeft += event.deltaY;
    event.preventDefault();
  }, { passive: false });
  new ResizeObserver(schedule).observe(element);

  store.subscribe((s) => s.welcome, (welcome) => {
    const list = welcome?.photos ?? [];
    element.hidden = list.length < 2;
    document.body.classList.toggle("has-film", list.length > 1);
    runway.style.width = `${list.length * PITCH}px`;
    asked = new Set();
    schedule();
  });
  store.subscribe((s) => s.photo, (photo) => {
    const index = photos().findIndex((other) => other.photo === photo);
    if (index >= 0 && element.clientWidth) {
      element.scrollLeft = scrollFor({
        index,
        scroll: element.scrollLeft,
        room: element.clientWidth,
        pitch: PITCH,
        count: photos().length,
      });
    }
    schedule();
    mark();
  });
  // An edit that was saved shows in its thumbnail too.
  store.subscribe((s) => s.undo, () => {
    const { photo, info } = store.state;
    if (!info || info.photo !== photo || element.hidden) return;
    socket.send({ type: "thumbnails", photos: [photo], size: size() });
  });

  return {
    element,
    thumbnail(header, payload) {
      // The message's bytes are shared with nothing else, so they may be kept.
      images.delete(header.photo);
      images.set(header.photo, payload);
      asked.delete(header.photo);
      if (images.size > KEPT) images.delete(images.keys().next().value);
      for (const cell of cells.values()) if (cell.photo === header.photo) thumbnails.show(cell.image, payload);
    },
  };
}
