// All keys, from the same table that acts on them.
import { h } from "../core/dom.js";
import { createSheet } from "./sheet.js";

export function createKeysSheet(store, groups) {
  const lists = groups.filter(({ keys }) => keys.some(({ shown }) => shown !== false)).map(({ title, keys }) =>
    h(
      "section",
      { class: "keys-group" },
      h("h3", {}, title),
      h("dl", {}, keys.filter(({ shown }) => shown !== false).map(({ text, label }) =>
        h("div", {}, h("dt", {}, text.split(" ").map((part) => h("kbd", {}, part))), h("dd", {}, label)))),
    ),
  );
  return createSheet(store, "keys", "Keys", h("div", { class: "keys-groups" }, lists));
}
