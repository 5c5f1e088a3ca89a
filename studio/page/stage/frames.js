// Frames to the screen: those of one animation frame together, never an older over a newer.
/**
 * @param {object} handlers `wanted(header)`: whether a frame still belongs on the screen;
 *   `ahead(frame)`: one of a photo that is not shown yet; `show(frames)`: draws, in an animation frame;
 *   `acknowledge(number)`; `drawn(frame, time)`; `failed()`
 */
export function createFrames({ wanted, ahead, show, acknowledge, drawn, failed }) {
  const newest = { edited: 0, original: 0 };
  let decoded = [];
  let scheduled = false;

  function present() {
    scheduled = false;
    const fresh = [];
    for (const frame of decoded.sort((a, b) => a.header.frame - b.header.frame)) {
      const { header } = frame;
      // A frame that came late is dropped, but told: the server counts what it waits for.
      if (wanted(header) && (header.frame > newest[header.kind] || frame.recalled)) {
        newest[header.kind] = Math.max(newest[header.kind], header.frame);
        const older = fresh.findIndex((other) => other.header.kind === header.kind);
        if (older >= 0) fresh.splice(older, 1)[0].surface.close();
        fresh.push(frame);
      } else {
        frame.surface.close();
      }
    }
    const all = decoded;
    decoded = [];
    if (fresh.length) show(fresh);
    const time = performance.now();
    for (const { header, recalled } of all) if (!recalled) acknowledge(header.frame);
    for (const frame of fresh) drawn(frame, time);
  }

  function add(frame) {
    decoded.push(frame);
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(present);
  }

  return {
    /** A connection's frames are numbered from its start. */
    restart() {
      newest.edited = 0;
      newest.original = 0;
    },
    /** Takes a decoded picture; null if it could not be decoded. */
    receive(header, surface, received, decodedAt) {
      if (!surface) {
        acknowledge(header.frame);
        failed();
        return;
      }
      const frame = { header, surface, received, decoded: decodedAt };
      if (header.ahead && !wanted(header)) {
        acknowledge(header.frame);
        ahead(frame);
      } else {
        add(frame);
      }
    },
    /** Shows a frame that was sent ahead: older than those of other photos, and acknowledged long ago. */
    recall: (frame) => add({ ...frame, recalled: true }),
  };
}
