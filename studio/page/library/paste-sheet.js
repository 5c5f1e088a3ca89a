// Which parts of a copied edit are pasted onto the chosen photos.
import { h, setText } from "../core/dom.js";
import { createSheet } from "../sheets/sheet.js";
import { LOOK_AND_COLOURS } from "./library.js";

const KEPT = "safelight-paste-parts";
const parts = [
  ["look", "Look"],
  ["light", "Light"],
  ["color", "Colour"],
  ["detail", "Detail"],
  ["effects", "Effects"],
  ["masks", "Masks"],
  ["crop", "Crop and angle"],
  ["rotation", "Quarter turns and flips"],
];

export function createPasteSheet({ store, library }) {
  const boxes = parts.map(([part, title]) => {
    const box = h("input", { type: "checkbox", value: part });
    return { part, box, row: h("label", { class: "check-row" }, box, h("span", {}, title)) };
  });
  const button = h("button", { type: "submit", class: "wide-button accent", autofocus: "" }, "Paste");
  const form = h(
    "form",
    { class: "paste-form", method: "dialog" },
    h("div", { class: "check-rows" }, boxes.map(({ row }) => row)),
    button,
  );
  const element = createSheet(store, "paste", "Paste", form);
  const title = element.querySelector("h2");
  const chosen = () => boxes.filter(({ box }) => box.checked).map(({ part }) => part);
  form.addEventListener("change", () => {
    button.disabled = chosen().length === 0;
    try {
      localStorage.setItem(KEPT, JSON.stringify(chosen()));
    } catch {
      // Without storage the choice lasts until the sheet is opened again.
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    store.update({ sheet: null });
    library.paste(chosen());
  });
  store.subscribe((s) => s.sheet, (sheet) => {
    if (sheet !== "paste") return;
    const { length } = library.meant;
    setText(title, length === 1 ? "Paste onto 1 photo" : `Paste onto ${length} photos`);
    const wanted = new Set(stored());
    for (const { part, box } of boxes) box.checked = wanted.has(part);
    button.disabled = wanted.size === 0;
  });
  return element;
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? LOOK_AND_COLOURS;
  } catch {
    return LOOK_AND_COLOURS;
  }
}
