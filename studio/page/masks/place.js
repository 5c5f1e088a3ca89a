// Where a mask's place is in the view: through turns, mirrors, straightening and the crop, as the engine orders them.
import { rectOf } from "../crop/crop-text.js";
import { turnedSize } from "../crop/orientation.js";
import { straightenedSize } from "../crop/straightened.js";
import { apply, area, identity, inverse, scaling, then, translation } from "./affine.js";

/** Phases of the filters that move pixels; resizing scales all alike and moves nothing relative to the picture. */
const phases = { rotate: 0, flip: 0, straighten: 1, crop: 2 };

/** The filters of an edit that move pixels, in the order in which the engine applies them. */
function steps(edit) {
  const { rotate, flip, straighten, crop } = edit.values;
  const own = [
    { filter: "rotate", degrees: rotate },
    { filter: "flip", axis: flip },
    { filter: "straighten", angle: straighten, corners: edit.values["straighten-corners"] },
    { filter: "crop", region: crop },
  ];
  const base = (edit.base ?? []).filter(({ filter }) => filter in phases);
  if (edit.listed) return [...base, ...own];
  return [...base, ...own].sort((a, b) => phases[a.filter] - phases[b.filter]);
}

/** The map and the size of one step on a picture of `size`, in pixels. */
function step(one, size) {
  const { width, height } = size;
  switch (one.filter) {
    case "rotate": {
      const degrees = Number(one.degrees ?? 0);
      const maps = {
        90: [0, -1, height, 1, 0, 0],
        180: [-1, 0, width, 0, -1, height],
        270: [0, 1, 0, -1, 0, width],
      };
      return { map: maps[degrees] ?? identity, size: turnedSize(size, degrees) };
    }
    case "flip":
      if (one.axis === "h") return { map: [-1, 0, width, 0, 1, 0], size };
      return one.axis === "v" ? { map: [1, 0, 0, 0, -1, height], size } : { map: identity, size };
    case "straighten": {
      const angle = Number(one.angle ?? 0);
      const full = straightenedSize(size, angle, one.corners ?? "crop");
      const radians = (Math.fround(angle) * Math.PI) / 180;
      const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
      const turn = then(translation(-width / 2, -height / 2), [cosine, -sine, 0, sine, cosine, 0]);
      return { map: then(turn, translation(full.width / 2, full.height / 2)), size: full };
    }
    default: {
      const { x, y, width: w, height: h } = rectOf(one.region, size);
      return { map: translation(-x, -y), size: { width: w, height: h } };
    }
  }
}

/** The map from 0…1 of the upright, uncropped photo of `size` to 0…1 of the edited picture, of size `full`. */
export function throughEdit(edit, size) {
  let now = size;
  let map = scaling(size.width, size.height);
  for (const one of steps(edit)) {
    const next = step(one, now);
    map = then(map, next.map);
    now = next.size;
  }
  return { map: then(map, scaling(1 / now.width, 1 / now.height)), full: now };
}

/**
 * The way between masks and a view in which the whole edited picture takes `rect`.
 *
 * `size` is that of the upright, uncropped photo; radii of masks are relative to its long edge, `long` in the view.
 */
export function createPlace(edit, size, rect) {
  const { map } = throughEdit(edit, size);
  const forward = then(then(map, scaling(rect.width, rect.height)), translation(rect.x, rect.y));
  const back = inverse(forward);
  const pixel = Math.sqrt(Math.abs(area(forward)) / (size.width * size.height));
  return {
    size,
    rect,
    forward,
    back,
    /** Units of the view per pixel of the photo. */
    pixel,
    long: pixel * Math.max(size.width, size.height),
    toView: (point) => apply(forward, point),
    toMask: (point) => apply(back, point),
  };
}
