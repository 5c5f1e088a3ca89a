// The grid's tools: what is shown, how many photos have which mark, and what can be done to those that are chosen.
import { h, setAttribute, setText } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { colors, counted, flags, isOn, neutral, noFilter, withToggled } from "./filter.js";
import { createMarkControl, starAt } from "./mark-control.js";

const titles = { pick: "Picked", none: "Without a flag", reject: "Rejected" };
const icons = { pick: "pick", none: "pick", reject: "reject" };
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const edits = [null, true, false];

/**
 * @param {object} actions `mark(patch)`, `chosen()` (ids in order), `compare()`, `copy()`, `paste()`, `pasteParts()`,
 *   `canPaste()`, `choose(on)`, `all()`
 */
export function createFilterBar({ store, shown, marks, actions }) {
  const set = (filter) => store.update({ filter });
  const own = () => store.state.filter;
  const count = () => h("span", { class: "filter-count", "aria-hidden": "true" });
  const chip = (name, children, run) =>
    h("button", { type: "button", class: `filter-chip ${name}`, on: { click: run } }, ...children);

  const flagChips = flags.map((flag) => {
    const number = count();
    const run = () => set(withToggled(own(), "flags", flag));
    return { flag, number, element: chip(`flag-${flag}`, [icon(icons[flag]), number], run) };
  });
  const colorChips = colors.map((color) => ({
    color,
    element: chip("color", [h("span", { class: "color-dot", "data-color": color })], () =>
      set(withToggled(own(), "colors", color))),
  }));
  const starCount = count();
  const stars = h("span", {
    class: "stars",
    role: "slider",
    tabindex: "0",
    "aria-label": "At least so many stars",
    "aria-valuemin": "0",
    "aria-valuemax": "5",
    title: "At least so many stars",
  });
  const setStars = (number) => set({ ...own(), stars: Math.min(5, Math.max(0, number)) });
  stars.addEventListener("mousedown", (event) => event.preventDefault());
  stars.addEventListener("click", (event) => {
    const star = starAt(stars, event.clientX);
    setStars(star === own().stars ? 0 : star);
  });
  stars.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    setStars(own().stars + by);
  });
  const editedText = h("span", {});
  const editedCount = count();
  const edited = chip("edited", [icon("adjust"), editedText, editedCount], () =>
    set({ ...own(), edited: edits[(edits.indexOf(own().edited) + 1) % edits.length] }));
  const clear = h(
    "button",
    { type: "button", class: "icon-button small", title: "Show all", "aria-label": "Show all" },
    icon("close"),
  );
  clear.addEventListener("click", () => set(noFilter));
  const least = h("span", { class: "filter-least", "aria-hidden": "true" }, "≥");
  const filters = h(
    "div",
    { class: "filters", role: "group", "aria-label": "Show only" },
    h("span", { class: "tools-name", "aria-hidden": "true" }, "Show"),
    flagChips.map(({ element }) => element),
    h("span", { class: "bar-line" }),
    h("span", { class: "filter-stars" }, least, stars, starCount),
    h("span", { class: "bar-line" }),
    h("span", { class: "filter-colors" }, colorChips.map(({ element }) => element)),
    h("span", { class: "bar-line" }),
    edited,
    clear,
  );

  const button = (name, label, key, run) =>
    h(
      "button",
      { type: "button", class: "icon-button", title: `${label} (${key})`, "aria-label": label, on: { click: run } },
      icon(name),
    );
  const number = h("span", { class: "chosen-count", role: "status" });
  const control = createMarkControl({ set: actions.mark, label: "Marks of the chosen photos" });
  const compare = button("compare", "Compare two", "C", actions.compare);
  const copy = button("copy", "Copy the edit", "Ctrl+C", actions.copy);
  const paste = button("paste", "Paste look and colours", "Ctrl+V", actions.paste);
  const parts = h(
    "button",
    { type: "button", class: "quiet", title: "Paste parts of the edit (Ctrl+Shift+V)" },
    "Parts…",
  );
  parts.addEventListener("click", actions.pasteParts);
  const choose = h("button", { type: "button", class: "quiet choose", on: { click: actions.choose } }, "Select");
  const chosen = h(
    "div",
    { class: "chosen", role: "group", "aria-label": "Chosen photos" },
    number,
    control.element,
    h("span", { class: "bar-line" }),
    compare,
    copy,
    paste,
    parts,
  );
  const attributes = { class: "library-tools", role: "toolbar", "aria-label": "Photos" };
  const element = h("div", attributes, filters, chosen, choose);

  store.subscribe(
    (s) => [s.filter, s.welcome?.photos, s.marks, s.edited],
    ([filter, photos, byPhoto, editedSet]) => {
      if (!photos) return;
      const counts = counted(photos, byPhoto.byPhoto, editedSet);
      for (const { flag, number: text, element: one } of flagChips) {
        setText(text, String(counts.flags[flag]));
        setAttribute(one, "aria-pressed", filter.flags.includes(flag));
        setAttribute(one, "aria-label", `${titles[flag]}, ${counts.flags[flag]}`);
        one.title = titles[flag];
      }
      for (const { color, element: one } of colorChips) {
        setAttribute(one, "aria-pressed", filter.colors.includes(color));
        setAttribute(one, "aria-label", `${capital(color)}, ${counts.colors[color]}`);
        one.title = `${capital(color)}: ${counts.colors[color]}`;
        one.classList.toggle("empty", counts.colors[color] === 0);
      }
      stars.style.setProperty("--rating", filter.stars);
      setAttribute(stars, "aria-valuenow", filter.stars);
      const few = `${filter.stars} or more, ${counts.stars[filter.stars]}`;
      setAttribute(stars, "aria-valuetext", filter.stars ? few : "All");
      setText(starCount, filter.stars ? String(counts.stars[filter.stars]) : "");
      setText(editedText, filter.edited === false ? "Not edited" : "Edited");
      setText(editedCount, String(filter.edited === false ? photos.length - counts.edited : counts.edited));
      setAttribute(edited, "aria-pressed", filter.edited !== null);
      clear.classList.toggle("absent", !isOn(filter));
    },
  );
  store.subscribe(
    (s) => [s.selection, s.marks, s.choosing, s.connection, s.job, s.welcome?.photos],
    ([selection, , choosing, connection]) => {
      const ids = selection.ids;
      setText(number, ids.size === 1 && !choosing ? "" : `${ids.size} selected`);
      const first = ids.has(selection.focus) ? selection.focus : ids.values().next().value;
      control.show(first === undefined ? neutral : common([...ids].map(marks.of), marks.of(first)));
      element.classList.toggle("choosing", choosing);
      element.classList.toggle("none-chosen", ids.size === 0);
      compare.disabled = ids.size !== 2;
      copy.disabled = ids.size === 0;
      paste.disabled = parts.disabled = ids.size === 0 || !actions.canPaste() || connection !== "open";
      setText(choose, choosing ? "Done" : "Select");
    },
  );
  return element;
}

/** What all marks have in common; where they differ, nothing shines. */
function common(marks, first) {
  const same = (key) => marks.every((mark) => mark[key] === first[key]);
  return {
    rating: same("rating") ? first.rating : 0,
    flag: same("flag") ? first.flag : "none",
    color: same("color") ? first.color : "none",
  };
}
