// Name and value of what a drag across the picture changes: its slider may be out of sight.
import { format } from "../adjust/numbers.js";
import { valueOf } from "../core/edits.js";
import { h, setText } from "../core/dom.js";

export function createHud(store, parameter) {
  const name = h("span", {});
  const value = h("span", { class: "hud-value" });
  const element = h("div", { class: "hud", hidden: true, "aria-hidden": "true" }, name, value);
  store.subscribe(
    (s) => [s.sliding, s.active, s.edit],
    ([sliding, active, edit]) => {
      element.hidden = !sliding;
      if (!sliding) return;
      const known = parameter(active);
      setText(name, known ? known.title : "Strength");
      setText(value, known ? format(known, valueOf(edit, known)) : String(edit.look?.strength ?? 100));
    },
  );
  return element;
}
