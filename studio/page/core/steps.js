// What is undone next: marks, edits and what was pasted onto many photos, in one line, in the order in which people did it.

const MOST = 500;

/**
 * Edits keep a history of their own for each photo, across days; marks and pastes are undone for as long as the page lives. A
 * step of another photo's edit stays: what is not seen is not undone.
 *
 * @param {object} parts `editor`, `marks`; `photo()`, the one that is open; `show(photo)` opens the one that a mark was taken
 *   back of; `changed({ undo, redo })`: whether a mark is undone, or done again, next
 */
export function createSteps({ editor, marks, photo, show, changed }) {
  /** `{ kind: "mark" }`, `{ kind: "edit", photo }` or `{ kind: "paste", steps: {photo: …} }`, the newest last. */
  const done = [];
  const undone = [];
  /** Takes what was pasted back, or gives it again; false if that has to wait. */
  let stepOfPaste = () => false;
  const isOfPhoto = (step) => (step.kind === "paste" ? photo() in step.steps : step.photo === photo());
  /**
   * Whether the newest step that counts here is a mark. Edits of other photos do not count, nor what another tab has taken
   * back; live frames have no marks.
   */
  const isMark = (line, hasEdit) =>
    photo() !== "camera" && line.findLast((step) => step.kind === "mark" || (hasEdit && isOfPhoto(step)))?.kind === "mark";
  const undoesMark = () => isMark(done, editor.isUndoable);
  const redoesMark = () => isMark(undone, editor.isRedoable);
  const tell = () => changed({ undo: undoesMark(), redo: redoesMark() });

  function add(step) {
    done.push(step);
    if (done.length > MOST) done.shift();
    undone.length = 0;
    tell();
  }

  /** Takes the newest step that is meant from one line to the other. */
  function move(from, to, isMeant) {
    const index = from.findLastIndex(isMeant);
    if (index >= 0) to.push(...from.splice(index, 1));
    tell();
  }

  /** One photo's part of what was pasted is a step of its own from now on. */
  function moveEdit(from, to) {
    const step = from.findLast((one) => one.kind !== "mark" && isOfPhoto(one));
    if (step?.kind !== "paste") {
      move(from, to, (one) => one === step);
      return;
    }
    delete step.steps[photo()];
    to.push({ kind: "edit", photo: photo() });
    tell();
  }

  /** Marks alone: in the comparison, where no edit is seen to change. Returns their photos. */
  function stepOfMarks(from, to, isUndo) {
    if (!from.some((step) => step.kind === "mark")) return [];
    const photos = isUndo ? marks.undo() : marks.redo();
    move(from, to, (step) => step.kind === "mark");
    return photos;
  }

  /** In the grid, where edits of single photos are not seen: marks, and what was pasted. Returns their photos. */
  function stepInGrid(from, to, isUndo) {
    const step = from.findLast(({ kind, steps }) => kind === "mark" || (kind === "paste" && Object.keys(steps).length > 0));
    if (step?.kind !== "paste") return step ? stepOfMarks(from, to, isUndo) : [];
    // Photos whose edit has changed since are out of it; those that were not come to, as it was cancelled, stay.
    const finished = (done, failed) => {
      const steps = Object.fromEntries(done.filter((one) => one in step.steps).map((one) => [one, step.steps[one]]));
      for (const one of [...done, ...failed]) delete step.steps[one];
      if (Object.keys(steps).length) to.push({ kind: "paste", steps });
      tell();
    };
    const photos = Object.keys(step.steps);
    return stepOfPaste({ ...step.steps }, isUndo, finished) ? photos : [];
  }
  /** So that it is seen what has changed. */
  function reveal(photos) {
    if (photos.length && !photos.includes(photo())) show(photos[0]);
  }

  marks.listen(() => add({ kind: "mark" }));
  editor.listen((edited) => add({ kind: "edit", photo: edited }));

  return {
    tell,
    /** Something was pasted, as the server says: `{photo: steps of its history}`. */
    pasted: (steps) => Object.keys(steps).length && add({ kind: "paste", steps: { ...steps } }),
    /**
     * @param run `(steps, isUndo, finished)`: begins to take a paste back, or to give it again, and calls
     *   `finished(done, failed)` with the photos that this was done to, and cannot be done to; false if it cannot begin
     */
    use: (run) => (stepOfPaste = run),
    undoInGrid: () => stepInGrid(done, undone, true),
    redoInGrid: () => stepInGrid(undone, done, false),
    undoMarks: () => stepOfMarks(done, undone, true),
    redoMarks: () => stepOfMarks(undone, done, false),
    undo() {
      // A change that waits for its pause is a step, and the newest.
      editor.flush();
      if (undoesMark()) {
        reveal(stepOfMarks(done, undone, true));
        return;
      }
      if (editor.undo()) moveEdit(done, undone);
    },
    redo() {
      if (redoesMark()) {
        reveal(stepOfMarks(undone, done, false));
        return;
      }
      if (editor.redo()) moveEdit(undone, done);
    },
  };
}
