// A crop in the making: rectangle, angle, turns, mirrors and perspective, and what each change does to the others. No DOM.
import { inside, isWhole, largest, mirroredRect, turnedRect, whole, withAspect } from "./crop-rect.js";
import { rectOf, textOf } from "./crop-text.js";
import { mirrored, orientationOf, turned, turnedSize } from "./orientation.js";
import { straightenedSize, turnedVector } from "./straightened.js";
import { mirroredWarp, quarterTurnedWarp, warpOf, warpedSize, withWarp } from "./warp.js";

/** The draft of an edit of a photo of an upright size. */
export function draftOf(edit, size) {
  const draft = {
    size,
    ...orientationOf(edit),
    angle: Number(edit.values.straighten ?? 0),
    corners: edit.values["straighten-corners"] ?? "crop",
    warp: warpOf(edit),
    aspect: null,
  };
  draft.full = fullOf(draft);
  draft.rect = rectOf(edit.values.crop, draft.full);
  return draft;
}

/** The picture as it reaches straightening. */
export const uprightOf = (draft) => warpedSize(turnedSize(draft.size, draft.rotate), draft.warp);

/** The picture as it reaches the crop. */
export const fullOf = (draft) => straightenedSize(uprightOf(draft), draft.angle, draft.corners);

/** The edit's values of a draft; null is neutral. */
export const valuesOf = (draft) => ({
  rotate: draft.rotate === 0 ? null : String(draft.rotate),
  flip: draft.flip === "none" ? null : draft.flip,
  straighten: draft.angle === 0 ? null : draft.angle,
  crop: textOf(draft.rect, draft.full),
});

/**
 * `base` at another angle: the crop keeps its centre on what it shows, its size, and stays inside. Always from the draft
 * at the start of a gesture, so that turning there and back changes nothing.
 */
export function atAngle(base, angle, corners = base.corners) {
  const next = { ...base, angle, corners };
  next.full = fullOf(next);
  if (isWhole(base.rect, base.full)) {
    next.rect = base.aspect ? largest(base.rect.width / base.rect.height, next.full) : whole(next.full);
    return next;
  }
  const { x, y, width, height } = base.rect;
  const offset = { x: x + width / 2 - base.full.width / 2, y: y + height / 2 - base.full.height / 2 };
  const centre = turnedVector(offset, angle - base.angle);
  const rect = {
    x: next.full.width / 2 + centre.x - width / 2,
    y: next.full.height / 2 + centre.y - height / 2,
    width,
    height,
  };
  next.rect = inside(rect, next.full);
  return next;
}

/** Turned by a quarter, clockwise or not: the crop turns with the picture. */
export function quarterTurned(draft, clockwise) {
  const next = {
    ...draft,
    ...turned(draft, clockwise ? 90 : -90),
    warp: quarterTurnedWarp(draft.warp, clockwise),
    aspect: draft.aspect ? 1 / draft.aspect : null,
  };
  next.full = fullOf(next);
  next.rect = inside(turnedRect(draft.rect, draft.full, clockwise), next.full);
  return next;
}

/** Mirrored as seen; what leaned left leans right. */
export function flipped(draft, axis) {
  const next = {
    ...draft,
    ...mirrored(draft, axis),
    warp: mirroredWarp(draft.warp, axis),
    angle: draft.angle === 0 ? 0 : -draft.angle,
  };
  next.full = fullOf(next);
  next.rect = inside(mirroredRect(draft.rect, draft.full, axis), next.full);
  return next;
}

/** With other perspective, or another lens; the crop keeps its part of the picture, whole ones stay whole. */
export function warped(base, changes, angle = base.angle) {
  const next = { ...base, angle, warp: withWarp(base.warp, changes) };
  const full = fullOf(next);
  if (isWhole(base.rect, base.full)) {
    return { ...next, full, rect: base.aspect ? largest(base.aspect, full) : whole(full) };
  }
  const scaled = withFull(next, full);
  return base.aspect ? { ...scaled, rect: withAspect(scaled.rect, base.aspect, full) } : scaled;
}

/** With fixed proportions, or any (null). */
export function proportioned(draft, aspect) {
  if (!aspect) return { ...draft, aspect: null };
  const { rect: old, full } = draft;
  const rect = isWhole(old, full) ? largest(aspect, full) : withAspect(old, aspect, full);
  return { ...draft, aspect, rect };
}

/** The whole picture, as it came. */
export function neutralDraft(draft) {
  const next = { ...draft, rotate: 0, flip: "none", angle: 0, warp: {}, aspect: null };
  next.full = fullOf(next);
  next.rect = whole(next.full);
  return next;
}

/** The server knows the picture's size better than the page foresees it (filters of a recipe may turn it too). */
export function withFull(draft, full) {
  if (full.width === draft.full.width && full.height === draft.full.height) return draft;
  const sx = full.width / draft.full.width;
  const sy = full.height / draft.full.height;
  const { x, y, width, height } = draft.rect;
  return { ...draft, full, rect: inside({ x: x * sx, y: y * sy, width: width * sx, height: height * sy }, full) };
}

/** The crop's part (0…1) of the picture. */
export const partOfDraft = ({ rect, full }) => ({
  x: rect.x / full.width,
  y: rect.y / full.height,
  width: rect.width / full.width,
  height: rect.height / full.height,
});
