// Mouse, touch and wheel on the grid: choose, open, drag a rectangle, pinch to another size.
import { h } from "../core/dom.js";
import { starAt } from "./mark-control.js";
import { cellsIn } from "./layout.js";

const SLOP = 6;
const LONG = 420;
/** How far a wheel with Ctrl (a trackpad's pinch) or two fingers go from one size to the next. */
const NOTCH = 60;
const SPREAD = 1.3;
const EDGE = 40;

/**
 * @param {object} actions `click(index, event)`, `open(index)`, `longPress(index)`, `chooses()`: whether taps choose;
 *   `rectangle(indices, event, phase)`, `stars(index, rating)`
 */
export function addGridPointer(grid, actions) {
  const { element } = grid;
  const runway = element.firstElementChild;
  const band = h("div", { class: "grid-band", hidden: true });
  runway.append(band);
  const fingers = new Map();
  let press = null;
  let pinch = null;
  let timer = 0;
  let wheel = 0;

  const onRunway = (event) => {
    const box = runway.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  element.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 2) {
      clearTimeout(timer);
      press = null;
      pinch = { distance: distance() };
      return;
    }
    const index = grid.indexAt(event.clientX, event.clientY);
    press = { id: event.pointerId, index, start: event, from: onRunway(event), kind: "press" };
    if (event.pointerType === "mouse") return;
    timer = setTimeout(() => {
      if (press?.kind !== "press" || index === null) return;
      press.kind = "long";
      actions.longPress(index);
    }, LONG);
  });

  function distance() {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  }

  element.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pinch && fingers.size === 2) {
      const [a, b] = [...fingers.values()];
      const ratio = distance() / Math.max(1, pinch.distance);
      if (ratio > SPREAD || ratio < 1 / SPREAD) {
        grid.setSize(grid.size + (ratio > 1 ? 1 : -1), { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
        pinch.distance = distance();
      }
      return;
    }
    if (!press || press.id !== event.pointerId) return;
    if (press.kind === "press") {
      if (Math.hypot(event.clientX - press.start.clientX, event.clientY - press.start.clientY) <= SLOP) return;
      clearTimeout(timer);
      if (event.pointerType !== "mouse") {
        press = null;
        return;
      }
      press.kind = "band";
      element.setPointerCapture(event.pointerId);
      actions.rectangle([], event, "start");
    }
    if (press.kind === "band") drawBand(event);
  });

  function drawBand(event) {
    const to = onRunway(event);
    const area = {
      x: Math.min(press.from.x, to.x),
      y: Math.min(press.from.y, to.y),
      width: Math.abs(to.x - press.from.x),
      height: Math.abs(to.y - press.from.y),
    };
    band.hidden = false;
    band.style.transform = `translate(${area.x}px, ${area.y}px)`;
    band.style.width = `${area.width}px`;
    band.style.height = `${area.height}px`;
    actions.rectangle(cellsIn(grid.layout, area), event, "move");
    // At the edges it scrolls on.
    const box = element.getBoundingClientRect();
    const beyond = Math.min(0, event.clientY - box.top - EDGE) + Math.max(0, event.clientY - box.bottom + EDGE);
    clearInterval(press.scrolls);
    if (beyond !== 0) {
      press.scrolls = setInterval(() => {
        element.scrollTop += beyond / 3;
        drawBand(event);
      }, 16);
    }
  }

  function end(event) {
    fingers.delete(event.pointerId);
    clearTimeout(timer);
    if (fingers.size === 0) pinch = null;
    if (!press || press.id !== event.pointerId) return;
    const { kind, index, scrolls } = press;
    clearInterval(scrolls);
    press = null;
    band.hidden = true;
    if (kind === "band") actions.rectangle([], event, "end");
    if (kind !== "press" || event.type === "pointercancel") return;
    const stars = event.target.closest?.(".cell-stars");
    if (stars && index !== null && event.pointerType === "mouse") {
      actions.stars(index, starAt(stars, event.clientX));
      return;
    }
    actions.click(index, event);
  }
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("dblclick", (event) => {
    if (event.target.closest(".cell-stars") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const index = grid.indexAt(event.clientX, event.clientY);
    if (index !== null && !actions.chooses()) actions.open(index);
  });
  element.addEventListener("contextmenu", (event) => event.pointerType === "touch" && event.preventDefault());

  element.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1;
    wheel += Math.max(-NOTCH, Math.min(NOTCH, event.deltaY * unit));
    if (Math.abs(wheel) < NOTCH / 2) return;
    grid.setSize(grid.size + (wheel < 0 ? 1 : -1), { x: event.clientX, y: event.clientY });
    wheel = 0;
  }, { passive: false });
}
