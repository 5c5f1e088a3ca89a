// Handles and lines of the chosen mask over the picture.
import { h, setAttribute, svg } from "../core/dom.js";
import { handleSets, linesOf, nudged } from "./handle-sets.js";

export function createHandles({ tool, view, store, editor, stage }) {
  const lines = svg("svg", { class: "mask-lines", "aria-hidden": "true" });
  const element = h("div", { class: "mask-layer", role: "group", "aria-label": "Mask" }, lines);
  stage.element.append(element);
  let kind = null;
  let handles = [];

  /** A drag of an element: `drag()` tells what it does, as handles do it. */
  function draggable(target, drag) {
    let gesture = null;
    const at = (event) => {
      const box = stage.element.getBoundingClientRect();
      return view.place().toMask({ x: event.clientX - box.left, y: event.clientY - box.top });
    };
    target.addEventListener("pointerdown", (event) => {
      const leaf = tool.leaf?.mask;
      if (event.button > 0 || gesture || !leaf || !view.place()) return;
      event.stopPropagation();
      target.setPointerCapture(event.pointerId);
      gesture = { mask: leaf, start: at(event) };
      store.update({ dragging: "mask" });
      tool.set({ dragging: true });
      element.classList.add("dragging");
    });
    target.addEventListener("pointermove", (event) => {
      if (!gesture) return;
      const next = drag()(gesture.mask, gesture.start, at(event), view.place(), event.shiftKey);
      tool.setLeaf(next, { dragging: true, time: event.timeStamp });
    });
    const end = (event) => {
      if (!gesture) return;
      if (event.type === "pointercancel") tool.setLeaf(gesture.mask);
      gesture = null;
      store.update({ dragging: null });
      tool.set({ dragging: false });
      element.classList.remove("dragging");
      tool.commit();
    };
    target.addEventListener("pointerup", end);
    target.addEventListener("pointercancel", end);
  }

  function build(next) {
    kind = next;
    lines.replaceChildren();
    for (const { element: old } of handles) old.remove();
    handles = (handleSets[kind] ?? []).map((handle) => {
      const button = h(
        "button",
        { type: "button", class: `mask-handle ${handle.name}`, "aria-roledescription": "handle" },
        h("span", {}),
      );
      draggable(button, () => handle.drag);
      button.addEventListener("keydown", (event) => key(event, handle));
      return { handle, element: button };
    });
    element.append(...handles.map((one) => one.element));
  }

  function key(event, handle) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
    const place = view.place();
    if (dx === undefined || event.ctrlKey || event.metaKey || !place) return;
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? 0.05 : 0.01;
    const { mask } = tool.leaf;
    const next = handle.grow
      ? handle.grow(mask, step * (dx - dy))
      : nudged(handle, mask, place, dx * step * place.rect.width, dy * step * place.rect.height);
    tool.setLeaf(next, { dragging: true, time: event.timeStamp });
    editor.commitSoon("Mask");
  }

  function draw() {
    const { mode, holding } = store.state;
    const place = mode === "masks" ? view.place() : null;
    const mask = place ? tool.leaf?.mask : null;
    element.hidden = !mask || holding;
    if (element.hidden) return;
    if (mask.kind !== kind) build(mask.kind);
    drawLines(linesOf(mask, place));
    for (const { handle, element: button } of handles) {
      const at = handle.at(mask, place);
      button.hidden = !place.sees(at);
      const { x, y } = place.toView(at);
      button.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      setAttribute(button, "aria-label", handle.label(mask));
    }
  }

  /** Each line is drawn twice: thin to be seen, wide to be grabbed. */
  function drawLines(wanted) {
    if (lines.childElementCount !== wanted.length * 2) {
      lines.replaceChildren(...wanted.flatMap(({ kind: style, drag }, index) => {
        const grip = svg("path", { class: drag ? `mask-grip ${style}` : "mask-grip none" });
        if (drag) draggable(grip, () => linesOf(tool.leaf.mask, view.place())[index].drag);
        return [svg("path", { class: `mask-line ${style}` }), grip];
      }));
    }
    wanted.forEach(({ d }, index) => {
      setAttribute(lines.children[index * 2], "d", d);
      setAttribute(lines.children[index * 2 + 1], "d", d);
    });
  }

  store.subscribe((s) => [s.mode, s.edit, s.masks, s.info, s.holding, s.canvas], draw);
  stage.painter.onPaint(() => store.state.mode === "masks" && draw());
  return element;
}
