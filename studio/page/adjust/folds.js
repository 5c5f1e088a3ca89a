// What folds, and what of it is unfolded: as people left it, on this browser.

const KEPT = "safelight-unfolded";

function kept() {
  try {
    const names = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return new Set(Array.isArray(names) ? names : []);
  } catch {
    // Storage may be forbidden.
    return new Set();
  }
}

/**
 * A button that folds what is beneath it.
 *
 * @param {?string} kept the name under which it is remembered, of one that is folded at first; null of one that is open
 */
export function foldable(button, body, kept = null) {
  function open(isOpen) {
    body.hidden = !isOpen;
    button.setAttribute("aria-expanded", isOpen);
  }
  open(kept === null || isUnfolded(kept));
  button.addEventListener("click", () => {
    open(body.hidden);
    if (kept !== null) keepUnfolded(kept, !body.hidden);
  });
}

export const isUnfolded = (name) => kept().has(name);

export function keepUnfolded(name, isOpen) {
  const names = kept();
  if (isOpen) names.add(name);
  else names.delete(name);
  try {
    localStorage.setItem(KEPT, JSON.stringify([...names]));
  } catch {
    // Then it is folded again the next time.
  }
}
