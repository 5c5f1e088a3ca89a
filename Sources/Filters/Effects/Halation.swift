import FilterGraph

/// Lets light scatter about bright places, as in film: a soft glow with a reddish rim.
///
///     out = in + 0.5 · amount · glow        scene-linear
///
/// `Scattering` has the formula of the glow, which is about 1 % of the diagonal wide.
public struct Halation: Filter {
  public static let id: FilterID = "halation"
  public static let phase = FilterPhase.light
  public static let summary = "A glow about bright places, reddish at its rim, as in film"
  public static let parameters = [
    Parameter(
      \Halation.amount, "amount", title: "Halation", in: 0...100, step: 1, neutral: 0, flag: "halation",
      "Light that scatters about bright places")
  ]

  /// 0…100.
  public var amount: Float

  public init() { self.init(0) }
  public init(_ amount: Float) { self.amount = amount }

  public func lower(into plan: inout PlanBuilder) { plan.halation(Double(amount) / 100) }
}
