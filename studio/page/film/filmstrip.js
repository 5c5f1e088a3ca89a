// The photos of the folder. Only cells in sight exist, and only their thumbnails are asked for.
import { h, setAttribute } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { markText } from "../library/mark-control.js";
import { edgeToFill } from "../library/sight.js";
import { createThumbnails } from "./thumbnails.js";
import { scrollFor, visibleRange } from "./visible.js";

const PITCH = 60;
const SIZE = 54;
/** Decoded thumbnails kept as bytes: enough to scroll back a while. */
const KEPT = 400;

/** @param {object} parts `shown`: the photos that the filter lets through; `marks.of(photo)` */
export function createFilmstrip({ store, session, socket, shown, marks }) {
  const runway = h("div", { class: "film-runway", role: "list" });
  const element = h("nav", { class: "filmstrip", "aria-label": "Photos", hidden: true }, runway);
  const thumbnails = createThumbnails();
  /** Cells in the page, by index. */
  const cells = new Map();
  const images = new Map();
  let asked = new Set();
  let scheduled = false;

  /** Device pixels of a thumbnail's longer edge. */
  const size = () => edgeToFill(SIZE * store.state.canvas.ratio * (element.currentCSSZoom ?? 1));
  /** The photo that is open stays in the strip, even if a mark has just taken it out of what is shown. */
  let held = { of: null, photo: null, list: [] };
  function photos() {
    const { welcome, photo } = store.state;
    if (photo === null || shown.indexOf(photo) >= 0) return shown.list;
    if (held.of !== shown.list || held.photo !== photo) {
      const kept = new Set(shown.list.map((one) => one.photo).concat(photo));
      held = { of: shown.list, photo, list: (welcome?.photos ?? []).filter((one) => kept.has(one.photo)) };
    }
    return held.list;
  }

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
    fit();
    const missing = [];
    for (let index = first; index < last; index++) {
      const { photo } = list[index];
      if (!cells.has(index)) cells.set(index, createCell(index, list[index], list.length));
      setAttribute(cells.get(index).place, "aria-setsize", list.length);
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
      h("span", { class: "film-flag" }, icon("pick"), icon("reject")),
      h("span", { class: "stars" }),
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
    return { photo, name, button, image, place };
  }

  function mark() {
    const { photo } = store.state;
    for (const { button, place, photo: own, name } of cells.values()) {
      const given = marks.of(own);
      setAttribute(button, "aria-current", own === photo ? "true" : null);
      setAttribute(button, "data-flag", given.flag);
      setAttribute(place, "data-color", given.color);
      setAttribute(button, "data-rating", given.rating);
      setAttribute(button, "aria-label", [name, markText(given)].filter(Boolean).join(", "));
      button.lastElementChild.style.setProperty("--rating", given.rating);
    }
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

  const fit = () => {
    runway.style.width = `${photos().length * PITCH}px`;
  };
  /** Shown only if there are several photos. */
  function expect(count) {
    element.hidden = count < 2;
    document.body.classList.toggle("has-film", count > 1);
  }
  store.subscribe((s) => s.welcome, (welcome) => {
    expect(welcome?.photos.length ?? 0);
    asked = new Set();
    fit();
    schedule();
  });
  store.subscribe((s) => [s.marks, s.filter, s.edited], schedule);
  store.subscribe((s) => s.photo, (photo) => {
    const index = photos().findIndex((other) => other.photo === photo);
    fit();
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
    const { photo, info, mode } = store.state;
    // The camera's look is an edit too, but of no photo in the strip.
    if (!info || info.photo !== photo || element.hidden || mode === "camera") return;
    socket.send({ type: "thumbnails", photos: [photo], size: size() });
  });

  return {
    element,
    /** So many photos are to come: the strip takes its place. */
    expect,
    /** These photos look different now. */
    renew(photos) {
      const known = photos.filter((photo) => images.has(photo));
      if (known.length && !element.hidden) socket.send({ type: "thumbnails", photos: known, size: size() });
    },
    /** A thumbnail for the strip; those that the grid asks for are of other sizes. */
    thumbnail(header, payload) {
      if (header.edge !== undefined && header.edge !== size()) return;
      // The message's bytes are shared with nothing else, so they may be kept.
      images.delete(header.photo);
      images.set(header.photo, payload);
      asked.delete(header.photo);
      if (images.size > KEPT) images.delete(images.keys().next().value);
      for (const cell of cells.values()) if (cell.photo === header.photo) thumbnails.show(cell.image, payload);
    },
  };
}
