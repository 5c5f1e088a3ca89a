// One table of keys: it acts, and the sheet of keys is made from it.
import { takesText } from "./dom.js";

/**
 * Whether an event is what a key's `match` describes: `{ key, ctrl, shift }`, where letters match in any case, or
 * `{ code }` for the place of a key whatever it types.
 */
export function matches(match, event) {
  const ctrl = event.ctrlKey || event.metaKey;
  if (Boolean(match.ctrl) !== ctrl) return false;
  if (match.shift !== undefined && match.shift !== event.shiftKey) return false;
  if (match.code !== undefined) return match.code === event.code;
  return match.key.toLowerCase() === event.key.toLowerCase();
}

/**
 * @param {Array} groups `[{ title, keys: [{ text, label, match: [..], run(event), up(), when() }] }]`
 * @param {() => boolean} blocked while a sheet is open
 */
export function listenToKeys(groups, blocked) {
  const keys = groups.flatMap((group) => group.keys).filter((key) => key.match);
  const held = new Set();
  document.addEventListener("keydown", (event) => {
    if (blocked() || takesText(event.target) || event.altKey) return;
    for (const key of keys) {
      if (!key.match.some((match) => matches(match, event)) || (key.when && !key.when(event))) continue;
      event.preventDefault();
      if (event.repeat && !key.repeats) return;
      if (key.up) held.add(key);
      key.run(event);
      return;
    }
  });
  const release = () => {
    for (const key of held) key.up();
    held.clear();
  };
  document.addEventListener("keyup", (event) => {
    for (const key of held) {
      if (!key.match.some((match) => match.key?.toLowerCase() === event.key.toLowerCase())) continue;
      held.delete(key);
      key.up();
    }
  });
  // A key that is let go while the window is away is never heard of.
  addEventListener("blur", release);
}
