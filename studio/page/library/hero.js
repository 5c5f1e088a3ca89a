// A photo flies from its cell to the stage and back. Where motion is not wanted, grid and stage fade into each other.
import { motionIsReduced, spring } from "../core/spring.js";

const FLIGHT = { ...spring(0.32, 0.9) };
const LONGEST = 300;
const HANDOVER = 90;

/** The rectangle of a picture of this shape that fits into a box, or covers it. */
export function fitted(box, width, height, covers = false) {
  const scale = (covers ? Math.max : Math.min)(box.width / width, box.height / height);
  const size = { width: width * scale, height: height * scale };
  return { x: box.x + (box.width - size.width) / 2, y: box.y + (box.height - size.height) / 2, ...size };
}

export function createHero() {
  let current = null;

  function end() {
    current?.remove();
    current = null;
  }

  return {
    end,
    get isFlying() {
      return current !== null;
    },
    /**
     * Flies a copy of an image from one rectangle of the window to another, and leaves it there.
     *
     * @returns whether anything flies; `landed` is called when it is there, or never if another flight begins
     */
    fly(image, from, to, landed) {
      end();
      if (!image || motionIsReduced()) return false;
      const copy = image.cloneNode();
      copy.className = "hero";
      copy.style.left = `${to.x}px`;
      copy.style.top = `${to.y}px`;
      copy.style.width = `${to.width}px`;
      copy.style.height = `${to.height}px`;
      document.body.append(copy);
      current = copy;
      const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width}, ${
        from.height / to.height
      })`;
      const duration = Math.min(LONGEST, FLIGHT.duration * 1000);
      const flight = copy.animate([{ transform: start }, { transform: "none" }], { duration, easing: FLIGHT.easing });
      flight.onfinish = () => current === copy && landed();
      return true;
    },
    /** The photo itself is there: the copy goes. */
    handOver() {
      const copy = current;
      if (!copy) return;
      current = null;
      copy.animate([{ opacity: 1 }, { opacity: 0 }], { duration: HANDOVER, fill: "forwards" }).onfinish = () =>
        copy.remove();
    },
  };
}
