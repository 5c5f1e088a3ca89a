// Where photos land: the button that opens them, the flight to it, and the ring while they are saved.
import { h, setAttribute, svg } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { motionIsReduced, spring } from "../core/spring.js";
import { createThumbnails } from "../film/thumbnails.js";
import { follow } from "./camera-state.js";

const SIZE = 48;
const FLIGHT = 380;
/** The flight begins so long after the press, when the flash is past its height. */
const DELAY = 120;

/** @param {object} context `picture()`: the viewfinder's rectangle in CSS pixels; `open()`: shows the photos */
export function createGallery({ store, socket, picture, open }) {
  const image = h("img", { alt: "", draggable: "false" });
  const ring = svg(
    "svg",
    { class: "gallery-ring", viewBox: "0 0 56 56", "aria-hidden": "true" },
    svg("rect", { x: 2, y: 2, width: 52, height: 52, rx: 12, pathLength: 100 }),
  );
  const element = h(
    "button",
    { type: "button", class: "gallery", title: "Photos", "aria-label": "Photos", on: { click: open } },
    icon("photos"),
    image,
    ring,
  );
  const thumbnails = createThumbnails();
  const flights = new Set();

  function land(bytes) {
    thumbnails.show(image, bytes);
    element.classList.add("filled");
    if (motionIsReduced() || store.state.camera.burst) return;
    element.animate([{ scale: 1 }, { scale: 1.18, offset: 0.4 }, { scale: 1 }], { duration: 280, easing: "ease-out" });
  }

  /** Flies from the whole viewfinder to the button, a square of its middle by then. */
  function fly(bytes, { width, height }, wait) {
    const from = picture();
    const to = element.getBoundingClientRect();
    if (motionIsReduced() || !from || !to.width || document.visibilityState === "hidden") {
      land(bytes);
      return;
    }
    const address = URL.createObjectURL(new Blob([bytes], { type: "image/jpeg" }));
    const flight = h("img", { class: "flight", alt: "", "aria-hidden": "true", src: address });
    // As large as the picture of the viewfinder, whatever the thumbnail's own size.
    const scale = Math.min(from.width / width, from.height / height);
    const size = { width: width * scale, height: height * scale };
    const place = {
      x: from.x + (from.width - size.width) / 2,
      y: from.y + (from.height - size.height) / 2,
    };
    flight.style.width = `${size.width}px`;
    flight.style.height = `${size.height}px`;
    flight.style.left = `${place.x}px`;
    flight.style.top = `${place.y}px`;
    element.parentElement.closest(".camera").append(flight);
    const short = Math.min(size.width, size.height);
    const end = to.width / short;
    const cut = [(size.height - short) / 2, (size.width - short) / 2];
    const by = {
      x: to.x + to.width / 2 - (place.x + size.width / 2),
      y: to.y + to.height / 2 - (place.y + size.height / 2),
    };
    flights.add(flight);
    const motion = flight.animate(
      [
        { transform: "none", clipPath: "inset(0 round 0)" },
        {
          transform: `translate(${by.x}px, ${by.y}px) scale(${end})`,
          clipPath: `inset(${cut[0]}px ${cut[1]}px round ${8 / end}px)`,
        },
      ],
      { duration: FLIGHT, delay: Math.max(0, wait), easing: spring(0.38, 0.82).easing, fill: "both" },
    );
    const done = () => {
      if (!flights.delete(flight)) return;
      flight.remove();
      URL.revokeObjectURL(address);
      land(bytes);
    };
    motion.onfinish = done;
    motion.oncancel = done;
  }

  follow(store, ["saving", "last"], (saving, last) => {
    element.classList.toggle("saving", saving > 0);
    setAttribute(element, "aria-busy", saving > 0);
    setAttribute(element, "aria-label", saving > 0 ? "Photos; one is being saved" : last ? "The last photo" : "Photos");
  });
  // Before the first photo the newest one of the folder is there.
  let asked = null;
  store.subscribe((s) => [s.mode === "camera", s.welcome, s.connection], ([shown, welcome, connection]) => {
    const newest = welcome?.photos.at(-1)?.photo;
    if (!shown || connection !== "open" || !newest || store.state.camera.last || asked === newest) return;
    asked = newest;
    socket.send({ type: "thumbnails", photos: [newest], size: Math.round(SIZE * (devicePixelRatio || 1)) });
  });

  return {
    element,
    /** A photo was taken `sincePress` ms ago. Of a burst the first one flies: the others would hide what is taken. */
    taken(header, payload, sincePress) {
      if ((header.number ?? 1) > 1) land(payload);
      else fly(payload, header, DELAY - sincePress);
    },
    thumbnail(header, payload) {
      if (header.photo !== asked || store.state.camera.last) return;
      thumbnails.show(image, payload);
      element.classList.add("filled");
    },
  };
}
