// One cell of the grid, which shows one photo after another as the grid is scrolled.
import { h, setAttribute, setText, svg } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { isNeutral, neutral } from "./filter.js";
import { markText } from "./mark-control.js";

export function createCell() {
  const frame = h("div", { class: "cell-picture" });
  const flag = h("span", { class: "cell-flag" }, icon("pick"), icon("reject"));
  const stars = h("span", { class: "stars cell-stars" });
  const badge = h("span", { class: "cell-edited" }, icon("adjust"));
  const name = h("span", { class: "cell-name" });
  const foot = h("div", { class: "cell-foot" }, stars, name, badge);
  const element = h("div", { class: "cell", role: "option" }, frame, flag, foot);
  let ring = null;
  let shown = {};

  /** How work on this photo stands: "waits", "works", "done", "failed" or null. */
  function showWork(work) {
    setAttribute(element, "data-work", work);
    if (work === null || work === "failed") {
      ring?.remove();
      return;
    }
    ring ??= svg(
      "svg",
      { class: "ring", viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("circle", { cx: 12, cy: 12, r: 9, class: "ring-track" }),
      svg("circle", { cx: 12, cy: 12, r: 9, class: "ring-arc", pathLength: 100 }),
      svg("path", { d: "m8 12.4 2.8 2.8 5.2-5.8", class: "ring-check" }),
    );
    if (!ring.isConnected) element.append(ring);
  }

  return {
    element,
    stars,
    get photo() {
      return shown.photo ?? null;
    },
    /** Where it is, in CSS pixels of the runway. */
    place({ x, y }, { width, height }) {
      element.style.transform = `translate(${x}px, ${y}px)`;
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    },
    /**
     * @param {object} now `photo`, `title`, `index`, `count`, `image` (an `img` or null), `failure`, `mark`, `edited`,
     *   `chosen`, `focused`, `work`
     */
    show(now) {
      const before = shown;
      shown = now;
      const mark = now.mark ?? neutral;
      if (before.image !== now.image || frame.firstChild !== now.image) {
        if (now.image) {
          // Only what has just come fades in: what is scrolled back to has been seen.
          const isFresh = now.image.isFresh && before.photo === now.photo && !before.image;
          now.image.classList.toggle("fresh", isFresh === true);
          now.image.isFresh = false;
          frame.replaceChildren(now.image);
        } else {
          frame.replaceChildren();
        }
      }
      if (before.index !== now.index) {
        element.id = `cell-${now.index}`;
        setAttribute(element, "aria-posinset", now.index + 1);
      }
      if (before.count !== now.count) setAttribute(element, "aria-setsize", now.count);
      if (before.title !== now.title) setText(name, now.title);
      if (before.chosen !== now.chosen) setAttribute(element, "aria-selected", now.chosen);
      if (before.focused !== now.focused) element.classList.toggle("focused", now.focused);
      const same = ["edited", "title", "failure"].every((key) => before[key] === now[key]);
      if (!same || before.mark !== mark) {
        setAttribute(element, "data-flag", mark.flag);
        setAttribute(element, "data-color", mark.color);
        stars.style.setProperty("--rating", mark.rating);
        stars.classList.toggle("none", mark.rating === 0);
        element.classList.toggle("edited", now.edited);
        element.classList.toggle("unread", now.failure !== null);
        element.title = now.failure ?? now.title;
        const words = [now.title, isNeutral(mark) ? null : markText(mark), now.edited ? "edited" : null, now.failure];
        setAttribute(element, "aria-label", words.filter(Boolean).join(", "));
      }
      if (before.work !== now.work) showWork(now.work);
      shown.mark = mark;
    },
    /** It is out of sight: it shows nothing and is free. */
    clear() {
      shown = {};
      frame.replaceChildren();
    },
  };
}
