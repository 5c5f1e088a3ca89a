// What the page shows is written once for each picture of the screen, however often it changes in between: a mouse sends
// several events for one, and each write would have the page laid out again before the next event is handled.

const waiting = new Set();
let scheduled = false;
let running = false;

/** Has `draw` called before the screen is painted next; once, whoever asks how often. */
export function beforePaint(draw) {
  if (running) {
    draw();
    return;
  }
  waiting.add(draw);
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(flush);
}

function flush() {
  scheduled = false;
  running = true;
  try {
    for (const draw of waiting) draw();
  } finally {
    waiting.clear();
    running = false;
  }
}
