// One small monospaced line: size, zoom, latency of the last drag, whether the picture is sharp.
import { h, setAttribute, setText } from "../core/dom.js";

export function createReadout(store) {
  const size = h("span", {});
  const zoom = h("span", {});
  const latency = h("span", { title: "From input to screen, in the last drag" });
  const dot = h("span", { class: "sharp-dot" });
  const sharp = h("span", { class: "sharp-text" });
  const element = h("div", { class: "readout", "aria-hidden": "true" }, size, zoom, latency, h("span", {}, dot, sharp));
  store.subscribe(
    (s) => [s.frame, s.photo === s.info?.photo],
    ([frame]) => {
      element.hidden = !frame;
      if (!frame) return;
      setText(size, `${frame.full.width} × ${frame.full.height}`);
      setText(zoom, `${Math.round(frame.zoom * 100)} %`.padStart(5));
      latency.hidden = frame.latency === null;
      if (frame.latency !== null) setText(latency, `${frame.latency.toFixed(0)} ms`.padStart(6));
      setAttribute(dot, "data-sharp", frame.sharp);
      setText(sharp, frame.sharp ? "sharp" : "draft");
    },
  );
  return element;
}
