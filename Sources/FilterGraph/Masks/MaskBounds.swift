import FrameCore

extension MaskProgram {
  /// The values that the mask can have in a picture of `size`, whatever its colours; possibly more than it has.
  func bounds(in size: PixelSize) -> ClosedRange<Double> {
    var stack: [ClosedRange<Double>] = []
    for step in steps {
      let top = step.operands > 0 ? stack.popLast() ?? zero : zero
      let below = step.operands > 1 ? stack.popLast() ?? zero : zero
      stack.append(bounds(of: step, top, below, in: size))
    }
    return stack.last ?? zero
  }

  /// Nothing.
  private var zero: ClosedRange<Double> { 0...0 }

  private func bounds(
    of step: Step, _ top: ClosedRange<Double>, _ below: ClosedRange<Double>, in size: PixelSize
  ) -> ClosedRange<Double> {
    func range(_ a: Double, _ b: Double) -> ClosedRange<Double> { min(a, b)...max(a, b) }
    switch step {
    case .constant(let value): return value...value
    case .linear:
      // It is steepest along a line, so its extremes are in the corners.
      let corners = Self.corners(of: size).map { value(of: step, at: $0) }
      return (corners.min() ?? 0)...(corners.max() ?? 1)
    case .radial(let map, let inner):
      let nearest = Self.nearest(map, in: size)
      return 0...(1 - ToneCurve.smoothStep(inner, 1, nearest))
    case .shape(let index, _): return shapes.indices.contains(index) ? shapes[index].range : 0...0
    case .edges(let index):
      return guides.indices.contains(index) && guides[index].shape.range.upperBound > 0 ? 0...1 : zero
    case .luminance, .color, .lensLight: return 0...1
    case .invert: return range(1 - top.upperBound, 1 - top.lowerBound)
    case .intersect: return range(below.lowerBound * top.lowerBound, below.upperBound * top.upperBound)
    case .add:
      return range(
        1 - (1 - below.lowerBound) * (1 - top.lowerBound), 1 - (1 - below.upperBound) * (1 - top.upperBound))
    case .subtract:
      return range(below.lowerBound * (1 - top.upperBound), below.upperBound * (1 - top.lowerBound))
    }
  }

  private static func corners(of size: PixelSize) -> [(x: Double, y: Double)] {
    let (width, height) = (Double(size.width), Double(size.height))
    return [(0, 0), (width, 0), (width, height), (0, height)]
  }

  /// The least |map(x, y)| in a picture: 0 if the centre is in it, else that of the nearest place on its edges.
  private static func nearest(_ map: AffineMap, in size: PixelSize) -> Double {
    let center = map.inverse.apply(0, 0)
    let isInside =
      (0...Double(size.width)).contains(center.x) && (0...Double(size.height)).contains(center.y)
    guard !isInside else { return 0 }
    let corners = corners(of: size).map { corner -> SIMD2<Double> in
      let place = map.apply(corner.x, corner.y)
      return SIMD2(place.x, place.y)
    }
    return corners.indices.reduce(.infinity) { least, index in
      let (start, line) = (corners[index], corners[(index + 1) % 4] - corners[index])
      let squared = (line * line).sum()
      let along = squared > 0 ? min(max(-(start * line).sum() / squared, 0), 1) : 0
      let place = start + along * line
      return min(least, (place * place).sum().squareRoot())
    }
  }
}
