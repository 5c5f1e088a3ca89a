// A curve through points: one of several, by tabs, over the picture's histogram.
import { neutralOf } from "../../core/edits.js";
import { h, setAttribute, setText } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { beforePaint } from "../../core/redraw.js";
import { createTabs } from "../tabs.js";
import { format } from "../numbers.js";
import { createValueField } from "../value-field.js";
import { drawPlot, lookOf } from "./drawing.js";
import { dragPoints } from "./dragging.js";
import { inserted, moved, pointsOf, removed, textOf } from "./points.js";

/** CSS pixels around the square, so that points in its corners are seen whole. */
const PAD = 8;
/** Axes are shown in percent of their range. */
const percent = { minimum: 0, maximum: 100, step: 0.1, unit: "%" };
const toPercent = (value, { minimum, maximum }) => (100 * (value - minimum)) / (maximum - minimum);
const fromPercent = (value, { minimum, maximum }) => minimum + (value / 100) * (maximum - minimum);

/** Parameters that are curves. */
export const takes = ({ kind, curveStep }) => kind === "points" && curveStep !== undefined;

/**
 * @param {Array} parameters curves
 * @param {object} context `editor`, `store`, `histogram` (`counts()`, `listen(run)`), `title`, `id` of the element
 * @returns `{ element, parts }`: a part for each parameter, as a control is
 */
export function createCurve(parameters, { editor, store, histogram, title, id }) {
  const curves = parameters.map((parameter) => ({
    parameter,
    text: neutralOf(parameter),
    points: pointsOf(parameter.neutral),
  }));
  let current = curves[0];
  /** The point that keys and fields move. */
  let selected = -1;

  const canvas = h("canvas", { class: "curve-canvas", "aria-hidden": "true" });
  const note = h("span", { class: "curve-note", role: "status" });
  const plot = h("div", { class: "curve-plot" }, canvas, note);
  const handles = [];
  const hint = h("span", { class: "curve-hint" }, "Press on the curve to add a point");
  const fields = ["x", "y"].map((axis) =>
    createValueField(percent, {
      label: axis === "x" ? `${title}, input` : `${title}, output`,
      take(value) {
        if (selected < 0) return null;
        const place = { ...current.points[selected], [axis]: fromPercent(value, current.parameter[axis]) };
        set(moved(current.points, selected, place, current.parameter, 0.1), { dragging: false });
        commit();
        return toPercent(current.points[selected][axis], current.parameter[axis]);
      },
    }));
  const remove = smallButton("delete", "Remove the point", () => removeSelected());
  const reset = smallButton("reset", "Reset this curve", () => {
    select(-1);
    set(pointsOf(current.parameter.neutral), { dragging: false });
    commit();
  });
  const values = h(
    "div",
    { class: "curve-values" },
    h("label", {}, "In", fields[0].element),
    h("label", {}, "Out", fields[1].element),
  );
  const tabs = createTabs({
    label: title,
    controls: id,
    items: parameters.map((parameter) => ({ text: short(parameter), title: parameter.title, colour: colourOf(parameter) })),
    choose(index) {
      current = curves[index];
      selected = -1;
      show();
    },
  });
  const element = h(
    "div",
    { class: "curve", id, role: "group", "aria-label": title },
    tabs.element,
    plot,
    h("div", { class: "curve-row" }, hint, values, h("span", { class: "spacer" }), remove, reset),
  );

  const stepOf = () => (current === curves[0] ? title : `${title}: ${current.parameter.title}`);
  const commit = () => editor.commit(stepOf());
  const commitSoon = () => editor.commitSoon(stepOf());

  function set(points, options) {
    const text = textOf(points);
    if (text === current.text) return;
    Object.assign(current, { points, text });
    editor.setValue(current.parameter.flag, text, { time: performance.now(), ...options });
    beforePaint(show);
  }

  function select(index) {
    if (index === selected) return;
    selected = index;
    beforePaint(show);
  }

  function add(place, part) {
    const added = inserted(current.points, place, current.parameter, part);
    if (!added && current.points.length >= current.parameter.maximumPoints) {
      setText(note, `${current.parameter.maximumPoints} points are the most.`);
    }
    return added;
  }

  function removeSelected() {
    if (selected < 0) return;
    const index = selected;
    const points = removed(current.points, index, current.parameter);
    const isGone = points.length < current.points.length;
    set(points, { dragging: false });
    commit();
    if (!isGone) return;
    selected = Math.max(0, index - 1);
    show();
    handles[selected].focus({ preventScroll: true });
  }

  function key(event, index) {
    const { points, parameter } = current;
    const size = event.shiftKey ? 10 : 1;
    const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (by) {
      const { x, y } = points[index];
      const place = { x: x + by[0] * size * parameter.x.step, y: y + by[1] * size * parameter.y.step };
      set(moved(points, index, place, parameter), { dragging: true });
      commitSoon();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      removeSelected();
    } else if (event.key === "Enter" || event.key === "Insert") {
      addBeside(index);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Halfway to the next point, or of the last one to that before, on the line between them. */
  function addBeside(index) {
    const { points } = current;
    const first = Math.min(index, points.length - 2);
    const [a, b] = [points[first], points[first + 1]];
    const added = add({ x: (a.x + b.x) / 2, y: drags.at((a.x + b.x) / 2) }, 0.1);
    if (!added) return;
    set(added.points, { dragging: true });
    commitSoon();
    selected = added.index;
    show();
    handles[selected].focus({ preventScroll: true });
  }

  function handleAt(index) {
    if (handles[index]) return handles[index];
    const handle = h("button", { type: "button", role: "slider", class: "curve-point" }, h("span", {}));
    setAttribute(handle, "aria-valuemin", 0);
    setAttribute(handle, "aria-valuemax", 100);
    handle.addEventListener("keydown", (event) => key(event, index));
    handle.addEventListener("focus", () => select(index));
    handles[index] = handle;
    plot.append(handle);
    return handle;
  }

  const drags = dragPoints({
    plot,
    pad: PAD,
    get points() {
      return current.points;
    },
    get parameter() {
      return current.parameter;
    },
    add,
    set,
    select(index) {
      select(index);
      handleAt(index).focus({ preventScroll: true, focusVisible: false });
    },
    remove: removeSelected,
    commit,
    commitSoon,
    hold: (on) => store.update({ dragging: on ? current.parameter.flag : null }),
    quiet: () => setText(note, ""),
    // What was typed is about the point that was selected.
    settle: () => fields.forEach((field) => field.finish()),
  });

  /** Handles, fields and tabs; then what lies behind, if it can be seen. */
  function show() {
    const { points, parameter } = current;
    if (selected >= points.length) selected = -1;
    points.forEach((point, index) => {
      const handle = handleAt(index);
      const [x, y] = [toPercent(point.x, parameter.x), toPercent(point.y, parameter.y)];
      handle.hidden = false;
      // Percent of what is left of the plot between its pads.
      handle.style.left = `calc(${PAD}px + (100% - ${2 * PAD}px) * ${x / 100})`;
      handle.style.top = `calc(${PAD}px + (100% - ${2 * PAD}px) * ${1 - y / 100})`;
      handle.classList.toggle("selected", index === selected);
      setAttribute(handle, "aria-label", `${parameter.title}, point ${index + 1} of ${points.length}`);
      setAttribute(handle, "aria-valuenow", Math.round(y));
      setAttribute(handle, "aria-valuetext", `input ${format(percent, x)}, output ${format(percent, y)}`);
    });
    handles.slice(points.length).forEach((handle) => (handle.hidden = true));
    const point = points[selected];
    fields[0].show(point ? toPercent(point.x, parameter.x) : null);
    fields[1].show(point ? toPercent(point.y, parameter.y) : null);
    values.hidden = !point;
    hint.hidden = Boolean(point);
    const isEnd = selected === 0 || selected === points.length - 1;
    remove.classList.toggle("absent", !point || isEnd);
    reset.classList.toggle("absent", current.text === neutralOf(parameter));
    plot.style.setProperty("--line", lookOf(parameter).line);
    curves.forEach((curve, index) => tabs.mark(index, curve.text !== neutralOf(curve.parameter)));
    tabs.show(curves.indexOf(current));
    draw();
  }

  function draw() {
    const box = canvas.getBoundingClientRect();
    if (!box.width) return;
    const ratio = (globalThis.devicePixelRatio || 1) * (box.width / canvas.clientWidth);
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pad = PAD * ratio;
    const area = { left: pad, top: pad, width: width - 2 * pad, height: height - 2 * pad };
    const others = curves.filter((curve) => curve !== current && curve.text !== neutralOf(curve.parameter));
    drawPlot(canvas.getContext("2d"), { width, height, area, ratio }, { histogram: histogram.counts(), current, others });
  }
  histogram.listen(() => beforePaint(draw));
  // It is unfolded, or the window has another width.
  new ResizeObserver(() => beforePaint(show)).observe(plot);
  show();

  return {
    element,
    parts: curves.map((curve) => ({
      parameter: curve.parameter,
      slider: null,
      show(edit) {
        const value = edit.values[curve.parameter.flag] ?? neutralOf(curve.parameter);
        if (value === curve.text) return;
        Object.assign(curve, { text: value, points: pointsOf(value) });
        beforePaint(show);
      },
    })),
  };
}

/** The channels by their letters. */
const short = ({ name, title }) => (lookOf({ name }) === lookOf({ name: "" }) ? title : title[0]);
const colourOf = ({ name }) => (lookOf({ name }) === lookOf({ name: "" }) ? null : lookOf({ name }).line);

const smallButton = (name, label, click) =>
  h(
    "button",
    { type: "button", class: "icon-button small", title: label, "aria-label": label, on: { click } },
    icon(name),
  );
