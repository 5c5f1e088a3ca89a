// Which tools are unfolded: as people left them, on this browser.

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
