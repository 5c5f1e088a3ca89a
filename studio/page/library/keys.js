// The keys of the library. Marks are the same in the grid, in the picture and in the comparison.
import { colors } from "./filter.js";

export function libraryKeys({ store, library, session, marks, steps, compare }) {
  const inRoom = (...rooms) => () => rooms.includes(store.state.room) && store.state.welcome !== null;
  const inGrid = inRoom("grid");
  const comparing = inRoom("compare");
  /** Whether Esc means something else: the end of a tool, of picking on the picture, of a drag. */
  const isBusy = () => {
    const { mode, dragging, picking, picksGrey } = store.state;
    return ["crop", "masks"].includes(mode) || dragging !== null || picking !== null || picksGrey;
  };
  const marking = () => !["crop", "camera"].includes(store.state.mode) && store.state.photo !== null;
  // A button in the grid's tools keeps Enter and Space for itself.
  const controls = "button:focus-visible, [role=slider]:focus-visible, select, input";
  const noControl = (event) => !event.target.matches?.(controls);
  const noSelection = () => getSelection().isCollapsed;

  /** Gives what is meant a mark; Caps Lock or Shift goes on to the next photo. */
  function mark(event, change) {
    const advances = event.shiftKey || event.getModifierState("CapsLock");
    const { room, photo } = store.state;
    if (room === "grid") library.mark(change, advances);
    else if (room === "compare") compare.mark(change, advances);
    else {
      change([photo]);
      if (advances) session.step(1);
    }
  }
  const set = (patch) => (photos) => marks.set(photos, patch);
  const flags = { p: "pick", x: "reject", u: "none" };

  return [
    {
      title: "Marks",
      keys: [
        {
          text: "P X U",
          label: "Pick, reject, no flag",
          match: [{ key: "p" }, { key: "x" }, { key: "u" }],
          run: (event) => mark(event, set({ flag: flags[event.key.toLowerCase()] })),
          when: marking,
        },
        {
          text: "0 … 5",
          label: "Stars",
          match: digits(0, 5),
          run: (event) => mark(event, set({ rating: digitOf(event) })),
          when: marking,
        },
        {
          // No digit is left for the fifth: L as in lilac.
          text: "6 7 8 9 L",
          label: "Red, yellow, green, blue, purple",
          match: [...digits(6, 9), { key: "l" }],
          run: (event) => mark(event, (photos) => marks.toggleColor(photos, colorOf(event))),
          when: marking,
        },
        { text: "Caps Lock", label: "While on, a mark goes on to the next photo; so does Shift with a key" },
      ],
    },
    {
      title: "Grid",
      keys: [
        {
          text: "G",
          label: "The grid, or the photo",
          match: [{ key: "g" }],
          run: library.toggle,
          when: () => inRoom("photo", "grid")() && library.hasGrid(),
        },
        {
          text: "Enter",
          label: "Open (or Space, or double-click)",
          match: [{ key: "Enter" }, { key: " " }],
          run: () => library.show(),
          when: (event) => inGrid() && noControl(event),
        },
        {
          text: "Arrows",
          label: "Move; with Shift choose; Home, End, Page ↑ ↓",
          match: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]
            .flatMap((key) => [{ key }, { key, ctrl: true }]),
          run: library.move,
          when: inGrid,
          repeats: true,
        },
        {
          text: "Ctrl Space",
          label: "Choose one more (or Ctrl with a click)",
          match: [{ key: " ", ctrl: true }],
          run: library.toggleFocus,
          when: inGrid,
        },
        { text: "Ctrl A", label: "Choose all", match: [{ key: "a", ctrl: true }], run: library.all, when: inGrid },
        {
          text: "+ −",
          label: "Larger, smaller (or Ctrl with the wheel)",
          match: [{ key: "+" }, { key: "=" }, { key: "-" }],
          run: (event) => library.grid.setSize(library.grid.size + (event.key === "-" ? -1 : 1)),
          when: inGrid,
          repeats: true,
        },
        {
          text: "Ctrl C",
          label: "Copy the edit of the photo in focus",
          match: [{ key: "c", ctrl: true }],
          run: library.copy,
          when: () => inGrid() && noSelection(),
          shown: false,
        },
        {
          text: "Ctrl V",
          label: "Paste look and colours onto all that are chosen",
          match: [{ key: "v", ctrl: true, shift: false }],
          run: () => library.paste(),
          when: inGrid,
        },
        {
          text: "Ctrl Shift V",
          label: "Paste parts",
          match: [{ key: "v", ctrl: true, shift: true }],
          run: library.pasteParts,
          when: inGrid,
        },
        {
          text: "Ctrl E",
          label: "Export what is chosen",
          match: [{ key: "e", ctrl: true }],
          run: () => library.chosen.length && store.update({ sheet: "export" }),
          when: inGrid,
          shown: false,
        },
        {
          text: "Ctrl Z",
          label: "Take the last marks, or what was pasted, back",
          match: [{ key: "z", ctrl: true, shift: false }],
          run: () => (comparing() ? steps.undoMarks() : library.undo()),
          when: inRoom("grid", "compare"),
          repeats: true,
        },
        {
          text: "Ctrl Shift Z",
          label: "Give them again",
          match: [{ key: "z", ctrl: true, shift: true }, { key: "y", ctrl: true }],
          run: () => (comparing() ? steps.redoMarks() : library.redo()),
          when: inRoom("grid", "compare"),
          repeats: true,
          shown: false,
        },
        { text: "Esc", label: "Back", match: [{ key: "Escape" }], run: library.escape, when: inGrid, shown: false },
      ],
    },
    {
      title: "Compare",
      keys: [
        {
          text: "C",
          label: "In the grid: compare two that are chosen",
          match: [{ key: "c", shift: false }],
          run: () => compare.open(library.chosen),
          when: inGrid,
        },
        {
          text: "Shift C",
          label: "With the next photo",
          match: [{ key: "c", shift: true }],
          run: () => compare.openWithNext(inGrid() ? store.state.selection.focus : store.state.photo),
          when: () => inRoom("photo", "grid")() && marking() && library.hasGrid(),
        },
        {
          text: "← →",
          label: "Another photo beside it",
          match: [{ key: "ArrowLeft" }, { key: "ArrowRight" }],
          run: (event) => compare.step(event.key === "ArrowRight" ? 1 : -1),
          when: comparing,
          repeats: true,
        },
        {
          text: "↑",
          label: "The right one stays, and the next comes beside it",
          match: [{ key: "ArrowUp" }],
          run: () => compare.choose(),
          when: comparing,
        },
        { text: "↓", label: "Swap", match: [{ key: "ArrowDown" }], run: () => compare.swap(), when: comparing },
        {
          text: "Tab",
          label: "The other photo: marks go to the one with the line",
          match: [{ key: "Tab", shift: false }],
          run: () => compare.activateOther(),
          when: (event) => comparing() && noControl(event),
        },
        {
          text: "Z",
          label: "Fit, or 100 %, both",
          match: [{ key: "z" }],
          run: () => compare.toggleZoom(),
          when: comparing,
          shown: false,
        },
        {
          text: "+ −",
          label: "Zoom in, out",
          match: [{ key: "+" }, { key: "=" }, { key: "-" }],
          run: (event) => compare.zoomBy(event.key === "-" ? 0.8 : 1.25),
          when: comparing,
          repeats: true,
          shown: false,
        },
        {
          text: "Enter",
          label: "Open",
          match: [{ key: "Enter" }],
          run: () => compare.show(),
          when: (event) => comparing() && noControl(event),
          shown: false,
        },
        {
          text: "Esc",
          label: "Back",
          match: [{ key: "Escape" }],
          run: () => compare.close(),
          when: comparing,
          shown: false,
        },
      ],
    },
    {
      title: "",
      keys: [
        {
          text: "Esc",
          label: "To the grid",
          match: [{ key: "Escape" }],
          run: () => library.open(),
          when: () => inRoom("photo")() && !isBusy() && library.hasGrid(),
          shown: false,
        },
      ],
    },
  ];
}

/** Digits by what they type and by where they are: with Shift they type other signs. */
function digits(from, to) {
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return all.flatMap((digit) => [{ key: String(digit) }, { code: `Digit${digit}` }, { code: `Numpad${digit}` }]);
}

const colorOf = (event) => (event.key.toLowerCase() === "l" ? "purple" : colors[digitOf(event) - 6]);

function digitOf(event) {
  if (/^[0-9]$/.test(event.key)) return Number(event.key);
  return Number(event.code.at(-1));
}

/** Keys that act in one room alone; the sheet of keys opens everywhere. */
export const inRoom = (store, room, groups) =>
  groups.map((group) => ({
    ...group,
    keys: group.keys.map((key) => ({
      ...key,
      when: (event) => (store.state.room === room || key.everywhere) && (!key.when || key.when(event)),
    })),
  }));
