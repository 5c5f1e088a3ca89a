// Which cells of a long strip exist: those in sight and a few on each side.

/** `{ first, last }` (last excluded) of `count` cells of a given pitch. */
export function visibleRange({ scroll, room, pitch, count, spare = 6 }) {
  if (count === 0 || pitch <= 0) return { first: 0, last: 0 };
  const first = Math.max(0, Math.floor(scroll / pitch) - spare);
  const last = Math.min(count, Math.ceil((scroll + room) / pitch) + spare);
  return { first: Math.min(first, count), last: Math.max(last, Math.min(first, count)) };
}

/** The scroll position that brings a cell into sight with a neighbour, moving as little as possible. */
export function scrollFor({ index, scroll, room, pitch, count }) {
  const most = Math.max(0, count * pitch - room);
  const low = (index - 1) * pitch;
  const high = (index + 2) * pitch - room;
  return Math.min(most, Math.max(0, Math.min(Math.max(scroll, high), low)));
}
