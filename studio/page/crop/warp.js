// What a crop in the making does besides turning and cutting: perspective, keystone and lens, as values by flag. No DOM.
import { keystoneSize } from "./keystone.js";
import {
  cornersOf, isConvex, mirroredCorners, perspectiveSize, textOfCorners, turnedCorners,
} from "./perspective.js";

/** Both make another camera's picture of it: upright lines, or four corners, replace all of these. */
export const perspectiveFlags = [
  "perspective", "perspective-proportions", "keystone-vertical", "keystone-horizontal", "keystone-focal-length",
];
export const lensFlags = ["lens-name", "lens-distortion", "lens-center", "lens-vignetting"];
export const warpFlags = [...perspectiveFlags, ...lensFlags];

/** Values of an edit that are not neutral. */
export const warpOf = ({ values }) => Object.fromEntries(Object.entries(values).filter(([flag]) => warpFlags.includes(flag)));

/** With other values; null is neutral. */
export const withWarp = (warp, changes) =>
  Object.fromEntries(Object.entries({ ...warp, ...changes }).filter(([, value]) => value !== null));

/** All values as an edit takes them; null is neutral. */
export const valuesOfWarp = (warp) => Object.fromEntries(warpFlags.map((flag) => [flag, warp[flag] ?? null]));

/** Without values of some flags. */
export const withoutWarp = (warp, flags) => withWarp(warp, Object.fromEntries(flags.map((flag) => [flag, null])));

/** The size of a picture behind them. What the engine refuses keeps its size: the server tells why there is no picture. */
export function warpedSize(size, warp) {
  const corners = cornersOf(warp.perspective);
  const proportions = warp["perspective-proportions"];
  const flat = corners && isConvex(corners, size) ? perspectiveSize(size, corners, proportions) : size;
  const [vertical, horizontal] = [warp["keystone-vertical"] ?? 0, warp["keystone-horizontal"] ?? 0];
  return keystoneSize(flat, vertical, horizontal, warp["keystone-focal-length"]) ?? flat;
}

const changed = (warp, corners, turnedProportions, vertical, horizontal) => {
  const [w, h] = (warp["perspective-proportions"] ?? "auto").split(":");
  return withWarp(warp, {
    ...(warp.perspective ? { perspective: corners } : {}),
    ...(h && turnedProportions ? { "perspective-proportions": `${h}:${w}` } : {}),
    // Zero, of whichever sign, is neutral.
    "keystone-vertical": vertical || null,
    "keystone-horizontal": horizontal || null,
  });
};

const anglesOf = (warp) => [warp["keystone-vertical"] ?? 0, warp["keystone-horizontal"] ?? 0];
const movedCorners = (warp, move) => {
  const corners = cornersOf(warp.perspective);
  return corners ? textOfCorners(move(corners)) : null;
};

/**
 * As seen after the picture is turned by a quarter, clockwise or not. A camera that was turned about both axes is turned
 * about them in the other order then, which differs a little for large angles.
 */
export function quarterTurnedWarp(warp, clockwise) {
  const [vertical, horizontal] = anglesOf(warp);
  const corners = movedCorners(warp, (all) => turnedCorners(all, clockwise));
  return clockwise
    ? changed(warp, corners, true, -horizontal, vertical)
    : changed(warp, corners, true, horizontal, -vertical);
}

/** As seen after the picture is mirrored left–right ("h") or top–bottom ("v"). */
export function mirroredWarp(warp, axis) {
  const [vertical, horizontal] = anglesOf(warp);
  const corners = movedCorners(warp, (all) => mirroredCorners(all, axis));
  return axis === "h"
    ? changed(warp, corners, false, vertical, -horizontal)
    : changed(warp, corners, false, -vertical, horizontal);
}
