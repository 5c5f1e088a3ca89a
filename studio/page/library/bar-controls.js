// What the library puts into the bar: marks of the photo that is open, the size of the cells, the count of work.
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { createJobChip } from "./job-chip.js";
import { sizes } from "./layout.js";
import { createMarkControl } from "./mark-control.js";

/** @returns `{ control, row, size, job }`; `row` is the control again, for the thumb on a phone */
export function createBarControls({ store, marks, library, jobs }) {
  const set = (patch) => store.state.photo !== null && marks.set([store.state.photo], patch);
  const control = createMarkControl({ set });
  const low = createMarkControl({ set });
  const row = h("div", { class: "mark-row" }, low.element);
  store.subscribe((s) => [s.photo, s.marks], ([photo]) => low.show(marks.of(photo)));

  const slider = h("input", {
    type: "range",
    class: "size-slider",
    min: 0,
    max: sizes.length - 1,
    step: 1,
    "aria-label": "Size of the photos",
  });
  const show = (size) => {
    slider.value = size;
    slider.setAttribute("aria-valuetext", `${size + 1} of ${sizes.length}`);
  };
  slider.addEventListener("input", () => library.grid.setSize(Number(slider.value)));
  // Its arrows are its own, and not the grid's.
  slider.addEventListener("keydown", (event) => /^(Arrow|Home|End|Page)/.test(event.key) && event.stopPropagation());
  library.grid.onSize(show);
  store.subscribe((s) => s.room, () => show(library.grid.size));
  const size = h("div", { class: "bar-size" }, icon("small"), slider, icon("large"));
  const job = createJobChip({ store, jobs, nameOf: library.nameOf });
  return { control, row, size, job };
}
