// Phones that can be felt confirm what the eye need not. Browsers allow it only after a first touch, and complain before.

/** @param {number} milliseconds 8 for the shutter, 4 for a stop that is passed */
export function tick(milliseconds) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(milliseconds);
}
