/// Detects areas without foreground by a few comparisons, since most of a picture is sky and sea.
extension ScenePainter {
  /// The height of the land at one position along the horizon.
  struct Skyline {
    /// The elevation of the highest mountain crest.
    let mountains: Float
    /// The outline of the rocks.
    let rocks: Float
  }

  func skyline(at s: Float) -> Skyline {
    Skyline(mountains: ranges.reduce(-1) { max($0, $1.crest[s]) }, rocks: shore[s])
  }

  /// Whether `foreground` certainly leaves the light at a point unchanged; false is inconclusive.
  ///
  /// - Parameter skyline: the skyline at `s`.
  @inline(__always)
  func isClear(_ s: Float, _ t: Float, _ skyline: Skyline) -> Bool {
    let e = -t
    // Edges are blurred over a pixel; one more allows for rounding.
    let edge = 2 * pixel
    if e > 0 {
      guard e > skyline.mountains + edge else { return false }
      let sun = 0.0185 + edge
      if abs(s - Self.sun.s) < sun, abs(e - Self.sun.e) < sun { return false }
    }
    if s > Headland.start, e < Headland.top, e > Headland.waterline - 0.02,
      e <= skyline.rocks + edge || Lighthouse.spans(s)
    {
      return false
    }
    return !boat.spans(s, e) && !pier.spans(s, t, pixel: pixel)
  }
}
