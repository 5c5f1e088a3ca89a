// The grid: only cells in sight exist, and move on to other photos as it is scrolled.
import { h, setAttribute } from "../core/dom.js";
import { motionIsReduced } from "../core/spring.js";
import { createCell } from "./cell.js";
import {
  cellsInSight,
  firstSize,
  gridLayout,
  indexNear,
  placeOf,
  scrollAnchored,
  scrollToShow,
  sizes,
} from "./layout.js";
import { createPace, edgeFor, edgeToFill, orderOf } from "./sight.js";

const KEPT = "safelight-grid-size";
const SPARE = 2;
const RESIZE = { duration: 220, easing: "cubic-bezier(.2, .8, .2, 1)" };

/**
 * @param {object} parts `store`, `shown`, `marks`, `pictures`, `send(message)`; `work(photo)`: how far work on it is
 */
export function createGrid({ store, shown, marks, pictures, send, work }) {
  const runway = h("div", { class: "grid-runway", role: "none" });
  const element = h(
    "div",
    {
      class: "grid",
      role: "listbox",
      tabindex: "0",
      "aria-label": "Photos",
      "aria-multiselectable": "true",
      "aria-orientation": "horizontal",
    },
    runway,
  );
  const cells = new Map();
  const free = [];
  let layout = gridLayout({ width: 0, count: 0, size: sizes[0] });
  let room = 0;
  let scheduled = false;
  let size = null;
  let lastScroll = 0;
  let way = 1;
  let lastSight = "";
  const changes = new Set();

  const isOpen = () => store.state.room === "grid" && room > 0;
  const scale = () => (element.clientWidth >= 2800 ? 1.3 : 1);
  const edge = () =>
    (layout.plain ? edgeToFill : edgeFor)(layout.cell.width * Math.max(1, devicePixelRatio || 1));

  function stored() {
    try {
      const number = Number(localStorage.getItem(KEPT) ?? NaN);
      return sizes[number] ? number : null;
    } catch {
      return null;
    }
  }

  function measure() {
    room = element.clientHeight;
    if (room === 0) return;
    size ??= stored() ?? firstSize(element.clientWidth);
    layout = gridLayout({ width: element.clientWidth, count: shown.list.length, size: sizes[size], scale: scale() });
    runway.style.height = `${layout.height}px`;
    element.classList.toggle("plain", layout.plain);
    element.style.setProperty("--foot", `${layout.foot}px`);
    element.style.setProperty("--scale", scale());
  }

  const focusIndex = () => (store.state.selection.focus === null ? -1 : shown.indexOf(store.state.selection.focus));

  function showCell(cell, index, focus) {
    const { photo, name } = shown.list[index];
    const { selection, edited } = store.state;
    cell.show({
      photo,
      title: name,
      index,
      count: layout.count,
      image: pictures.image(photo),
      failure: pictures.failure(photo),
      mark: marks.of(photo),
      edited: edited.has(photo),
      chosen: selection.ids.has(photo),
      focused: index === focus,
      work: work(photo),
    });
  }

  function render() {
    scheduled = false;
    if (!isOpen()) return;
    const scroll = element.scrollTop;
    if (scroll !== lastScroll) way = Math.sign(scroll - lastScroll);
    const { first, last } = cellsInSight(layout, scroll, room, SPARE);
    for (const [index, cell] of cells) {
      if (index >= first && index < last) continue;
      cells.delete(index);
      free.push(cell);
    }
    const focus = focusIndex();
    for (let index = first; index < last; index++) {
      let cell = cells.get(index);
      if (!cell) {
        cell = free.pop() ?? createCell();
        cell.place(placeOf(layout, index), layout.cell);
        cells.set(index, cell);
        if (!cell.element.isConnected) runway.append(cell.element);
      }
      showCell(cell, index, focus);
    }
    // Cells that are left over after a jump or with larger cells leave the page, and wait.
    for (const cell of free) {
      if (!cell.element.isConnected) continue;
      cell.clear();
      cell.element.remove();
    }
    setAttribute(element, "aria-activedescendant", cells.has(focus) ? `cell-${focus}` : null);
    lastScroll = scroll;
  }

  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(render);
  };

  const pace = createPace(ask);
  function ask() {
    const list = shown.list;
    let photos = [];
    if (isOpen()) {
      const { first, last } = cellsInSight(layout, element.scrollTop, room);
      const spare = layout.columns * 3;
      const order = orderOf({ first, last, count: list.length, columns: layout.columns, way, spare });
      photos = order.map((index) => list[index].photo).filter((photo) => !pictures.isEnough(photo, edge()));
    }
    const message = { type: "sight", photos, size: edge() };
    const text = JSON.stringify(message);
    if (text !== lastSight && (photos.length > 0 || lastSight !== "") && send(message)) lastSight = text;
  }

  element.addEventListener("scroll", () => {
    schedule();
    pace.moved(element.scrollTop, room);
  }, { passive: true });

  /** Lays out anew, with a cell kept where it was; softly, cells move to their new places where motion is welcome. */
  function relayout(index = null, at = null, soft = false) {
    const before = soft && !motionIsReduced() ? positions() : null;
    const held = index ?? (room > 0 ? indexNear(layout, 0, element.scrollTop + layout.cell.height / 2) : null);
    const middle = at ?? (held === null ? 0 : placeOf(layout, held).y + layout.cell.height / 2 - element.scrollTop);
    measure();
    if (held !== null && held < layout.count) element.scrollTop = scrollAnchored(layout, held, middle, room);
    for (const [index, cell] of cells) {
      if (index < layout.count) cell.place(placeOf(layout, index), layout.cell);
    }
    render();
    if (before) glide(before);
    pace.moved(element.scrollTop, room);
  }

  function positions() {
    const scroll = element.scrollTop;
    return new Map([...cells].map(([index]) => {
      const { x, y } = placeOf(layout, index);
      return [index, { x, y: y - scroll, width: layout.cell.width }];
    }));
  }

  /** Each cell that was there moves from its old place to the new one; others come up. */
  function glide(before) {
    const scroll = element.scrollTop;
    for (const [index, cell] of cells) {
      const old = before.get(index);
      const { x, y } = placeOf(layout, index);
      if (!old) {
        cell.element.animate([{ opacity: 0 }, { opacity: 1 }], RESIZE);
        continue;
      }
      const from = `translate(${old.x}px, ${old.y + scroll}px) scale(${old.width / layout.cell.width})`;
      cell.element.animate([{ transform: from }, { transform: `translate(${x}px, ${y}px)` }], RESIZE);
    }
  }

  new ResizeObserver(() => {
    if (element.clientWidth === 0) return;
    const focus = focusIndex();
    const seen = focus >= 0 && cells.has(focus) ? focus : null;
    relayout(seen);
  }).observe(element);

  const grid = {
    element,
    get layout() {
      return layout;
    },
    get room() {
      return room;
    },
    get size() {
      return size ?? firstSize(innerWidth);
    },
    get cellCount() {
      return cells.size;
    },
    schedule,
    /** Edge of the thumbnails that cells want, in device pixels. */
    get edge() {
      return edge();
    },
    /** Larger or smaller cells; the cell at a point of the window (or the focus) stays where it is. */
    setSize(next, point = null) {
      const clamped = Math.min(sizes.length - 1, Math.max(0, next));
      if (clamped === size) return;
      const focus = focusIndex();
      const index = point ? grid.indexAt(point.x, point.y, true) : cells.has(focus) ? focus : null;
      const middle = index === null ? null : placeOf(layout, index).y + layout.cell.height / 2 - element.scrollTop;
      size = clamped;
      try {
        localStorage.setItem(KEPT, String(size));
      } catch {
        // Without storage the size lasts as long as the page.
      }
      relayout(index, middle, true);
      for (const listener of changes) listener(size);
    },
    onSize: (listener) => changes.add(listener),
    /** The cell at a point of the window; with `nearest` the one closest to it, else null beside all cells. */
    indexAt(clientX, clientY, nearest = false) {
      const box = runway.getBoundingClientRect();
      const [x, y] = [clientX - box.left, clientY - box.top];
      const index = indexNear(layout, x, y);
      if (index === null || nearest) return index;
      const place = placeOf(layout, index);
      const { width, height } = layout.cell;
      const inside = x >= place.x && y >= place.y && x < place.x + width && y < place.y + height;
      return inside ? index : null;
    },
    scrollTo(index) {
      if (index >= 0) element.scrollTop = scrollToShow(layout, index, element.scrollTop, room);
      schedule();
    },
    cellOf: (photo) => [...cells.values()].find((cell) => cell.photo === photo) ?? null,
    relayout,
    /** These photos look different now. */
    renew(photos) {
      for (const photo of photos) pictures.stale(photo);
      lastSight = "";
      pace.moved(element.scrollTop, room);
    },
    /** Shows the grid, with a cell in sight. */
    opened(index) {
      measure();
      if (index >= 0) element.scrollTop = scrollToShow(layout, index, element.scrollTop, room);
      render();
      pace.moved(element.scrollTop, room);
    },
    /** Nothing is in sight: the server need make no more of it. */
    closed: ask,
  };

  store.subscribe((s) => s.connection, (connection) => {
    lastSight = "";
    if (connection === "open") {
      pictures.retry();
      pace.moved(element.scrollTop, room);
    }
  });
  return grid;
}
