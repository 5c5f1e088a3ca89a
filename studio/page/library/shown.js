// The photos that the filter lets through, worked out once for each change: grid, strip and arrow keys share it.
import { filtered, neighbour } from "./filter.js";

export function createShown(store) {
  let key = [];
  let list = [];
  let places = null;
  /** The list before the open photo's file went: its neighbours there are its neighbours still. */
  let former = [];
  const has = (photos, photo) => photos.some((one) => one.photo === photo);

  function current() {
    const { welcome, photo, filter, marks, edited } = store.state;
    const next = [welcome?.photos, filter, marks, edited];
    if (next.some((value, index) => value !== key[index])) {
      const [before, now] = [key[0] ?? [], welcome?.photos ?? []];
      if (before !== now && has(before, photo) && !has(now, photo)) former = before;
      key = next;
      const fresh = filtered(welcome?.photos ?? [], filter, marks.byPhoto, edited);
      // A mark that changes nothing of what is shown leaves the list as it is.
      if (fresh.length !== list.length || fresh.some((one, index) => one !== list[index])) {
        list = fresh;
        places = null;
      }
    }
    return list;
  }

  return {
    get list() {
      return current();
    },
    /** The place of a photo among those shown, −1 if it is not. */
    indexOf(photo) {
      const photos = current();
      places ??= new Map(photos.map((one, index) => [one.photo, index]));
      return places.get(photo) ?? -1;
    },
    /** The photo so many places on; null at the ends. */
    step(photo, by) {
      const list = current();
      const all = store.state.welcome?.photos ?? [];
      return neighbour(photo, by, list, has(all, photo) ? all : former);
    },
    /** Photos around one, nearest first: what may be opened next. Null where the server knows them itself. */
    near(photo) {
      if (current() === store.state.welcome?.photos) return null;
      return [1, -1, 2, -2, 3, -3].map((by) => neighbour(photo, by, current(), store.state.welcome.photos))
        .filter((id) => id !== null);
    },
  };
}
