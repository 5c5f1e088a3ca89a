// One export: its progress stands where its result will, so the eye follows one place.
import { bytes } from "../adjust/numbers.js";
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { codeLine } from "./copy-button.js";

export function createResultRow(name) {
  // Without a value: the server cannot tell how far one photo is.
  const bar = h("progress", { class: "progress", max: 1, "aria-label": `Exporting ${name}` });
  const line = h("div", { class: "result-line" }, h("span", { class: "result-name" }, name));
  const element = h("li", { class: "result" }, line, bar);

  const receivers = {
    exported({ name: file, path, bytes: size, width, height, seconds, seal, command }) {
      line.replaceChildren(
        h("span", { class: "result-name", title: path }, "saved as edited/", h("b", {}, file)),
        h("span", { class: "result-facts" }, `${width} × ${height} · ${bytes(size)} · ${seconds.toFixed(1)} s`),
      );
      const stamp = h(
        "span",
        { class: "seal", title: "Same bytes as the command line", tabindex: "0" },
        icon("check"),
        seal,
      );
      bar.replaceWith(h("div", { class: "result-proof" }, stamp), command ? codeLine(command) : "");
    },
    problem({ message, remedy }) {
      element.classList.add("failed");
      line.replaceChildren(h("span", {}, message));
      bar.replaceWith(h("span", { class: "remedy" }, remedy ?? ""));
    },
    lost() {
      receivers.problem({
        message: "The connection was lost before the export was done.",
        remedy: "Export again when it is back.",
      });
    },
  };
  return { element, receive: (message) => receivers[message.type]?.(message) };
}
