import ColorScience
import FilterGraph
import Libc

/// Brightens or darkens like a longer or shorter exposure.
///
///     out = in · 2 ^ stops        scene-linear
public struct Exposure: Filter {
  public static let id: FilterID = "exposure"
  public static let phase = FilterPhase.exposure
  public static let summary = "Brightens or darkens, in stops of light"
  public static let parameters = [
    Parameter(
      \Exposure.stops, "stops", title: "Exposure", in: -5...5, step: 0.05, neutral: 0, unit: .stops,
      flag: "exposure",
      "Exposure in stops; +1 doubles the light")
  ]

  /// Stops of light, -5…5.
  public var stops: Float

  public init() { self.init(stops: 0) }
  public init(stops: Float) { self.stops = stops }

  public func lower(into plan: inout PlanBuilder) {
    guard stops != 0 else { return }
    plan.matrix(.diagonal(SIMD3(repeating: exp2(Double(stops)))))
  }
}
