// An edit that is copied lives in the browser's storage, so that it can be pasted in another tab or tomorrow.
import { pasted } from "./edits.js";
import { cropFlags } from "../adjust/sections.js";

const KEY = "safelight-copied-edit";

export function createClipboard(store, editor) {
  let copied = null;
  function stored() {
    try {
      return JSON.parse(localStorage.getItem(KEY)) ?? copied;
    } catch {
      return copied;
    }
  }
  return {
    get isFilled() {
      return stored() !== null;
    },
    /** What was copied; null if nothing was. */
    get edit() {
      return stored();
    },
    copy() {
      copied = store.state.edit;
      store.update({ said: "Edit copied" });
      try {
        localStorage.setItem(KEY, JSON.stringify(copied));
      } catch {
        // Without storage the copy lasts as long as the page.
      }
    },
    /** @param {string[]} parts "colours", "crop" */
    paste(parts, label = "Paste") {
      const from = stored();
      if (!from || !store.state.welcome) return;
      editor.apply(pasted(from, store.state.edit, new Set(parts), cropFlags(store.state.welcome.filters)), label);
    },
  };
}
