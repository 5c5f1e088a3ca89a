// Before and after: the banner of the original, the split's handle, labels of the two sides.
import { h, setAttribute } from "../core/dom.js";

export function addCompare(stage, store) {
  const banner = h("div", { class: "banner", role: "status", hidden: true }, "Original");
  const handle = h(
    "div",
    {
      class: "split-handle",
      role: "slider",
      tabindex: "0",
      "aria-label": "Split between original and edited",
      "aria-valuemin": "0",
      "aria-valuemax": "100",
      hidden: true,
    },
    h("span", { class: "split-grip" }),
  );
  const before = h("span", { class: "side-label before", hidden: true }, "Original");
  const after = h("span", { class: "side-label after", hidden: true }, "Edited");
  stage.element.append(handle, banner, before, after);

  const setSplit = (split) => store.update({ split: Math.min(1, Math.max(0, split)) });

  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
    handle.focus();
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const box = stage.element.getBoundingClientRect();
    setSplit((event.clientX - box.left) / box.width);
  });
  handle.addEventListener("dblclick", () => setSplit(0.5));
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -0.01, ArrowRight: 0.01 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setSplit(store.state.split + by * (event.shiftKey ? 10 : 1));
  });

  store.subscribe(
    (s) => [s.split, s.compare, s.mode, s.canvas],
    ([split, compare, mode]) => {
      const cropping = mode === "crop";
      handle.hidden = compare !== "split" || cropping;
      handle.style.left = `${split * 100}%`;
      stage.element.style.setProperty("--split", `${split * 100}%`);
      setAttribute(handle, "aria-valuenow", Math.round(split * 100));
      const labelled = compare !== "off" && !cropping;
      before.hidden = after.hidden = !labelled;
      const stacked = compare === "side" && stage.layout().areas[1]?.y > 0;
      stage.element.dataset.compare = labelled ? (stacked ? "stacked" : compare) : "off";
    },
  );
  store.subscribe((s) => s.holding, (holding) => {
    banner.hidden = !holding;
  });
}

/** Off, or the given kind; the same again is off. */
export const toggleCompare = (store, kind) =>
  store.update({ compare: store.state.compare === kind ? "off" : kind });
