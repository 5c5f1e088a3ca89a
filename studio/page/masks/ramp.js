// A range of lightness: a ramp from black to white with the picture's histogram behind, and a handle at each end.
import { h, setAttribute } from "../core/dom.js";
import { heightsOf } from "../scopes/counts.js";

const clamp = (value) => Math.min(1, Math.max(0, value));
const round = (value) => Math.round(value * 1000) / 1000;

export function createRamp({ tool, store, editor, stage }) {
  const canvas = h("canvas", { class: "ramp-histogram", width: 256, height: 40, "aria-hidden": "true" });
  const range = h("span", { class: "ramp-range" });
  const ends = ["from", "to"].map((name) => {
    const end = h("button", {
      type: "button",
      class: `ramp-handle ${name}`,
      role: "slider",
      "aria-label": name === "from" ? "Darkest" : "Brightest",
      "aria-valuemin": "0",
      "aria-valuemax": "100",
    });
    end.addEventListener("keydown", (event) => key(event, name));
    return end;
  });
  const element = h("div", { class: "ramp" }, canvas, h("span", { class: "ramp-scale" }), range, ends);
  let drag = null;

  function set(name, value, options) {
    const { from = 0, to = 1, ...rest } = tool.leaf.mask;
    const next = { from, to, [name]: round(clamp(value)) };
    // An end stops at the other one.
    if (name === "from") next.from = Math.min(next.from, to);
    else next.to = Math.max(next.to, from);
    tool.setLeaf({ ...rest, ...next }, options);
  }

  function key(event, name) {
    const isReset = event.key === "Delete" || event.key === "Backspace";
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by && !isReset) return;
    event.preventDefault();
    event.stopPropagation();
    const { [name]: value = name === "from" ? 0 : 1 } = tool.leaf.mask;
    if (isReset) set(name, name === "from" ? 0 : 1, { dragging: true });
    else set(name, value + by * (event.shiftKey ? 0.05 : 0.01), { dragging: true });
    editor.commitSoon("Mask");
  }

  /** The whole ramp takes the pointer: the nearer end follows, and a range dragged by its middle moves. */
  element.addEventListener("pointerdown", (event) => {
    if (event.button > 0 || drag) return;
    const box = element.getBoundingClientRect();
    const at = clamp((event.clientX - box.left) / box.width);
    const { from = 0, to = 1 } = tool.leaf.mask;
    const nearer = Math.abs(at - from) < Math.abs(at - to) || (from === to && at < from) ? "from" : "to";
    const edge = Math.min(Math.abs(at - from), Math.abs(at - to)) * box.width;
    drag = { box, name: at > from && at < to && edge > 24 ? "both" : nearer, at, from, to };
    element.setPointerCapture(event.pointerId);
    if (drag.name !== "both") ends[drag.name === "from" ? 0 : 1].focus({ focusVisible: false });
    store.update({ dragging: "mask" });
    tool.set({ dragging: true });
    move(event);
    event.preventDefault();
  });
  function move(event) {
    if (!drag) return;
    const { box, name, from, to } = drag;
    const at = clamp((event.clientX - box.left) / box.width);
    if (name !== "both") set(name, at, { dragging: true, time: event.timeStamp });
    else {
      const by = Math.min(1 - to, Math.max(-from, at - drag.at));
      const mask = { ...tool.leaf.mask, from: round(from + by), to: round(to + by) };
      tool.setLeaf(mask, { dragging: true, time: event.timeStamp });
    }
  }
  element.addEventListener("pointermove", move);
  const end = () => {
    if (!drag) return;
    drag = null;
    store.update({ dragging: null });
    tool.set({ dragging: false });
    tool.commit();
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);

  let counted = null;
  function drawHistogram() {
    const counts = stage.painter.frame?.header.histogram?.lightness;
    if (!counts || counts === counted) return;
    counted = counts;
    const context = canvas.getContext("2d");
    const { width, height } = canvas;
    context.clearRect(0, 0, width, height);
    context.fillStyle = "rgb(255 255 255 / .38)";
    heightsOf(counts).forEach((part, index) => {
      context.fillRect((index / 256) * width, height - part * height, width / 256 + 0.5, part * height);
    });
  }
  store.subscribe((s) => s.frame, () => element.offsetParent && drawHistogram());

  return {
    element,
    show() {
      const { from = 0, to = 1 } = tool.leaf.mask;
      [from, to].forEach((value, index) => {
        ends[index].style.left = `${value * 100}%`;
        setAttribute(ends[index], "aria-valuenow", Math.round(value * 100));
        setAttribute(ends[index], "aria-valuetext", `${Math.round(value * 100)} %`);
      });
      range.style.left = `${from * 100}%`;
      range.style.width = `${(to - from) * 100}%`;
      drawHistogram();
    },
  };
}
