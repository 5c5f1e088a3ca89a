import ColorScience
import FrameCore

@testable import FilterGraph

extension Filter {
  /// What this filter alone appends to the plan of a picture whose samples are in the working space.
  func lowered(size: PixelSize = PixelSize(width: 600, height: 400)) throws -> PlanBuilder {
    var builder = PlanBuilder(size: size, space: PlanBuilder.workingSpace)
    try lower(into: &builder)
    return builder
  }

  /// What this filter alone makes of a colour in the working space, linear Rec. 2020.
  func evaluate(_ rgb: SIMD3<Double>) throws -> SIMD3<Double> {
    try lowered().stages.reduce(rgb) { $1.evaluate($0) }
  }

  /// The one resample that this filter is.
  func geometry(of size: PixelSize) throws -> Geometry? {
    guard case .geometry(let geometry)? = try lowered(size: size).stages.first else { return nil }
    return geometry
  }
}

/// The largest difference of two colours' channels.
func difference(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  max((a - b).max(), (b - a).max())
}
