/// A position on a canvas, in pixels from its top left corner; the centre of the first pixel is (0.5, 0.5).
package typealias CanvasPoint = SIMD2<Double>

// Lines and rings by distance to their centre line: coverage = clamp(width/2 + ½ − distance, 0, 1), as for
// letters.
extension Canvas {
  /// Draws a straight line with round ends.
  ///
  /// - Parameter width: the width of the pen, in pixels.
  package func stroke(
    from: CanvasPoint, to: CanvasPoint, width: Double, _ color: CanvasColor, opacity: Double = 1
  ) {
    guard let (from, to) = clipped(from, to, margin: width + 2) else { return }
    let reach = width / 2 + 0.5
    let way = to - from
    let lengthSquared = (way * way).sum()
    // Visits pixels along the longer axis, and across it only as far as the pen reaches.
    let isSteep = abs(way.y) > abs(way.x)
    let (start, end) = isSteep ? (from.y, to.y) : (from.x, to.x)
    let slope = end == start ? 0 : (isSteep ? way.x : way.y) / (end - start)
    let across = reach * (1 + slope * slope).squareRoot()
    let (length, breadth) = isSteep ? (size.height, size.width) : (size.width, size.height)
    for major in Self.pixels(min(start, end) - reach, max(start, end) + reach, limit: length) {
      let position = min(max(Double(major) + 0.5, min(start, end)), max(start, end))
      let centre = (isSteep ? from.x : from.y) + slope * (position - start)
      for minor in Self.pixels(centre - across - 1, centre + across + 1, limit: breadth) {
        let (x, y) = isSteep ? (minor, major) : (major, minor)
        let offset = CanvasPoint(Double(x) + 0.5, Double(y) + 0.5) - from
        let part = lengthSquared > 0 ? min(max((offset * way).sum() / lengthSquared, 0), 1) : 0
        let miss = offset - part * way
        let coverage = min(max(reach - (miss * miss).sum().squareRoot(), 0), 1)
        blend(color, x: x, y: y, opacity: Float(opacity * coverage))
      }
    }
  }

  /// Draws a circle's outline.
  package func strokeCircle(
    _ centre: CanvasPoint, radius: Double, width: Double, _ color: CanvasColor, opacity: Double = 1
  ) {
    let outer = radius + width / 2 + 1
    for y in Self.pixels(centre.y - outer, centre.y + outer, limit: size.height) {
      for x in Self.pixels(centre.x - outer, centre.x + outer, limit: size.width) {
        let offset = CanvasPoint(Double(x) + 0.5, Double(y) + 0.5) - centre
        let distance = abs((offset * offset).sum().squareRoot() - radius)
        let coverage = min(max(width / 2 + 0.5 - distance, 0), 1)
        blend(color, x: x, y: y, opacity: Float(opacity * coverage))
      }
    }
  }

  /// The columns or rows within 0..<`limit` that an interval touches; none if a bound is NaN.
  private static func pixels(_ low: Double, _ high: Double, limit: Int) -> Range<Int> {
    func bounded(_ position: Double) -> Int { position > 0 ? Int(min(position, Double(limit))) : 0 }
    let start = bounded(low.rounded(.down))
    return start..<max(start, bounded(high.rounded(.up)))
  }

  /// The part of a line on the canvas or at most `margin` pixels beside it; nil if there is none, or if a
  /// coordinate is not finite.
  ///
  /// Source: Y.-D. Liang, B. A. Barsky, A New Concept and Method for Line Clipping, ACM TOG 3, 1984.
  private func clipped(_ from: CanvasPoint, _ to: CanvasPoint, margin: Double) -> (CanvasPoint, CanvasPoint)?
  {
    let way = to - from
    guard from.x.isFinite, from.y.isFinite, way.x.isFinite, way.y.isFinite else { return nil }
    var (enter, leave) = (0.0, 1.0)
    for (start, step, limit) in [(from.x, way.x, Double(size.width)), (from.y, way.y, Double(size.height))] {
      let (low, high) = (-margin - start, limit + margin - start)
      guard step != 0 else {
        if low > 0 || high < 0 { return nil }
        continue
      }
      enter = max(enter, min(low / step, high / step))
      leave = min(leave, max(low / step, high / step))
    }
    guard enter <= leave else { return nil }
    return (from + enter * way, from + leave * way)
  }
}
