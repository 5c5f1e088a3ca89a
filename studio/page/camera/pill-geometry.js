// Where the labels of the mode pill are: they move beneath a mark that stays in the middle. No DOM.

/** Middles of labels of the given widths, one after the other with a gap between. */
export function middles(widths, gap) {
  let x = 0;
  return widths.map((width) => {
    const middle = x + width / 2;
    x += width + gap;
    return middle;
  });
}

/** How far the row is moved for a label to be in the middle. */
export const offsetFor = (widths, gap, index) => -(middles(widths, gap)[index] ?? 0);

/** The label nearest to the middle of a row that is moved by `offset`. */
export function indexAt(widths, gap, offset) {
  const places = middles(widths, gap).map((middle) => Math.abs(middle + offset));
  return places.indexOf(Math.min(...places));
}

/** Beyond the first and the last label the row follows a third as far. */
export function rubber(widths, gap, offset) {
  const all = middles(widths, gap);
  const [first, last] = [-all[0], -all.at(-1)];
  if (offset > first) return first + (offset - first) / 3;
  if (offset < last) return last + (offset - last) / 3;
  return offset;
}
