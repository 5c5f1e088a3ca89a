// Peak meters of sound. No DOM.

const FLOOR = -60;
/** Milliseconds that a peak stays, and how fast it falls then (dB a second). */
const HOLD = 1200;
const FALL = 24;

/** 0 at −60 dBFS and below, 1 at full scale. */
export const meterPosition = (decibels) =>
  Number.isFinite(decibels) ? Math.min(1, Math.max(0, (decibels - FLOOR) / -FLOOR)) : 0;

/** The peak that a meter shows: `{ value, since }` after a level at a time (ms). */
export function heldPeak(peak, level, now) {
  if (!peak || level >= peak.value) return { value: level, since: now };
  const falling = (now - peak.since - HOLD) / 1000;
  if (falling <= 0) return peak;
  const value = peak.value - FALL * falling;
  return value > level ? { value, since: now - HOLD } : { value: level, since: now };
}

/** At −3 dBFS sound is about to be cut, from −12 on it is loud. */
export const meterZone = (decibels) => (decibels >= -3 ? "hot" : decibels >= -12 ? "loud" : "calm");
