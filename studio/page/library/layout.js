// Where the cells of the grid are: whole rows of cells that fill the width. CSS pixels, no DOM.

/** Least widths of a cell, small to large. */
export const sizes = [84, 112, 164, 220, 300, 420];

/** Below this width a cell is only the picture, cropped to a square; above, the whole picture with a line of marks. */
const PLAIN = 140;
const FOOT = 26;

/** The index of the size for a window that nobody has set one for. */
export const firstSize = (width) => (width < 600 ? 1 : width < 2800 ? 3 : 4);

/**
 * @param {object} grid `width` of the room, `count` of photos, `size` (least width of a cell), `scale` of texts
 * @returns `{ count, columns, rows, gap, left, cell: { width, height }, foot, plain, height }`
 */
export function gridLayout({ width, count, size, scale = 1 }) {
  const least = size * scale;
  const plain = size < PLAIN;
  const gap = Math.round((plain ? 2 : 6) * scale);
  const pad = plain ? 0 : gap;
  const columns = Math.max(1, Math.floor((width - 2 * pad + gap) / (least + gap)));
  const cellWidth = Math.max(1, Math.floor((width - 2 * pad - gap * (columns - 1)) / columns));
  const foot = plain ? 0 : Math.round(FOOT * scale);
  const cell = { width: cellWidth, height: cellWidth };
  const rows = Math.ceil(count / columns);
  // What is left of the width by rounding is shared by both sides.
  const left = Math.floor((width - columns * cellWidth - (columns - 1) * gap) / 2);
  const height = rows === 0 ? 0 : rows * cell.height + (rows - 1) * gap + 2 * pad;
  return { count, columns, rows, gap, pad, left, cell, foot, plain, height };
}

const pitchX = ({ cell, gap }) => cell.width + gap;
const pitchY = ({ cell, gap }) => cell.height + gap;

/** The upper left corner of a cell. */
export const placeOf = (layout, index) => ({
  x: layout.left + (index % layout.columns) * pitchX(layout),
  y: layout.pad + Math.floor(index / layout.columns) * pitchY(layout),
});

/** `{ first, last }` (last excluded) of the cells in sight, with `spare` rows on each side. */
export function cellsInSight(layout, scroll, room, spare = 0) {
  const row = (y) => Math.floor((y - layout.pad) / pitchY(layout));
  const first = Math.max(0, row(scroll) - spare) * layout.columns;
  const last = (row(scroll + room - 1) + 1 + spare) * layout.columns;
  return { first: Math.min(first, layout.count), last: Math.max(0, Math.min(last, layout.count)) };
}

/** The scroll position that brings a cell into sight with a bit of its neighbours, moving as little as possible. */
export function scrollToShow(layout, index, scroll, room) {
  const { y } = placeOf(layout, index);
  const some = Math.min(pitchY(layout) / 3, Math.max(0, (room - layout.cell.height) / 2));
  const high = y - some;
  const low = y + layout.cell.height + some - room;
  return clampedScroll(layout, Math.min(Math.max(scroll, low), high), room);
}

export const clampedScroll = (layout, scroll, room) =>
  Math.max(0, Math.min(scroll, Math.max(0, layout.height - room)));

/** The index of the cell nearest to a point of the runway; null where there are none. */
export function indexNear(layout, x, y) {
  if (layout.count === 0) return null;
  const at = (value, most) => Math.min(most, Math.max(0, value));
  const column = at(Math.floor((x - layout.left) / pitchX(layout)), layout.columns - 1);
  const row = at(Math.floor((y - layout.pad) / pitchY(layout)), layout.rows - 1);
  return Math.min(row * layout.columns + column, layout.count - 1);
}

/** The scroll position in a new layout that keeps a cell where it was: `at` is its middle, from the top of the room. */
export function scrollAnchored(layout, index, at, room) {
  const { y } = placeOf(layout, index);
  return clampedScroll(layout, y + layout.cell.height / 2 - at, room);
}

/** Indices of the cells that a rectangle of the runway touches, without going through all. */
export function cellsIn(layout, { x, y, width, height }) {
  const found = [];
  const across = [0, layout.columns - 1];
  const from = Math.floor((x - layout.left + layout.gap) / pitchX(layout));
  const to = Math.floor((x + width - layout.left) / pitchX(layout));
  const top = Math.max(0, Math.floor((y - layout.pad + layout.gap) / pitchY(layout)));
  const bottom = Math.min(layout.rows - 1, Math.floor((y + height - layout.pad) / pitchY(layout)));
  for (let row = top; row <= bottom; row++) {
    for (let column = Math.max(across[0], from); column <= Math.min(across[1], to); column++) {
      const index = row * layout.columns + column;
      if (index < layout.count) found.push(index);
    }
  }
  return found;
}

/** Where a key moves the focus to; null for keys that move none. `room` is the height of the window on the grid. */
export function movedBy(key, layout, index, room) {
  const { count, columns } = layout;
  if (count === 0) return null;
  const page = Math.max(1, Math.floor(room / pitchY(layout))) * columns;
  // Up and down stay in the column; below a last row that is short, the last photo.
  const down = (by) => {
    if (index + by < count) return index + by;
    return Math.floor(index / columns) < Math.floor((count - 1) / columns) ? count - 1 : index;
  };
  const up = (by) => (index - by >= 0 ? index - by : index % columns);
  const moves = {
    ArrowLeft: () => Math.max(0, index - 1),
    ArrowRight: () => Math.min(count - 1, index + 1),
    ArrowUp: () => (index - columns >= 0 ? index - columns : index),
    ArrowDown: () => down(columns),
    PageUp: () => up(page),
    PageDown: () => down(page),
    Home: () => 0,
    End: () => count - 1,
  };
  return moves[key]?.() ?? null;
}
