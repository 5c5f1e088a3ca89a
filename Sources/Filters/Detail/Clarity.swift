import FilterGraph

/// Makes what stands out from its surroundings stand out more, or less, at the scale of a face or a cloud.
///
///     out = 2^(0.8 · amount · d / √(1 + d²)) · in        scene-linear, d the EV above the surroundings
///
/// The surroundings keep their edges, so there are no halos: `LocalLight` and `LightGrid` have the formulas.
public struct Clarity: Filter {
  public static let id: FilterID = "clarity"
  public static let phase = FilterPhase.light
  public static let summary = "Contrast between neighbouring regions, without halos; negative softens"
  public static let parameters = [
    Parameter(
      \Clarity.amount, "amount", title: "Clarity", in: -100...100, step: 1, neutral: 0, flag: "clarity",
      "Local contrast; negative softens")
  ]

  /// -100…100.
  public var amount: Float

  public init() { self.init(0) }
  public init(_ amount: Float) { self.amount = amount }

  public func lower(into plan: inout PlanBuilder) { plan.light(clarity: Double(amount) / 100) }
}
