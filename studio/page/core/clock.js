// When each input was made, sent, received, decoded and drawn, on the page's own clock (milliseconds).

const KEPT = 2000;

export function createClock(now = () => performance.now()) {
  const inputs = new Map();
  const latencies = [];
  return {
    /** One entry for each frame drawn; `input` is the time of the input it shows, null if it shows none. */
    latencies,
    sent(id, time) {
      inputs.set(id, { input: time, sent: now() });
      if (inputs.size > KEPT) inputs.delete(inputs.keys().next().value);
    },
    drawn({ header, received, decoded }, drawn) {
      const stamp = inputs.get(header.input);
      const entry = {
        id: header.input ?? null,
        frame: header.frame,
        input: stamp?.input ?? null,
        /** Whether no frame before showed this input: later ones are of the same edit, seen otherwise. */
        isFirst: stamp !== undefined && !stamp.isSeen,
        sent: stamp?.sent ?? null,
        received,
        decoded,
        drawn,
        /** Of a camera's frame: milliseconds from its capture to its sending. */
        age: header.age ?? null,
        final: header.final,
      };
      if (stamp) stamp.isSeen = true;
      latencies.push(entry);
      if (latencies.length > KEPT) latencies.shift();
      return entry;
    },
  };
}
