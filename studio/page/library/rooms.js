// Puts the library together: grid, comparison, work on many photos, and what of it stands in the bar.
import { createBarControls } from "./bar-controls.js";
import { createCompare } from "./compare.js";
import { createJobs } from "./jobs.js";
import { libraryKeys } from "./keys.js";
import { createLibrary } from "./library.js";
import { createPasteSheet } from "./paste-sheet.js";

/**
 * @param {object} parts `store`, `session`, `stage`, `editor`, `clipboard`, `shown`, `marks`, `steps`, `film`,
 *   `send(message)`, `leaveTools()`, which ends the crop tool and the masks; `connection`: `{ token() }` for those of
 *   the comparison
 */
export function createRooms(parts) {
  const { store, session, shown, marks, steps, film, send, leaveTools, connection } = parts;
  const library = createLibrary(parts);
  const jobs = createJobs({
    store,
    session,
    send,
    renew(photos) {
      library.renew(photos);
      film.renew(photos);
    },
    pasted: steps.pasted,
    say: library.say,
  });
  steps.use(jobs.stepOfPaste);
  const compare = createCompare({ store, shown, marks, library, leaveTools, connection });
  library.use({ jobs, compare: compare.open });
  const { row, ...controls } = createBarControls({ store, marks, library, jobs });
  return {
    library,
    compare,
    keys: libraryKeys({ store, library, session, marks, steps, compare }),
    elements: [...library.elements, compare.element, createPasteSheet({ store, library })],
    /** Marks again, for the thumb on a phone. */
    markRow: row,
    inBar: { shown, pasteParts: library.pasteParts, canPaste: library.canPaste, toGrid: library.toggle, markOf: marks.of, compareTools: compare.tools, ...controls },
    /** For the export sheet: in the grid it exports what is chosen. */
    batch: { photos: () => (library.isOpen() ? library.chosen : []), start: jobs.exportAll },
  };
}
