import FilterGraph
import Libc

/// Raises or lowers contrast around middle grey, which is unchanged.
///
///     out = 0.18 · (in / 0.18) ^ 2^(amount / 100)        scene-linear, per channel
///
/// Source: OpenColorIO, ExposureContrastOpData.h, linear style with pivot 0.18.
public struct Contrast: Filter {
  public static let id: FilterID = "contrast"
  public static let phase = FilterPhase.tone
  public static let summary = "Raises or lowers contrast around middle grey"
  public static let parameters = [
    Parameter(
      \Contrast.amount, "amount", title: "Contrast", in: -100...100, step: 1, neutral: 0, unit: .percent,
      flag: "contrast",
      "Contrast around middle grey; 100 doubles the slope, -100 halves it")
  ]

  /// Slider position, -100…100; 0 changes nothing.
  public var amount: Float

  public init() { self.init(0) }
  public init(_ amount: Float) { self.amount = amount }

  public func lower(into plan: inout PlanBuilder) {
    guard amount != 0 else { return }
    plan.curve(.power(exponent: exp2(Double(amount) / 100), pivot: 0.18))
  }
}
