// Masks as trees: inverted, feathered, combined. Nothing is changed in place.

const lists = new Set(["add", "subtract", "intersect"]);
/** Ranges of colours have no outline that could be feathered. */
const ranges = new Set(["luminance", "color"]);

const childrenOf = (mask) => (lists.has(mask.kind) ? mask.masks : mask.mask ? [mask.mask] : []);

/** The masks that are drawn, each with the way to it and how it joins those before it. */
export function leavesOf(mask, path = [], join = null) {
  if (!mask) return [];
  const children = childrenOf(mask);
  if (children.length === 0) return [{ mask, path, join }];
  return children.flatMap((child, index) =>
    leavesOf(child, [...path, index], lists.has(mask.kind) && index > 0 ? mask.kind : join),
  );
}

export const maskAt = (mask, path) => path.reduce((one, index) => childrenOf(one)[index], mask);

/** With another mask at the end of a path. */
export function replacedAt(mask, path, leaf) {
  if (path.length === 0) return leaf;
  const [index, ...rest] = path;
  const child = replacedAt(childrenOf(mask)[index], rest, leaf);
  if (!lists.has(mask.kind)) return { ...mask, mask: child };
  return { ...mask, masks: mask.masks.map((one, i) => (i === index ? child : one)) };
}

/** Without what stands at the end of a path; null if nothing is left. */
export function removedAt(mask, path) {
  if (path.length === 0) return null;
  const [index, ...rest] = path;
  const child = removedAt(childrenOf(mask)[index], rest);
  if (!lists.has(mask.kind)) return child ? { ...mask, mask: child } : null;
  const masks = mask.masks.flatMap((one, i) => (i === index ? (child ? [child] : []) : [one]));
  // Of a difference the first is what others are taken from: without it there is nothing.
  if (masks.length === 0 || (mask.kind === "subtract" && index === 0 && !child)) return null;
  return masks.length === 1 ? masks[0] : { ...mask, masks };
}

/** How a mask is wrapped: whether it is inverted, its feather (`{ radius, edges }`), and what is within both. */
export function unwrapped(mask) {
  const isInverted = mask?.kind === "invert";
  const within = isInverted ? mask.mask : mask;
  if (within?.kind !== "feather") return { isInverted, feather: null, inner: within };
  return { isInverted, feather: { radius: within.radius, edges: within.edges === true }, inner: within.mask };
}

export function wrapped({ isInverted, feather, inner }) {
  const soft = feather && feather.radius > 0
    ? { kind: "feather", radius: feather.radius, ...(feather.edges ? { edges: true } : {}), mask: inner }
    : inner;
  return isInverted ? { kind: "invert", mask: soft } : soft;
}

export const inverted = (mask) => (mask.kind === "invert" ? mask.mask : { kind: "invert", mask });

/** Whether the engine can feather it: not ranges, and not what is feathered along edges within. */
export function isFeatherable(mask) {
  if (!mask || ranges.has(mask.kind)) return false;
  if (mask.kind === "feather" && mask.edges) return false;
  return childrenOf(mask).every(isFeatherable);
}

/** `mask` joined with another: "add", "subtract" or "intersect". Lists of the same kind grow. */
export function combined(mask, kind, other) {
  if (mask.kind === kind) return { ...mask, masks: [...mask.masks, other] };
  return { kind, masks: [mask, other] };
}

/** Whether a mask reads the picture's colours. */
export const readsColours = (mask) =>
  Boolean(mask) && (ranges.has(mask.kind) || childrenOf(mask).some(readsColours));
