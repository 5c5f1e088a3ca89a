// The library: the grid with its tools, what is chosen there, and the way to a photo and back.
import { h, setAttribute } from "../core/dom.js";
import { inOrder, kept, only, rangeTo, everything, toggled } from "./selection.js";
import { createFilterBar } from "./filter-bar.js";
import { createGrid } from "./grid.js";
import { addGridPointer } from "./grid-pointer.js";
import { createFlights } from "./flights.js";
import { movedBy } from "./layout.js";
import { createNotices } from "./notices.js";
import { createPictures } from "./pictures.js";

/** Everything but the crop tool's: what Ctrl+V pastes. */
export const LOOK_AND_COLOURS = ["look", "light", "color", "detail", "effects", "masks"];

/**
 * @param {object} parts `store`, `session`, `stage`, `editor`, `clipboard`, `shown`, `marks`, `steps`, `send(message)`,
 *   `leaveTools()`: ends the crop tool; `jobs`: see jobs.js, which needs `renew` of this one first
 */
export function createLibrary({ store, session, stage, editor, clipboard, shown, marks, steps, send, leaveTools }) {
  let jobs = null;
  let compare = () => {};
  const pictures = createPictures(() => grid.schedule());
  const grid = createGrid({ store, shown, marks, pictures, send, work: (photo) => jobs?.of(photo) ?? null });
  const flights = createFlights({ store, stage, grid, pictures });
  const select = (selection) => store.update({ selection });
  const own = () => store.state.selection;

  const library = {
    grid,
    pictures,
    /** What needs the library itself to be made: work on many photos, and the comparison's `open(photos)`. */
    use(made) {
      ({ jobs, compare } = made);
    },
    /** Chosen photos, in the order shown. */
    get chosen() {
      return inOrder(own(), shown.list);
    },
    isOpen: () => store.state.room === "grid",

    /** Whether there is a grid to go to: a single photo needs none. */
    hasGrid: () => (store.state.welcome?.photos.length ?? 0) > 1,
    open({ flies = true } = {}) {
      const { photo, room } = store.state;
      if (room === "grid" || !library.hasGrid()) return;
      leaveTools();
      editor.flush();
      if (flies && photo !== null && shown.indexOf(photo) >= 0 && own().focus !== photo) select(only(photo));
      else if (own().focus === null && shown.list.length) select(only(shown.list[0].photo));
      store.update({ room: "grid", holding: false });
      grid.opened(shown.indexOf(own().focus));
      grid.element.focus({ preventScroll: true });
      if (flies) flights.toCell(photo);
    },
    /** Shows a photo by itself: the one in focus, if none is named. */
    show(photo = own().focus) {
      if (photo === null || shown.indexOf(photo) < 0) return;
      select(own().ids.has(photo) ? { ...own(), focus: photo } : only(photo));
      flights.toStage(photo);
      store.update({ room: "photo", choosing: false });
      session.open(photo);
      grid.closed();
      stage.element.focus({ preventScroll: true, focusVisible: false });
    },
    toggle: () => (library.isOpen() ? library.show() : library.open()),
    /** Back one step: choosing, several chosen, the grid itself. */
    escape() {
      if (store.state.choosing) store.update({ choosing: false, selection: only(own().focus) });
      else if (own().ids.size > 1) select(only(own().focus));
      else library.show();
    },

    move(event) {
      const from = shown.indexOf(own().focus);
      const next = movedBy(event.key, grid.layout, Math.max(0, from), grid.room);
      if (next === null) return;
      const { photo } = shown.list[next];
      if (event.shiftKey) select(rangeTo(own(), photo, shown.list));
      // With Ctrl the focus goes alone, as lists do.
      else if (event.ctrlKey || event.metaKey) select({ ...own(), focus: photo });
      else select(only(photo));
      grid.scrollTo(next);
    },
    /** Ctrl+Space: the photo in focus in or out. */
    toggleFocus: () => own().focus !== null && select(toggled(own(), own().focus)),
    all: () => select(everything(own(), shown.list)),
    /** Marks what is chosen; with Caps Lock or Shift a single photo makes way for the next. */
    mark(patch, advances = false) {
      const { chosen } = library;
      const change = typeof patch === "function" ? patch : () => marks.set(chosen, patch);
      if (chosen.length === 0) return;
      const place = shown.indexOf(own().focus);
      change(chosen);
      if (advances && chosen.length === 1 && shown.list[place]?.photo === chosen[0]) {
        const next = Math.min(place + 1, shown.list.length - 1);
        select(only(shown.list[next].photo));
        grid.scrollTo(next);
      }
    },
    undo: () => library.reveal(steps.undoInGrid()),
    redo: () => library.reveal(steps.redoInGrid()),
    /** Chooses photos that have just changed, so that it is seen. */
    reveal(changed) {
      const photos = changed.filter((photo) => shown.indexOf(photo) >= 0);
      if (photos.length === 0) return;
      select({ ids: new Set(photos), anchor: photos[0], focus: photos[0] });
      grid.scrollTo(shown.indexOf(photos[0]));
    },

    /** Copies the edit of the photo in focus, which is opened for it behind the grid. */
    copy() {
      const { focus } = own();
      if (focus === null) return;
      const tell = () => {
        clipboard.copy();
        library.say(`The edit of ${library.nameOf(focus)} is copied.`);
        // What can be pasted now is to be offered.
        select({ ...own() });
      };
      if (store.state.info?.photo === focus && store.state.photo === focus) {
        tell();
        return;
      }
      session.open(focus);
      const end = store.subscribe((s) => [s.info?.photo, s.photo, s.problem], ([arrived, open, problem]) => {
        if (open === focus && arrived !== focus && !problem) return;
        queueMicrotask(() => end());
        if (open === focus && arrived === focus) tell();
      });
    },
    canPaste: () => clipboard.isFilled && !(store.state.job && !store.state.job.result),
    paste(parts = LOOK_AND_COLOURS) {
      const { meant } = library;
      if (meant.length === 0 || !library.canPaste()) return;
      editor.flush();
      jobs.paste(meant, clipboard.edit, parts);
    },
    /** What is chosen in the grid; elsewhere the photo that is open. */
    get meant() {
      const { photo } = store.state;
      return library.isOpen() ? library.chosen : photo === null || photo === "camera" ? [] : [photo];
    },
    pasteParts() {
      if (library.meant.length === 0 || !clipboard.isFilled) return;
      if (library.canPaste()) store.update({ sheet: "paste" });
      else store.update({ problem: { message: "Other work on photos is under way.", remedy: "Paste when it is done." } });
    },

    nameOf: (photo) => store.state.welcome?.photos.find((one) => one.photo === photo)?.name ?? "",
    say: (text) => notices.say(text),
    renew: (photos) => grid.renew(photos),
    thumbnail: (header, payload) => pictures.take(header, payload, grid.edge),
  };

  const tools = createFilterBar({
    store,
    shown,
    marks,
    actions: {
      mark: (patch) => library.mark(patch),
      compare: () => compare(library.chosen),
      copy: library.copy,
      paste: () => library.paste(),
      pasteParts: library.pasteParts,
      canPaste: library.canPaste,
      choose: () => {
        const choosing = !store.state.choosing;
        store.update({ choosing, ...(choosing ? { selection: { ...own(), ids: new Set() } } : {}) });
      },
    },
  });
  const notices = createNotices(store);
  const element = h(
    "section",
    { class: "library", "aria-label": "Library", inert: true },
    tools,
    h("div", { class: "grid-room" }, grid.element, notices.elements),
  );

  addGridPointer(grid, {
    chooses: () => store.state.choosing,
    click(index, event) {
      grid.element.focus({ preventScroll: true });
      if (index === null) {
        if (!store.state.choosing) select({ ...own(), ids: new Set(), anchor: null });
        return;
      }
      const { photo } = shown.list[index];
      if (event.shiftKey) select(rangeTo(own(), photo, shown.list, event.ctrlKey || event.metaKey));
      else if (event.ctrlKey || event.metaKey || store.state.choosing) select(toggled(own(), photo));
      else if (event.pointerType === "mouse") select(only(photo));
      else library.show(photo);
    },
    open: (index) => library.show(shown.list[index].photo),
    longPress(index) {
      const { photo } = shown.list[index];
      store.update({ choosing: true, selection: store.state.choosing ? toggled(own(), photo) : only(photo) });
    },
    rectangle: rectangle(),
    stars(index, rating) {
      const { photo } = shown.list[index];
      if (!own().ids.has(photo)) select(only(photo));
      library.mark({ rating: marks.of(photo).rating === rating ? 0 : rating });
    },
  });

  /** A rectangle chooses what it touches; with Ctrl or Shift it adds to what was chosen. */
  function rectangle() {
    let before = new Set();
    return (indices, event, phase) => {
      if (phase === "start") {
        const adds = event.ctrlKey || event.metaKey || event.shiftKey || store.state.choosing;
        before = adds ? own().ids : new Set();
      }
      if (phase !== "move") return;
      const photos = indices.map((index) => shown.list[index].photo);
      const ids = new Set([...before, ...photos]);
      const focus = photos.at(-1) ?? own().focus;
      select({ ids, anchor: photos[0] ?? own().anchor, focus });
    };
  }

  let listed = [];
  store.subscribe((s) => [s.welcome?.photos, s.filter, s.marks, s.edited], () => {
    const list = shown.list;
    if (list !== listed) {
      const before = listed;
      listed = list;
      select(kept(own(), list, before.length >= list.length ? before : (store.state.welcome?.photos ?? list)));
      const focus = shown.indexOf(own().focus);
      grid.relayout(focus >= 0 && grid.cellOf(own().focus) ? focus : null);
    }
    notices.count(list.length, store.state.welcome?.photos.length ?? 0);
    grid.schedule();
  });
  store.subscribe((s) => [s.selection, s.job], grid.schedule);
  store.subscribe((s) => s.room, (room) => {
    document.body.dataset.room = room;
    element.inert = room !== "grid";
    for (const part of document.querySelectorAll("#stage, .dock, .filmstrip, .side")) part.inert = room !== "photo";
    grid.schedule();
  });
  store.subscribe((s) => s.choosing, (choosing) => setAttribute(element, "data-choosing", choosing ? "" : null));

  session.listen("edits", ({ edited }) => {
    const before = store.state.edited;
    store.update({ edited: new Set(edited) });
    const now = store.state.edited;
    const changed = [...new Set([...before, ...now])].filter((photo) => before.has(photo) !== now.has(photo));
    if (before.size && changed.length) grid.renew(changed);
    return true;
  });
  session.listen("photos", ({ photos }) => {
    store.update((state) => ({ welcome: { ...state.welcome, photos } }));
    return true;
  });
  session.listen("edited", ({ photo }) => {
    grid.renew([photo]);
    return false;
  });
  // A thumbnail that could not be made: its cell says so.
  session.listen("problem", ({ request, photo, message }) => {
    if (request === null && photo && library.isOpen() && !pictures.image(photo)) pictures.failed(photo, message);
    return false;
  });
  library.elements = [element, notices.pill];
  return library;
}
