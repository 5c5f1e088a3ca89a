// Four places of the picture that are to become its corners, while they are chosen.
import { cornersOf, movedCorner, textOfCorners } from "./perspective.js";

/** Where they are at first, from the picture's own corners. */
const INSET = 0.15;

export function createCornerPicking({ tell }) {
  let corners = null;
  let begun = null;

  return {
    get corners() {
      return corners;
    },
    /** @param {object} draft what is gone back to, if none are taken */
    begin(draft) {
      begun = draft;
      const [low, high] = [INSET, 1 - INSET];
      corners = cornersOf(draft.warp.perspective) ??
        [[low, low], [high, low], [high, high], [low, high]].map(([x, y]) => ({ x, y }));
    },
    move(index, place, size) {
      corners = movedCorner(corners, index, place, size);
      tell();
    },
    /** @returns what it began with, and the corners as a text */
    end() {
      const ended = { begun, text: corners && textOfCorners(corners) };
      corners = begun = null;
      return ended;
    },
  };
}
