/// A straight edge through the whole picture, and where along it an edge is really seen.
///
/// Positions along it are t in `origin` + t · `direction`, in samples. The darker side is on the left of `direction`
/// (y points down), as in `sla_segment`.
struct EdgeLine {
  var origin: SIMD2<Double>
  var direction: SIMD2<Double>
  /// The length of the segments that it was made of, in samples.
  var support = 0.0
  /// The visible part.
  private(set) var from = 0.0
  private(set) var to = 0.0
  /// Where this line's sums begin in `EdgeLines.sums`: one for each whole sample from `from` on, and one more.
  var sumsAt = 0
  private(set) var count = 0

  var normal: SIMD2<Double> { SIMD2(-direction.y, direction.x) }

  func point(_ t: Double) -> SIMD2<Double> { origin + t * direction }

  mutating func clip(to plane: LumaPlane) -> Bool {
    guard let part = plane.clip(origin, direction) else { return false }
    (from, to) = part
    count = max(Int(part.to - part.from), 1)
    return true
  }
}
