import Libc

/// How a document differs from what lies around it: luma on both sides of each side.
struct QuadContrast {
  /// Of each side: the median step from outside to inside, in luma.
  private(set) var steps = SIMD4<Float>.zero
  /// Of each side: the part of its places that step in the same direction by more than noise, 0…1.
  private(set) var agreement = SIMD4<Float>.zero
  /// How much luma just inside varies around the document, as a standard deviation within sides.
  private(set) var unrest: Float = 0
  /// The number of sides that were seen.
  private(set) var sides = 0

  private static let places = 24
  /// Where luma is read on either side of the edge, in samples.
  private static let offsets: (Float, Float, Float) = (2.5, 4, 6)

  init(_ quad: Quad, in plane: LumaPlane, noise: Float) {
    let low = max(3.0 / 255, 3 * noise)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * Self.places) { values in
      for index in 0..<4 { measure(index, quad, plane, low, values) }
    }
  }

  private mutating func measure(
    _ index: Int, _ quad: Quad, _ plane: LumaPlane, _ low: Float, _ values: UnsafeMutableBufferPointer<Float>
  ) {
    let (start, way) = (quad[index], quad.side(index))
    let length = (way * way).sum().squareRoot()
    // Clockwise: inside is on the right.
    let (nx, ny) = (Float(-way.y / length), Float(way.x / length))
    var count = 0
    for place in 0..<Self.places {
      let at = start + way * ((Double(place) + 0.5) / Double(Self.places) * 0.92 + 0.04)
      guard plane.contains(at, margin: -3) else { continue }
      let (x, y) = (Float(at.x), Float(at.y))
      func mean(_ sign: Float) -> Float {
        let (a, b, c) = Self.offsets
        let (u, v) = (nx * sign, ny * sign)
        return (plane(x + u * a, y + v * a) + plane(x + u * b, y + v * b) + plane(x + u * c, y + v * c)) / 3
      }
      let inside = mean(1)
      values[count] = inside - mean(-1)
      values[Self.places + count] = inside
      count += 1
    }
    guard count >= Self.places / 3 else { return }
    sides += 1
    let usual = median(UnsafeMutableBufferPointer(rebasing: values[0..<count]))
    var same = 0
    for place in 0..<count where (values[place] * (usual < 0 ? -1 : 1)) > low { same += 1 }
    steps[index] = usual
    agreement[index] = Float(same) / Float(count)
    let inner = UnsafeMutableBufferPointer(rebasing: values[Self.places..<Self.places + count])
    let level = median(inner)
    var deviation: Float = 0
    for place in 0..<count { deviation += abs(inner[place] - level) }
    unrest += deviation / Float(count) / 4
  }

  private func median(_ values: UnsafeMutableBufferPointer<Float>) -> Float {
    var sorted = values
    sorted.sort()
    return sorted[sorted.count / 2]
  }

  /// Whether most of it is lighter than what lies around it.
  var isLighter: Bool { steps.sum() > 0 }

  /// 0…1: whether all sides that are seen step clearly, and in one direction.
  var value: Double {
    guard sides > 0 else { return 0 }
    let (lighter, darker) = (sum { max($0, 0) }, sum { max(-$0, 0) })
    return Double(max(lighter, darker * 0.9)) / Double(sides)
  }

  private func sum(_ part: (Float) -> Float) -> Float {
    var sum: Float = 0
    for index in 0..<4 {
      let step = part(steps[index])
      guard step > 0 else { continue }
      // Steps that exceed what varies along the page are its edge.
      sum += agreement[index] * step / (step + 1.5 * unrest + 0.02)
    }
    return sum
  }
}
