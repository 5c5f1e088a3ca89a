import FilterGraph
import FrameCore

// A projection and a lens in the numbers of `shaders/projected.glsl`.

extension Geometry {
  /// By how much w of the projection, divided by what it is at a place in the output, changes from one output pixel to
  /// the next along both axes; 0 without a projection.
  func relativeDepthSlope(atX x: Double, y: Double) -> (x: Double, y: Double) {
    guard let projection else { return (0, 0) }
    let mapped = map.apply(x, y)
    let w = projection.g * mapped.x + projection.h * mapped.y + projection.i
    return (
      (projection.g * map.a + projection.h * map.d) / w, (projection.g * map.b + projection.h * map.e) / w
    )
  }
}

extension LensWarp {
  /// Two rows of the map to the lens's plane, two rows of two from there, k₀…k₄, the limit, slope and rest.
  fileprivate var words: [Float] {
    let numbers = numbers
    return
      ([toLens.a, toLens.b, toLens.c, toLens.d, toLens.e, toLens.f]
      + [fromLens.a, fromLens.b, fromLens.d, fromLens.e]
      + numbers.terms + [numbers.limit, numbers.slope, numbers.rest]).map { Float($0) }
  }
}

extension ProgramTables {
  /// The kernel in equal steps from its centre to its radius, linear between them: within 10⁻⁵ of its weights.
  private static let kernelSteps = 256

  /// The words of a projection: where the kernel's nodes are; from places in its input to those in the picture as stored,
  /// two factors and two offsets; where the lens's numbers are.
  ///
  /// - Parameter downsample: what is ahead of the projection.
  mutating func setProjection(_ geometry: Geometry, behind downsample: Downsample?) {
    let interpolation = geometry.interpolation
    let radius = interpolation.taps / 2
    let kernel = append(
      (0...radius * Self.kernelSteps).map {
        Float(interpolation.weight(Double($0) / Double(Self.kernelSteps)))
      })
    let factors = downsample?.factors ?? (x: 1, y: 1)
    let numbers = [factors.x, factors.y, downsample?.x ?? 0, downsample?.y ?? 0]
    let lens = geometry.lens.map { append($0.words) } ?? 0
    setProjection(list: [kernel] + numbers.map { Float($0).bitPattern } + [lens])
  }
}
