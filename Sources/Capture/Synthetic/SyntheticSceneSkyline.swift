/// Where nothing of the foreground can be, told by a few comparisons: most of a picture is sky and sea.
extension ScenePainter {
  /// How high the land reaches at one place along the horizon.
  struct Skyline {
    /// The highest crest of the mountains, as an elevation.
    let mountains: Float
    /// The outline of the rocks.
    let rocks: Float
  }

  func skyline(at s: Float) -> Skyline {
    Skyline(mountains: ranges.reduce(-1) { max($0, $1.crest[s]) }, rocks: shore[s])
  }

  /// Whether `foreground` leaves the light at a point as it is, for certain; false says nothing.
  ///
  /// - Parameter skyline: that of `s`.
  @inline(__always)
  func isClear(_ s: Float, _ t: Float, _ skyline: Skyline) -> Bool {
    let e = -t
    // Edges are blurred over a pixel; another one is for rounding.
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
