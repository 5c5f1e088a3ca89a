// Quarter turns and mirrors as the engine orders them: turned clockwise by `rotate`, then mirrored by `flip`.

const wrap = (degrees) => ((degrees % 360) + 360) % 360;

/** Half a turn and one mirror are the other mirror: of the two ways to say it, the one that turns less. */
const simplest = ({ rotate, flip }) =>
  flip !== "none" && rotate >= 180 ? { rotate: rotate - 180, flip: flip === "h" ? "v" : "h" } : { rotate, flip };

/** As seen: turned by `by` degrees clockwise (±90). A mirror in between turns the sense of what lies before it. */
export function turned({ rotate, flip }, by) {
  return simplest({ rotate: wrap(flip === "none" ? rotate + by : rotate - by), flip });
}

/** As seen: mirrored left–right ("h") or top–bottom ("v"). Both mirrors together are a half turn. */
export function mirrored({ rotate, flip }, axis) {
  if (flip === "none") return simplest({ rotate, flip: axis });
  if (flip === axis) return { rotate, flip: "none" };
  return { rotate: wrap(rotate + 180), flip: "none" };
}

/** Of an edit. */
export const orientationOf = (edit) => ({
  rotate: Number(edit.values.rotate ?? 0),
  flip: edit.values.flip ?? "none",
});

/** The upright size after turning. */
export const turnedSize = ({ width, height }, rotate) =>
  rotate % 180 === 0 ? { width, height } : { width: height, height: width };
