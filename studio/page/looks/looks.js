// The strip of looks: this photo in each preset, rendered by the server in the background.
import { h, setAttribute, setText } from "../core/dom.js";
import { createSlider } from "../adjust/slider.js";
import { icon } from "../core/icons.js";
import { createThumbnails } from "../film/thumbnails.js";

const SIZE = 64;
const IDLE = 600;

const strength = {
  sliderMinimum: 0,
  sliderMaximum: 100,
  minimum: 0,
  maximum: 100,
  step: 1,
  detent: 100,
  scale: "linear",
};

export function createLooks({ store, editor, socket }) {
  const strip = h("div", { class: "looks-strip", role: "radiogroup", "aria-label": "Looks" });
  const slider = createSlider(strength, {
    label: "Strength",
    input: (value, time) => set({ ...store.state.edit.look, strength: value }, true, time),
    commit: () => editor.commit("Strength"),
    soon: () => editor.commitSoon("Strength"),
    hold: (on) => store.update({ dragging: on ? "look" : null, active: "look" }),
  });
  const value = h("span", { class: "strength-value" });
  const amount = h(
    "div",
    { class: "strength" },
    h("span", { class: "strength-name" }, "Strength"),
    slider.element,
    value,
  );
  const element = h(
    "section",
    { class: "looks", "aria-label": "Looks" },
    h("div", { class: "looks-scroll" }, strip),
    amount,
  );
  const own = h(
    "button",
    {
      type: "button",
      class: "own-look",
      title: "Keep this look, or remove one of yours",
      "aria-label": "Your looks",
      on: { click: () => store.update({ sheet: "own-looks" }) },
    },
    h("span", { class: "look-thumb" }, icon("plus")),
    h("span", { class: "look-name" }, "Keep look"),
  );
  const thumbnails = createThumbnails();
  let cells = [];
  let timer = 0;
  let asked = "";

  const set = (look, dragging, time) => editor.change({ ...store.state.edit, look }, { dragging, time });

  function pick(preset, name) {
    const { edit } = store.state;
    if ((edit.look?.preset ?? "") === preset) return;
    editor.flush();
    editor.apply({ ...edit, look: preset ? { preset, strength: 100 } : null }, preset ? name : "No look");
  }

  function build(presets) {
    cells = [{ preset: "", name: "None", description: "No look" }, ...presets].map(({ preset, name, description, use }) => {
      const image = h("img", { alt: "", width: SIZE, height: SIZE, draggable: "false" });
      const button = h(
        "button",
        {
          type: "button",
          class: "look",
          role: "radio",
          title: use ? `${description} ${use}` : description,
          "aria-label": name,
          on: { click: () => pick(preset, name) },
        },
        h("span", { class: "look-thumb" }, image),
        h("span", { class: "look-name" }, name),
      );
      return { preset, name, button, image };
    });
    strip.replaceChildren(...cells.map(({ button }) => button), own);
    asked = "";
    show(store.state.edit);
  }

  function show(edit) {
    const chosen = edit.look?.preset ?? "";
    for (const { preset, button } of cells) {
      const on = preset === chosen;
      setAttribute(button, "aria-checked", on);
      button.tabIndex = on ? 0 : -1;
    }
    amount.classList.toggle("absent", !edit.look);
    slider.native.disabled = !edit.look;
    const now = edit.look?.strength ?? 100;
    slider.show(now);
    setText(value, edit.look ? String(Math.round(now)) : "");
  }

  // Arrow keys move the choice, as in any group of radios.
  strip.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const index = cells.findIndex(({ button }) => button === document.activeElement);
    if (!by || index < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = cells[Math.min(cells.length - 1, Math.max(0, index + by))];
    next.button.focus();
    next.button.scrollIntoView({ block: "nearest", inline: "nearest" });
    pick(next.preset, next.name);
  });
  // A mouse's wheel moves the strip sideways.
  strip.addEventListener("wheel", (event) => {
    if (Math.abs(event.deltaY) <= Math.abs(event.deltaX)) return;
    strip.scrollLeft += event.deltaY;
    event.preventDefault();
  }, { passive: false });
  // The edges fade only where there is more to see.
  const fades = () => {
    strip.classList.toggle("more-left", strip.scrollLeft > 2);
    strip.classList.toggle("more-right", strip.scrollLeft < strip.scrollWidth - strip.clientWidth - 2);
  };
  strip.addEventListener("scroll", fades, { passive: true });
  new ResizeObserver(fades).observe(strip);

  function request() {
    clearTimeout(timer);
    const { photo, info, edit, canvas, mode, camera } = store.state;
    if (!info || info.photo !== photo || mode === "crop") return;
    // Looks of live frames are made again and again, so only while they are in sight.
    const live = mode === "camera";
    if (live && camera.drawer !== "looks") return;
    const size = Math.round(SIZE * canvas.ratio * (element.currentCSSZoom ?? 1));
    // The look itself is what varies: thumbnails depend on the rest.
    const rest = { ...edit, look: null };
    const key = JSON.stringify([photo, size, rest]);
    if (key === asked) return;
    if (socket.send({ type: "looks", photo, size, edit: rest, ...(live ? { live } : {}) })) asked = key;
  }

  store.subscribe((s) => s.welcome?.presets, (presets) => {
    if (!presets) return;
    build(presets);
    request();
  });
  store.subscribe((s) => s.edit.look, () => show(store.state.edit));
  // Under a photo that cannot be read there is none of it in looks.
  store.subscribe((s) => s.info === null, (isNone) => {
    if (!isNone) return;
    asked = "";
    for (const { image } of cells) thumbnails.clear(image);
  });
  // At once for a photo that was opened; after a pause for one whose values change.
  store.subscribe((s) => [s.info, s.connection], ([, connection]) => {
    if (connection !== "open") asked = "";
    else request();
  });
  store.subscribe((s) => [s.edit.values, s.edit.base, s.edit.groups, s.dragging, s.mode], () => {
    clearTimeout(timer);
    timer = setTimeout(() => (store.state.dragging ? null : request()), IDLE);
  });

  store.subscribe((s) => s.mode === "camera" && s.camera.drawer === "looks", (seen) => {
    if (seen) request();
    else if (asked.startsWith('["camera"')) {
      asked = "";
      socket.send({ type: "looks", photo: "camera", size: SIZE, edit: { ...store.state.edit, look: null }, live: false });
    }
  });

  return {
    element,
    slider,
    thumbnail(header, payload) {
      if (header.photo !== store.state.photo) return;
      const cell = cells.find(({ preset }) => preset === header.preset);
      if (cell) thumbnails.show(cell.image, payload);
    },
  };
}
