// Pictures of the photos beside the one shown, sent while nothing else was to do: stepping to one shows it at once.

/** The photo before, the one behind, and the one that was just left. */
const KEPT = 3;

export function createAhead() {
  /** By photo, the newest last. */
  const frames = new Map();
  const drop = (photo) => {
    frames.get(photo)?.surface.close();
    frames.delete(photo);
  };
  return {
    keep(frame) {
      const { photo } = frame.header;
      drop(photo);
      frames.set(photo, frame);
      if (frames.size > KEPT) drop(frames.keys().next().value);
    },
    /** The picture of a photo, which is the caller's from then on; null if there is none. */
    take(photo) {
      const frame = frames.get(photo) ?? null;
      frames.delete(photo);
      return frame;
    },
    clear() {
      for (const photo of [...frames.keys()]) drop(photo);
    },
  };
}
