// Export: what to write, how large it will be, then progress that turns into the result where it stands.
import { bytes } from "../adjust/numbers.js";
import { createSlider } from "../adjust/slider.js";
import { h, setAttribute, setText } from "../core/dom.js";
import { createResultRow } from "./export-result.js";
import { createSheet } from "./sheet.js";

const KEPT = "safelight-export";
const quality = {
  sliderMinimum: 1,
  sliderMaximum: 100,
  minimum: 1,
  maximum: 100,
  step: 1,
  detent: 90,
  scale: "linear",
};
const sizes = [["", "Full size"], ["4096", "4096 px"], ["2048", "2048 px"], ["1080", "1080 px"]];
const spaces = [
  ["keep", "As the photo"], ["srgb", "sRGB"], ["display-p3", "Display P3"], ["adobe-rgb", "Adobe RGB"],
  ["rec2020", "Rec. 2020"], ["prophoto", "ProPhoto RGB"],
];
const metadata = [["keep", "Keep all"], ["strip-location", "Without the place"], ["strip", "None"]];

/** @param {object} batch many photos at once: `photos()`, ids or an empty list; `start(photos, options)` */
export function createExportSheet({ store, session, editor, batch }) {
  const options = { format: "jpeg", quality: 90, maxSize: null, colorSpace: "keep", metadata: "keep", ...stored() };
  const select = (label, entries, key, read = (value) => value) => {
    const field = h(
      "select",
      { class: "select", "aria-label": label },
      entries.map(([value, title]) => h("option", { value }, title)),
    );
    field.value = options[key] ?? "";
    field.addEventListener("change", () => set({ [key]: read(field.value) }));
    return { field, row: h("label", { class: "row" }, h("span", {}, label), field) };
  };
  const format = select("Format", [["jpeg", "JPEG"]], "format");
  const size = select("Size", sizes, "maxSize", (value) => (value ? Number(value) : null));
  const space = select("Colour", spaces, "colorSpace");
  const meta = select("Metadata", metadata, "metadata");
  const qualityValue = h("span", { class: "value-text" });
  const slider = createSlider(quality, {
    label: "Quality",
    input: (value) => set({ quality: value }),
    commit: () => {},
    soon: () => {},
  });
  const qualityRow = h("div", { class: "row quality" }, h("span", {}, "Quality"), slider.element, qualityValue);
  const estimate = h("p", { class: "estimate", role: "status" });
  const button = h("button", { type: "submit", class: "wide-button accent", autofocus: "" }, "Export");
  const results = h("ol", { class: "results", "aria-live": "polite" });
  const form = h(
    "form",
    { class: "export-form", method: "dialog" },
    format.row,
    qualityRow,
    size.row,
    space.row,
    meta.row,
    h("div", { class: "export-row" }, estimate, button),
    results,
  );
  const element = createSheet(store, "export", "Export", form);
  const title = element.querySelector("h2");
  /** The chosen photos of the grid; empty for the one that is open. */
  let many = [];
  let timer = 0;
  let asked = 0;

  function set(changes) {
    Object.assign(options, changes);
    try {
      localStorage.setItem(KEPT, JSON.stringify(options));
    } catch {
      // Private windows may have no storage: the choice then lasts as long as the page.
    }
    show();
    askEstimate();
  }

  function show() {
    const chosen = store.state.welcome?.formats.find((one) => one.format === options.format);
    slider.show(options.quality);
    slider.native.disabled = !chosen?.hasQuality;
    setText(qualityValue, String(options.quality));
    qualityRow.classList.toggle("off", !chosen?.hasQuality);
  }

  function askEstimate() {
    clearTimeout(timer);
    if (store.state.sheet !== "export" || many.length) return;
    estimate.classList.toggle("old", estimate.textContent !== "");
    timer = setTimeout(() => {
      const mine = ++asked;
      session.ask({ type: "estimate", options: { ...options } }, (answer) => {
        if (mine !== asked) return;
        estimate.classList.remove("old");
        setText(
          estimate,
          answer.type === "estimate"
            ? `${answer.width} × ${answer.height} · about ${bytes(answer.bytes)}, into “edited” beside the photo`
            : (answer.message ?? ""),
        );
      });
    }, 250);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    editor.flush();
    if (many.length) {
      // How far it is stands on the photos; the bar counts.
      store.update({ sheet: null });
      batch.start(many, { ...options });
      return;
    }
    const row = createResultRow(store.state.info?.name ?? "");
    results.prepend(row.element);
    const sent = session.ask({ type: "export", options: { ...options } }, row.receive);
    if (!sent) row.receive({ type: "lost" });
  });

  store.subscribe((s) => s.welcome?.formats, (formats) => {
    if (!formats) return;
    if (!formats.some((one) => one.format === options.format)) options.format = formats[0]?.format ?? "jpeg";
    format.field.replaceChildren(...formats.map((one) => h("option", { value: one.format }, one.name)));
    format.field.value = options.format;
    show();
  });
  // What was written of another photo is that one's.
  store.subscribe((s) => s.photo, () => results.replaceChildren());
  store.subscribe((s) => s.sheet, (sheet) => {
    if (sheet !== "export") return;
    editor.flush();
    many = batch.photos();
    setText(title, many.length === 0 ? "Export" : many.length === 1 ? "Export 1 photo" : `Export ${many.length} photos`);
    results.hidden = many.length > 0;
    asked++;
    estimate.classList.remove("old");
    setText(estimate, many.length ? "Into “edited” beside the photos" : "");
    show();
    askEstimate();
    const busy = many.length > 0 && store.state.job !== null && !store.state.job.result;
    setAttribute(button, "disabled", !busy && (many.length || store.state.info) ? null : "");
  });
  return element;
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}
