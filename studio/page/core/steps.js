// What is undone next: marks and steps of the edit in one line, in the order in which people made them.

const MOST = 500;

/**
 * Edits keep a history of their own for each photo, across days; marks are undone for as long as the page lives. A step of
 * another photo's edit stays: what is not seen is not undone.
 *
 * @param {object} parts `editor`, `marks`; `photo()`, the one that is open; `show(photo)` opens the one that a mark was taken
 *   back of; `changed({ undo, redo })`: whether a mark is undone, or done again, next
 */
export function createSteps({ editor, marks, photo, show, changed }) {
  /** `{ kind: "mark" }` or `{ kind: "edit", photo }`, the newest last. */
  const done = [];
  const undone = [];
  /**
   * Whether the newest step that counts here is a mark. Edits of other photos do not count, nor what another tab has taken
   * back; live frames have no marks.
   */
  const isMark = (line, hasEdit) =>
    photo() !== "camera" &&
    line.findLast((step) => step.kind === "mark" || (hasEdit && step.photo === photo()))?.kind === "mark";
  const undoesMark = () => isMark(done, editor.isUndoable);
  const redoesMark = () => isMark(undone, editor.isRedoable);
  const tell = () => changed({ undo: undoesMark(), redo: redoesMark() });

  function add(step) {
    done.push(step);
    if (done.length > MOST) done.shift();
    undone.length = 0;
    tell();
  }

  /** Takes the newest step of a kind from one line to the other. */
  function move(from, to, isMeant) {
    const index = from.findLastIndex(isMeant);
    if (index >= 0) to.push(...from.splice(index, 1));
    tell();
  }

  /** Marks alone: in the grid, where no edit is seen. Returns their photos. */
  function undoMark() {
    if (!done.some((step) => step.kind === "mark")) return [];
    const photos = marks.undo();
    move(done, undone, (step) => step.kind === "mark");
    return photos;
  }
  function redoMark() {
    if (!undone.some((step) => step.kind === "mark")) return [];
    const photos = marks.redo();
    move(undone, done, (step) => step.kind === "mark");
    return photos;
  }
  /** So that it is seen what has changed. */
  function reveal(photos) {
    if (photos.length && !photos.includes(photo())) show(photos[0]);
  }

  marks.listen(() => add({ kind: "mark" }));
  editor.listen((edited) => add({ kind: "edit", photo: edited }));

  return {
    tell,
    undoMark,
    redoMark,
    undo() {
      // A change that waits for its pause is a step, and the newest.
      editor.flush();
      if (undoesMark()) {
        reveal(undoMark());
        return;
      }
      if (editor.undo()) move(done, undone, (step) => step.kind === "edit" && step.photo === photo());
    },
    redo() {
      if (redoesMark()) {
        reveal(redoMark());
        return;
      }
      if (editor.redo()) move(undone, done, (step) => step.kind === "edit" && step.photo === photo());
    },
  };
}
