// Which thumbnails are asked for: what is in sight, from the middle outwards, then what scrolling brings next.

/** The most that one message asks for: more than a large screen shows. */
const MOST = 400;
/** Faster than this, in windows per second, nothing is asked for: it would be gone before it came. */
const FLING = 6;
export const PAUSE = 90;

/** Thumbnails are made in few sizes, so that those kept on disk are of use in windows of all sizes. */
const edges = [128, 192, 256, 384, 512, 768];
export const edgeFor = (pixels) => edges.find((edge) => edge >= pixels * 0.9) ?? edges.at(-1);
/** For a square that the middle of a photo fills: most photos are this much longer than high. */
export const edgeToFill = (pixels) => edgeFor(pixels * 1.5);

/**
 * Indices in order of importance.
 *
 * @param {object} sight `first`, `last` (excluded) in sight; `count`; `columns`; `way` −1, 0, 1; `spare` cells beyond
 */
export function orderOf({ first, last, count, columns, way, spare }) {
  const middle = (first + last - 1) / 2;
  const row = (index) => Math.floor(index / columns);
  const centre = row(middle);
  const near = (a, b) => Math.abs(row(a) - centre) - Math.abs(row(b) - centre) || a - b;
  const seen = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index).sort(near);
  const after = range(last, Math.min(count, last + spare));
  const before = range(Math.max(0, first - spare), first).reverse();
  return [...seen, ...(way < 0 ? [...before, ...after] : [...after, ...before])].slice(0, MOST);
}

const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

/**
 * Tells when to ask: at once at rest, at most every 90 ms while scrolling, not at all while it flies.
 *
 * @param {() => void} ask
 * @param {object} clock `now()` in ms, `later(run, ms)`, `never(timer)`
 */
export function createPace(ask, clock = browserClock) {
  let last = { time: -Infinity, scroll: 0 };
  let asked = -Infinity;
  let timer = null;
  function run() {
    timer = null;
    asked = clock.now();
    ask();
  }
  return {
    /** The grid has moved, or what it shows has changed. */
    moved(scroll, room) {
      const time = clock.now();
      const seconds = Math.max(0.004, (time - last.time) / 1000);
      const speed = Math.abs(scroll - last.scroll) / Math.max(1, room) / seconds;
      last = { time, scroll };
      if (speed > FLING || time - asked < PAUSE) {
        // While it flies, the wait begins anew with each step.
        if (timer !== null && speed > FLING) clock.never(timer);
        else if (timer !== null) return;
        timer = clock.later(run, PAUSE);
        return;
      }
      if (timer !== null) clock.never(timer);
      run();
    },
  };
}

const browserClock = {
  now: () => performance.now(),
  later: (run, ms) => setTimeout(run, ms),
  never: (timer) => clearTimeout(timer),
};
