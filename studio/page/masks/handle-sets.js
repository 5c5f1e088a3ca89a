// The handles of each kind of mask: where they are, what dragging and keys do, and the lines between them. No DOM.
import * as shapes from "./shapes.js";

/** View units from an ellipse to the handle that turns it; how near to its centre the inner handle may come. */
const ARM = 30;
const NEAREST = 0.18;
const STEPS = 72;
/** A gradient's line reaches so many long edges of the photo both ways, in so many pieces: a lens bends it. */
const REACH = 1.5;
const SPANS = 48;
const DIAGONAL = Math.SQRT1_2;

const percent = (value) => `${Math.round(value * 100)} %`;
const position = ([x, y]) => `${percent(x)} from the left, ${percent(y)} from the top`;
const sum = (a, b, c) => ({ x: a.x + b.x - c.x, y: a.y + b.y - c.y });

/** How a gradient's handle follows the pointer from `start` to `now`. */
const linear = (name) => (mask, start, now, { size }) => shapes.draggedLinear(mask, name, start, now, size);
/** An ellipse's handle keeps its distance from the pointer. */
const radial = (name, at) => (mask, start, now, place, even) =>
  shapes.draggedRadial(mask, name, sum(at(mask, place), now, start), place.size, even);

const middle = (mask) => shapes.middleOf(mask);
const centre = (mask) => shapes.point(mask.center);
const axis = (u, v) => (mask, place) => shapes.onEllipse(mask, u, v, place.size);
const arm = (mask, place) => {
  const along = shapes.radiiOf(mask)[0] * place.longAt(centre(mask));
  return shapes.onEllipse(mask, 1 + ARM / along, 0, place.size);
};
const inner = (mask, place) => {
  const part = Math.max(NEAREST, 1 - shapes.featherOf(mask)) * DIAGONAL;
  return shapes.onEllipse(mask, -part, -part, place.size);
};

const resize = (index) => (mask, by) => {
  const radius = shapes.radiiOf(mask).map((old, i) => (i === index ? Math.max(0.002, old + by) : old));
  return { ...mask, radius: shapes.radiusOf(radius.map((value) => Math.round(value * 1e4) / 1e4)) };
};

/**
 * Of each kind: `{ name, label(mask), at(mask, place), drag(mask, start, now, place, even), grow?(mask, by) }`. With
 * `grow`, arrow keys change one number, up and right more; without it they move the handle.
 */
export const handleSets = {
  linear: [
    {
      name: "from",
      label: (m) => `Start of the gradient, ${position(m.from)}`,
      at: (m) => shapes.point(m.from),
      drag: linear("from"),
    },
    {
      name: "to",
      label: (m) => `End of the gradient, where the effect is whole, ${position(m.to)}`,
      at: (m) => shapes.point(m.to),
      drag: linear("to"),
    },
    {
      name: "middle",
      label: (m) => `The whole gradient, ${position(shapes.pair(middle(m)))}`,
      at: middle,
      drag: linear("middle"),
    },
  ],
  radial: [
    {
      name: "x",
      label: (m) => `First radius, ${percent(shapes.radiiOf(m)[0])}`,
      at: axis(1, 0),
      drag: radial("x", axis(1, 0)),
      grow: resize(0),
    },
    {
      name: "y",
      label: (m) => `Second radius, ${percent(shapes.radiiOf(m)[1])}`,
      at: axis(0, 1),
      drag: radial("y", axis(0, 1)),
      grow: resize(1),
    },
    {
      name: "turn",
      label: (m) => `Angle, ${Math.round(m.angle ?? 0)}°`,
      at: arm,
      drag: radial("turn", arm),
      grow: (mask, by) => shapes.withAngle(mask, Math.round(((mask.angle ?? 0) + by * 100) * 10) / 10),
    },
    {
      name: "inner",
      label: (m) => `Falloff, ${percent(shapes.featherOf(m))}`,
      at: inner,
      drag: radial("inner", inner),
      grow: (mask, by) => ({
        ...mask,
        feather: Math.round(Math.min(1, Math.max(0, shapes.featherOf(mask) + by)) * 1e4) / 1e4,
      }),
    },
    { name: "centre", label: (m) => `Centre, ${position(m.center)}`, at: centre, drag: radial("centre", centre) },
  ],
};

/** A handle that has moved by so many view units; what it dragged is returned. */
export function nudged(handle, mask, place, dx, dy) {
  const start = handle.at(mask, place);
  const view = place.toView(start);
  return handle.drag(mask, start, place.toMask({ x: view.x + dx, y: view.y + dy }), place, false);
}

/** A line through places of the photo, as the view shows it: broken where it passes beyond the horizon. */
function path(points, place, isClosed = false) {
  let isBroken = true;
  const text = (isClosed ? [...points, points[0]] : points).map((point) => {
    if (!place.sees(point)) {
      isBroken = true;
      return "";
    }
    const { x, y } = place.toView(point);
    const letter = isBroken ? "M" : "L";
    isBroken = false;
    return `${letter}${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return text.join("");
}

/** The line through an end of a gradient, across its direction and out of the picture. */
function across(mask, end, place) {
  const { width, height } = place.size;
  const long = Math.max(width, height);
  const [dx, dy] = [(mask.to[0] - mask.from[0]) * width, (mask.to[1] - mask.from[1]) * height];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [-dy / length, dx / length];
  // Both ways from where it passes nearest to the middle of the photo, so that it crosses all of it.
  const [ex, ey] = [end.x * width, end.y * height];
  const nearest = (width / 2 - ex) * nx + (height / 2 - ey) * ny;
  const points = Array.from({ length: SPANS + 1 }, (_, index) => {
    const along = nearest + long * REACH * ((2 * index) / SPANS - 1);
    return { x: (ex + along * nx) / width, y: (ey + along * ny) / height };
  });
  return path(points, place);
}

/** An ellipse of `part` of the radii. */
function ellipse(mask, part, place) {
  const points = Array.from({ length: STEPS }, (_, index) => {
    const turn = (2 * Math.PI * index) / STEPS;
    return shapes.onEllipse(mask, part * Math.cos(turn), part * Math.sin(turn), place.size);
  });
  return path(points, place, true);
}

/** An outline: what a lens bends is drawn in short pieces. */
function outline(points, place) {
  const pieces = place.hasLens ? 8 : 1;
  const fine = points.map(shapes.point).flatMap((from, index, all) => {
    const to = all[(index + 1) % all.length];
    return Array.from({ length: pieces }, (_, piece) => ({
      x: from.x + ((to.x - from.x) * piece) / pieces,
      y: from.y + ((to.y - from.y) * piece) / pieces,
    }));
  });
  return path(fine, place, true);
}

/** A circle about a place of the photo, of a radius relative to its long edge, as the view shows it. */
export const circle = (at, radius, place) => ellipse({ center: shapes.pair(at), radius }, 1, place);

/** Lines, `[{ d, kind, drag }]`; `drag` is what dragging the line itself does, as a handle does it. */
export function linesOf(mask, place) {
  switch (mask.kind) {
    case "linear":
      return [
        { d: across(mask, shapes.point(mask.from), place), kind: "end", drag: linear("turn") },
        { d: across(mask, shapes.point(mask.to), place), kind: "end", drag: linear("turn") },
        { d: across(mask, middle(mask), place), kind: "middle", drag: linear("middle") },
      ];
    case "radial": {
      const ends = [axis(1, 0)(mask, place), arm(mask, place)];
      return [
        { d: ellipse(mask, 1, place), kind: "end", drag: radial("centre", centre) },
        { d: ellipse(mask, 1 - shapes.featherOf(mask), place), kind: "inner", drag: null },
        { d: path(ends, place), kind: "inner", drag: null },
      ];
    }
    case "polygon":
      return [{ d: outline(mask.points, place), kind: "end", drag: null }];
    default:
      return [];
  }
}
