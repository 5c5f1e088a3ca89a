// Flag, stars and colour of what is chosen, as buttons; the same in the bar, under the picture and in the grid.
import { h, setAttribute } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { colors, neutral } from "./filter.js";

const capital = (word) => word[0].toUpperCase() + word.slice(1);
export const starsText = (rating) => (rating === 1 ? "1 star" : rating === 0 ? "No stars" : `${rating} stars`);

/** In words, for screen readers: "3 stars, picked, red". Empty for a neutral mark. */
export function markText({ rating, flag, color }) {
  return [
    rating > 0 ? starsText(rating) : null,
    flag === "pick" ? "picked" : flag === "reject" ? "rejected" : null,
    color === "none" ? null : color,
  ].filter(Boolean).join(", ");
}

/** Which star is under the pointer: 1…5. */
export function starAt(element, clientX) {
  const box = element.getBoundingClientRect();
  return Math.min(5, Math.max(1, Math.ceil(((clientX - box.left) / box.width) * 5)));
}

/** Five stars that are dragged, clicked and moved by arrow keys; a click on the last one that shines takes all away. */
export function createStars(set) {
  let rating = 0;
  const element = h("span", {
    class: "stars",
    role: "slider",
    tabindex: "0",
    "aria-label": "Stars",
    "aria-valuemin": "0",
    "aria-valuemax": "5",
  });
  element.addEventListener("mousedown", (event) => event.preventDefault());
  const draw = (shown) => element.style.setProperty("--rating", shown);
  element.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") draw(starAt(element, event.clientX));
  });
  element.addEventListener("pointerleave", () => draw(rating));
  element.addEventListener("click", (event) => {
    const star = starAt(element, event.clientX);
    set(star === rating ? 0 : star);
  });
  element.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(5, Math.max(0, rating + by));
    if (next !== rating) set(next);
  });
  return {
    element,
    show(next, disabled = false) {
      rating = next;
      draw(next);
      setAttribute(element, "aria-valuenow", next);
      setAttribute(element, "aria-valuetext", starsText(next));
      setAttribute(element, "aria-disabled", disabled);
    },
  };
}

/** One of five dots, or none. */
export function createDots(set) {
  let color = "none";
  const dots = colors.map((one, index) =>
    h("button", {
      type: "button",
      role: "radio",
      class: "color-dot",
      "data-color": one,
      title: `${capital(one)} (${"6789L"[index]})`,
      "aria-label": capital(one),
      on: { click: () => set(one === color ? "none" : one) },
    }));
  const element = h("span", { class: "color-dots", role: "radiogroup", "aria-label": "Colour" }, dots);
  element.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const index = dots.indexOf(document.activeElement);
    if (!by || index < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (index + by + dots.length) % dots.length;
    dots[next].focus();
    set(colors[next]);
  });
  return {
    element,
    show(next) {
      color = next;
      dots.forEach((dot, index) => {
        setAttribute(dot, "aria-checked", colors[index] === next);
        dot.tabIndex = colors[index] === next || (next === "none" && index === 0) ? 0 : -1;
      });
    },
  };
}

/**
 * All of it together.
 *
 * @param {object} actions `set(patch)`; what is given is a part of a mark
 */
export function createMarkControl({ set, label = "Marks" }) {
  const flag = (name, title, key) =>
    h(
      "button",
      {
        type: "button",
        class: `icon-button flag-button ${name}`,
        title: `${title} (${key})`,
        "aria-label": title,
        on: { click: () => set({ flag: shown.flag === name ? "none" : name }) },
      },
      icon(name),
    );
  let shown = neutral;
  const pick = flag("pick", "Pick", "P");
  const reject = flag("reject", "Reject", "X");
  const stars = createStars((rating) => set({ rating }));
  const dots = createDots((color) => set({ color }));
  const element = h(
    "div",
    { class: "mark-control", role: "group", "aria-label": label },
    pick,
    reject,
    stars.element,
    dots.element,
  );
  return {
    element,
    show(mark) {
      shown = mark;
      setAttribute(pick, "aria-pressed", mark.flag === "pick");
      setAttribute(reject, "aria-pressed", mark.flag === "reject");
      stars.show(mark.rating);
      dots.show(mark.color);
    },
  };
}
