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
  /** Live frames have no marks: what was marked before is not what is looked at. */
  const isMark = (line) => line.at(-1)?.kind === "mark" && photo() !== "camera";
  const tell = () => changed({ undo: isMark(done), redo: isMark(undone) });

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
    const photos = marks.undo();
    move(done, undone, (step) => step.kind === "mark");
    return photos;
  }
  function redoMark() {
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
    undoMark,
    redoMark,
    undo() {
      // A change that waits for its pause is a step, and the newest.
      editor.flush();
      if (isMark(done)) {
        reveal(undoMark());
        return;
      }
      if (editor.undo()) move(done, undone, (step) => step.kind === "edit" && step.photo === photo());
    },
    redo() {
      if (isMark(undone)) {
        reveal(redoMark());
        return;
      }
      if (editor.redo()) move(undone, done, (step) => step.kind === "edit" && step.photo === photo());
    },
  };
}
