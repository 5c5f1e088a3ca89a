// Where a mask's place is in the view: through all geometry of an edit, as the server tells it with each frame.
import { createLensWarp } from "./lens-warp.js";
import { apply, depth, inverse, scaling, then, translation } from "./projection.js";

/**
 * The way between masks and a view in which the whole edited picture takes `rect`.
 *
 * @param {object} places `{ map, lens }` of a frame: from 0…1 of the edited picture to 0…1 of the upright, uncropped photo,
 *   by a projective map and then by what the lens did (or null)
 * @param {object} size of that photo; radii of masks are relative to its long edge
 */
export function createPlace(places, size, rect) {
  const lens = places.lens && createLensWarp(places.lens);
  const toPicture = then(translation(-rect.x, -rect.y), scaling(1 / rect.width, 1 / rect.height));
  const back = then(toPicture, places.map);
  const forward = inverse(back);
  const straight = (point) => (lens ? lens.inverse(point) : point);

  const place = {
    size,
    rect,
    hasLens: lens !== null,
    toMask(point) {
      const found = apply(back, point);
      return lens ? lens.apply(found) : found;
    },
    toView: (point) => apply(forward, straight(point)),
    /** Whether a place of the photo is this side of the horizon: what lies beyond is nowhere in the view. */
    sees: (point) => depth(forward, straight(point)) > 1e-9,
    /** Units of the view per pixel of the photo at a place of it: of a square, the root of its area. */
    pixelAt(point) {
      const step = (dx, dy) => {
        const from = place.toView({ x: point.x - dx / size.width, y: point.y - dy / size.height });
        const to = place.toView({ x: point.x + dx / size.width, y: point.y + dy / size.height });
        return { x: to.x - from.x, y: to.y - from.y };
      };
      const [across, down] = [step(0.5, 0), step(0, 0.5)];
      return Math.sqrt(Math.abs(across.x * down.y - across.y * down.x));
    },
    /** The photo's long edge in the view, were it everywhere as large as at a place. */
    longAt: (point) => place.pixelAt(point) * Math.max(size.width, size.height),
  };
  return place;
}
