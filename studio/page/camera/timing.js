// Times of the shutter and of takes. No DOM.

/** A press that is said to be older is a clock that is not ours. */
const LONGEST = 2000;

/** Milliseconds between a press and now, both on the page's clock: the server takes the frame of the press. */
export function pressedAgo(pressed, now) {
  const ago = now - pressed;
  return ago >= 0 && ago <= LONGEST ? Math.round(ago * 10) / 10 : 0;
}

/** Whole seconds that a countdown still shows; 0 when it is over. */
export const secondsLeft = (seconds, start, now) => Math.max(0, Math.ceil(seconds - (now - start) / 1000));

/** `0:07`, `12:05`, `1:02:03` */
export function clockText(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
