import Libc

/// Moves the sides of a quad onto the edges of the picture, to fractions of a sample.
struct QuadRefinement {
  let plane: LumaPlane
  /// How far, in samples, a side may be from its edge.
  let reach: Double
  /// Half the distance of the places whose luma is compared across an edge.
  var spread = 1.0
  /// In luma: steps below it are noise.
  let least: Float

  private static let places = 48

  /// The quad with its sides on the edges nearest to them; sides without an edge stay.
  func refined(_ quad: Quad) -> Quad {
    var sides: [EdgeLine] = []
    for index in 0..<4 { sides.append(side(index, of: quad)) }
    var corners: [SIMD2<Double>] = []
    for index in 0..<4 {
      let (a, b) = (sides[(index + 3) & 3], sides[index])
      let sine = cross(a.direction, b.direction)
      guard abs(sine) > 0.2 else { return quad }
      corners.append(a.point(cross(b.origin - a.origin, b.direction) / sine))
    }
    let result = Quad(corners[0], corners[1], corners[2], corners[3])
    return result.isConvex ? result : quad
  }

  private func side(_ index: Int, of quad: Quad) -> EdgeLine {
    let (start, way) = (quad[index], quad.side(index))
    let length = (way * way).sum().squareRoot()
    let direction = way / max(length, 1e-9)
    let unchanged = EdgeLine(origin: start + way / 2, direction: direction)
    guard length > 8, let sign = polarity(start, way, unchanged.normal) else { return unchanged }
    let across = unchanged.normal * spread
    let steps = Int((2 * reach / 0.5).rounded()) + 1
    var offsets: [(at: Double, offset: Double, weight: Double)] = []
    for place in 0..<Self.places {
      let part = (Double(place) + 0.5) / Double(Self.places) * 0.94 + 0.03
      let at = start + way * part
      guard plane.contains(at, margin: -1) else { continue }
      var best: (offset: Double, step: Float) = (0, least)
      for step in 0..<steps {
        let offset = Double(step) * 0.5 - reach
        let p = at + unchanged.normal * offset
        let value = sign * (plane(p + across) - plane(p - across))
        if value > best.step { best = (offset, value) }
      }
      guard best.step > least else { continue }
      // The vertex of the parabola through the largest step and its neighbours.
      func value(_ offset: Double) -> Float {
        let p = at + unchanged.normal * offset
        return sign * (plane(p + across) - plane(p - across))
      }
      let values = (value(best.offset - 0.5), best.step, value(best.offset + 0.5))
      let curve = values.0 - 2 * values.1 + values.2
      let shift = curve < -1e-6 ? Double((values.0 - values.2) / (2 * curve)) * 0.5 : 0
      offsets.append(
        ((part - 0.5) * length, best.offset + min(max(shift, -0.5), 0.5), Double(min(best.step, 0.15))))
    }
    guard offsets.count >= Self.places / 5 else { return unchanged }
    return fitted(offsets, to: unchanged)
  }

  /// Whether it is lighter inside: the sign of the steps along the side; nil if there are none.
  private func polarity(_ start: SIMD2<Double>, _ way: SIMD2<Double>, _ normal: SIMD2<Double>) -> Float? {
    var (lighter, darker): (Float, Float) = (0, 0)
    for place in 0..<Self.places {
      let at = start + way * ((Double(place) + 0.5) / Double(Self.places))
      guard plane.contains(at, margin: -1) else { continue }
      let step = plane(at + normal * (reach * 0.5 + spread)) - plane(at - normal * (reach * 0.5 + spread))
      if step > least { lighter += min(step, 0.15) }
      if step < -least { darker += min(-step, 0.15) }
    }
    guard max(lighter, darker) > 0 else { return nil }
    return lighter >= darker ? 1 : -1
  }

  /// offset = a + b · at, by least squares that forget what is far off (Tukey's biweight).
  private func fitted(_ offsets: [(at: Double, offset: Double, weight: Double)], to line: EdgeLine)
    -> EdgeLine
  {
    var (a, b) = (0.0, 0.0)
    var scale = reach + 1
    for _ in 0..<8 {
      var (w, wx, wy, wxx, wxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for point in offsets {
        let rest = (point.offset - a - b * point.at) / scale
        guard abs(rest) < 1 else { continue }
        let weight = point.weight * (1 - rest * rest) * (1 - rest * rest)
        w += weight
        wx += weight * point.at
        wy += weight * point.offset
        wxx += weight * point.at * point.at
        wxy += weight * point.at * point.offset
      }
      let determinant = w * wxx - wx * wx
      guard w > 0, determinant > 1e-9 else { break }
      a = (wxx * wy - wx * wxy) / determinant
      b = (w * wxy - wx * wy) / determinant
      scale = max(scale * 0.7, 0.8)
    }
    guard abs(a) <= reach else { return line }
    let direction = line.direction + line.normal * b
    let length = (direction * direction).sum().squareRoot()
    return EdgeLine(origin: line.origin + line.normal * a, direction: direction / length)
  }
}
