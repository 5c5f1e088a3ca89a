// Icons on a 20 × 20 grid: lines of 1.5, round ends.
import { svg } from "./dom.js";

const paths = {
  undo: "M7.5 4 4 7.5 7.5 11M4.5 7.5h7a4.25 4.25 0 0 1 0 8.5H8",
  redo: "M12.5 4 16 7.5 12.5 11M15.5 7.5h-7a4.25 4.25 0 0 0 0 8.5H12",
  adjust: "M3 6h6M13 6h4M3 14h3M10 14h7M11 4v4M8 12v4",
  looks: "M7.5 8.5a4 4 0 1 0 5 0M10 11a4 4 0 1 1-4.6-6.3M10 11a4 4 0 1 0 4.6-6.3M6 7a4 4 0 1 1 8 0",
  crop: "M6 2.5V14h11.5M2.5 6H14v11.5",
  photos: "M3 3.5h5.5V9H3zM11.5 3.5H17V9h-5.5zM3 11.5h5.5V17H3zM11.5 11.5H17V17h-5.5z",
  original: "M2.5 10S5.2 4.8 10 4.8 17.5 10 17.5 10 14.8 15.2 10 15.2 2.5 10 2.5 10ZM10 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z",
  split: "M10 2.5v15M3 4.5h4M3 4.5v11h4M17 4.5h-4M17 4.5v11h-4",
  side: "M2.5 4.5h6.3v11H2.5zM11.2 4.5h6.3v11h-6.3z",
  scopes: "M3 16.5h14M4 16c1.6 0 1.8-9 3.8-9s2 5 3.6 5S13.6 4 16 4",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  export: "M10 12.5V3M6.5 6 10 2.7 13.5 6M4 10.5v6h12v-6",
  close: "m5 5 10 10M15 5 5 15",
  check: "m4 10.5 4 4 8-9",
  reset: "M4.5 5.5v3.7h3.7M4.9 9A5.6 5.6 0 1 1 5 12.3",
  auto: "m3.5 16.5 8-8M13 3v3M11.5 4.5h3M16 9v2.4M14.8 10.2h2.4M7.5 3.4v2.2M6.4 4.5h2.2",
  chevron: "m7.5 4.5 5 5.5-5 5.5",
  left: "M8.5 8.5h8v8h-8zM3 8.5A5 5 0 0 1 8 3.5M1.2 6.6 3 8.6l2-1.8",
  right: "M3.5 8.5h8v8h-8zM17 8.5a5 5 0 0 0-5-5M18.8 6.6 17 8.6l-2-1.8",
  flipH: "M10 2.5v15M7 5 2.5 15H7zM13 5l4.5 10H13z",
  flipV: "M2.5 10h15M5 7l10-4.5V7zM5 13l10 4.5V13z",
  swap: "M5 3.5h6v4M5 3.5v13h4M9 9.5h8v7H9z",
  grid: "M3 3h14v14H3zM7.7 3v14M12.3 3v14M3 7.7h14M3 12.3h14",
  copy: "M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4",
  help: "M7.6 7.6a2.5 2.5 0 1 1 3.7 2.2c-.9.5-1.3 1-1.3 2M10 14.6h.01M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15Z",
  fit: "M3 7.5V3h4.5M17 7.5V3h-4.5M3 12.5V17h4.5M17 12.5V17h-4.5",
};

/** An icon by its name; it says nothing to screen readers, the button that holds it does. */
export const icon = (name) =>
  svg(
    "svg",
    { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: paths[name] }),
  );
