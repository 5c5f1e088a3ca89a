// The histogram of the picture that is shown, for tools that draw it behind them.

/** @returns `{ counts(), listen(run) }`: the engine's own counts of the last sharp frame of this photo, or null */
export function createHistogram(store, stage) {
  let last = { photo: null, counts: null };
  /** Frames of a drag have none: those before stay. */
  function counts() {
    const header = stage.painter.frame?.header;
    if (header && header.photo !== last.photo) last = { photo: header.photo, counts: null };
    if (header?.histogram) last.counts = header.histogram;
    return last.counts;
  }
  return {
    counts,
    /** Calls `run()` when there are other counts than when it was called last. */
    listen(run) {
      let seen = null;
      store.subscribe((s) => [s.frame, s.photo], () => {
        const now = counts();
        if (now === seen) return;
        seen = now;
        run();
      });
    },
  };
}
