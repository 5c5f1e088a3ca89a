// Which camera, and in which of its formats.
import { h, setAttribute } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { follow } from "./camera-state.js";
import { createDrawer } from "./drawer.js";

const kinds = { camera: "camera", scene: "overlay", clip: "play" };

/** A group of radios in a column: arrows move the choice. */
function createChoices(label, choose) {
  const element = h("div", { class: "choices", role: "radiogroup", "aria-label": label });
  let keys = [];
  element.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = [...element.children];
    const index = all.indexOf(document.activeElement);
    if (!by || index < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(all.length - 1, Math.max(0, index + by));
    all[next].focus();
    choose(keys[next]);
  });
  return {
    element,
    /** @param {Array} entries `[{ key, name, note, icon }]` */
    show(entries, chosen) {
      keys = entries.map(({ key }) => key);
      const focused = [...element.children].indexOf(document.activeElement);
      element.replaceChildren(...entries.map(({ key, name, note, icon: image }) => {
        const on = key === chosen;
        const button = h(
          "button",
          {
            type: "button",
            class: "choice",
            role: "radio",
            tabindex: on || (!keys.includes(chosen) && key === keys[0]) ? 0 : -1,
            on: { click: () => choose(key) },
          },
          image ? icon(image) : null,
          h("span", { class: "choice-name" }, name),
          note ? h("span", { class: "choice-note" }, note) : null,
          icon("check"),
        );
        setAttribute(button, "aria-checked", on);
        return button;
      }));
      element.children[focused]?.focus();
    },
  };
}

export function createSourcePanel({ store, client }) {
  const cameras = createChoices("Camera", (source) => {
    if (source !== store.state.camera.device?.source) client.choose(source);
  });
  const formats = createChoices("Format", (format) => {
    const { device } = store.state.camera;
    if (format !== device.format) client.choose(device.source, format);
  });
  const heading = h("h3", { class: "drawer-title" }, "Format");
  const sound = h("p", { class: "drawer-note" });
  const element = createDrawer(store, "source", "Camera", [cameras.element, heading, formats.element, sound]);

  store.subscribe((s) => [s.welcome?.cameras, s.camera.device], ([list, device]) => {
    cameras.show(
      (list ?? []).map(({ source, name, kind }) => ({
        key: source,
        name,
        note: source === name ? "" : source,
        icon: kinds[kind],
      })),
      device?.source,
    );
  });
  follow(store, ["device"], (device) => {
    const list = device?.formats ?? [];
    heading.hidden = formats.element.hidden = list.length === 0;
    formats.show(list.map(({ name }, index) => ({ key: index, name })), device?.format);
    sound.textContent = !device || device.kind === "clip"
      ? ""
      : device.microphone
        ? `Sound of movies: ${device.microphone}`
        : "No microphone: movies have no sound.";
  });
  return element;
}
