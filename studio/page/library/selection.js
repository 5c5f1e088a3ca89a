// Which photos are chosen: `{ ids: Set, anchor, focus }`, ids in no order; a range goes from the anchor to the focus.

export const noSelection = Object.freeze({ ids: new Set(), anchor: null, focus: null });

export const only = (photo) => ({ ids: new Set(photo === null ? [] : [photo]), anchor: photo, focus: photo });

/** A click with Ctrl: in or out. */
export function toggled(selection, photo) {
  const ids = new Set(selection.ids);
  if (!ids.delete(photo)) ids.add(photo);
  return { ids, anchor: photo, focus: photo };
}

/** Shift: from the anchor to here, in the order of the photos shown; `adds` keeps what was chosen before. */
export function rangeTo(selection, photo, photos, adds = false) {
  const place = (id) => photos.findIndex((one) => one.photo === id);
  const from = selection.anchor === null ? -1 : place(selection.anchor);
  const to = place(photo);
  if (to < 0) return selection;
  if (from < 0) return only(photo);
  const chosen = photos.slice(Math.min(from, to), Math.max(from, to) + 1).map((one) => one.photo);
  return { ids: new Set(adds ? [...selection.ids, ...chosen] : chosen), anchor: selection.anchor, focus: photo };
}

export const everything = (selection, photos) => ({
  ids: new Set(photos.map(({ photo }) => photo)),
  anchor: photos[0]?.photo ?? null,
  focus: selection.focus ?? photos[0]?.photo ?? null,
});

/**
 * The selection after the list has changed: what is no longer shown is not chosen. Where the focus was, the next photo
 * takes its place, so that a photo that a filter takes away is followed by the next.
 */
export function kept(selection, photos, before) {
  const shown = new Set(photos.map(({ photo }) => photo));
  const ids = new Set([...selection.ids].filter((id) => shown.has(id)));
  let { anchor, focus } = selection;
  if (focus !== null && !shown.has(focus)) focus = nearest(focus, before, shown) ?? photos.at(-1)?.photo ?? null;
  if (anchor !== null && !shown.has(anchor)) anchor = focus;
  if (ids.size === 0 && selection.ids.size > 0 && focus !== null) ids.add(focus);
  const same = focus === selection.focus && anchor === selection.anchor && ids.size === selection.ids.size;
  return same ? selection : { ids, anchor, focus };
}

/** The first photo at or after the place of one in a list that is among those shown; else the last before. */
function nearest(photo, list, shown) {
  const place = list.findIndex((one) => one.photo === photo);
  if (place < 0) return null;
  const after = list.slice(place).find((one) => shown.has(one.photo));
  return (after ?? list.slice(0, place).findLast((one) => shown.has(one.photo)))?.photo ?? null;
}

/** Chosen photos in the order in which they are shown. */
export const inOrder = (selection, photos) =>
  photos.filter(({ photo }) => selection.ids.has(photo)).map(({ photo }) => photo);
