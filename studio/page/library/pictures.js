// Thumbnails of the grid. Each is an `img` of its own, decoded off the main thread once and then moved from cell to
// cell, so that what was seen before is there at once when it is scrolled back to.

/** Bytes of JPEGs kept: some three thousand thumbnails. */
const BYTES = 64e6;
/** Milliseconds of each animation frame for those that have come: a whole screen of them comes at once. */
const SLICE = 4;

/** @param {(photo: string) => void} changed a photo has another picture, or none */
export function createPictures(changed) {
  /** By photo, the one used longest ago first: `{ image, address, bytes, edge, isFinal, isStale }`. */
  const entries = new Map();
  const failures = new Map();
  const arrived = [];
  let isBusy = false;
  let bytes = 0;

  function drop(photo) {
    const entry = entries.get(photo);
    if (!entry) return;
    entries.delete(photo);
    bytes -= entry.bytes;
    URL.revokeObjectURL(entry.address);
  }

  function work() {
    const end = performance.now() + SLICE;
    while (arrived.length && performance.now() < end) read(...arrived.shift());
    isBusy = arrived.length > 0;
    if (isBusy) requestAnimationFrame(work);
  }

  async function read(header, payload, wanted) {
    const { photo } = header;
    const edge = header.edge ?? Math.max(header.width, header.height);
    const isFinal = header.final !== false;
    const before = entries.get(photo);
    // A strip's small picture, or a quick preview, does not replace a better one: an old one stays sharp until then.
    if (before && before.edge > edge && !(before.isStale && edge >= wanted)) return;
    if (before && before.isFinal && !before.isStale && !isFinal) return;
    const address = URL.createObjectURL(new Blob([payload], { type: "image/jpeg" }));
    const image = new Image(header.width, header.height);
    image.alt = "";
    image.draggable = false;
    image.decoding = "async";
    image.src = address;
    try {
      await image.decode();
    } catch {
      URL.revokeObjectURL(address);
      return;
    }
    const now = entries.get(photo);
    // While this one was decoded, a better one was done.
    if (now && now !== before && now.edge >= edge && now.isFinal && !isFinal) {
      URL.revokeObjectURL(address);
      return;
    }
    drop(photo);
    failures.delete(photo);
    image.isFresh = true;
    entries.set(photo, { image, address, bytes: payload.byteLength, edge, isFinal, isStale: false });
    bytes += payload.byteLength;
    while (bytes > BYTES && entries.size > 1) drop(entries.keys().next().value);
    changed(photo);
  }

  return {
    /** The picture of a photo; null if there is none yet. It is now the one used last. */
    image(photo) {
      const entry = entries.get(photo);
      if (!entry) return null;
      entries.delete(photo);
      entries.set(photo, entry);
      return entry.image;
    },
    /** Whether no better one is to be asked for. */
    isEnough(photo, edge) {
      const entry = entries.get(photo);
      return failures.has(photo) || (entry !== undefined && entry.isFinal && !entry.isStale && entry.edge >= edge);
    },
    failure: (photo) => failures.get(photo) ?? null,
    failed(photo, message) {
      if (failures.get(photo) === message) return;
      failures.set(photo, message);
      changed(photo);
    },
    /** The photo looks different now: its picture stays until another comes. */
    stale(photo) {
      const entry = entries.get(photo);
      if (entry) entry.isStale = true;
      failures.delete(photo);
    },
    /** Forgets what failed: the next server may do better. */
    retry: () => failures.clear(),
    /** A thumbnail has come: `{ photo, width, height, edge, final }`, its JPEG; `wanted` is the edge of cells now. */
    take(header, payload, wanted) {
      arrived.push([header, payload, wanted]);
      if (isBusy) return;
      isBusy = true;
      requestAnimationFrame(work);
    },
    get count() {
      return entries.size;
    },
  };
}
