// A sentence about what was found, for as long as what it tells of stays as it is.
import { h, setText } from "../core/dom.js";

/** @param {string[]} flags of the values that it tells of */
export function createWarpNote(flags) {
  const element = h("p", { class: "notice", role: "status" });
  const keyOf = ({ warp }) => JSON.stringify(flags.map((flag) => warp[flag] ?? null));
  let key = null;
  return {
    element,
    say(text, draft) {
      key = keyOf(draft);
      setText(element, text);
    },
    /** Takes it away, if other values are shown than it was said of. */
    show(draft) {
      if (key !== null && key !== keyOf(draft)) this.clear();
    },
    clear() {
      key = null;
      setText(element, "");
    },
  };
}
