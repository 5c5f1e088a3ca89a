import FilterGraph

/// Takes haze, mist and smoke out of a picture, or puts haze into it.
///
///     out = (in - A) / t + A        scene-linear; A the light of the haze, t how much of the light came through it
///
/// `Dehazing` has the formulas. A picture without haze, or nearly without light, stays as it is, unless haze is put in.
public struct Dehaze: Filter {
  public static let id: FilterID = "dehaze"
  public static let phase = FilterPhase.light
  public static let summary = "Takes haze out where there is some; negative puts haze in"
  public static let parameters = [
    Parameter(
      \Dehaze.amount, "amount", title: "Dehaze", in: -100...100, step: 1, neutral: 0, flag: "dehaze",
      "Takes haze out; negative puts it in")
  ]

  /// -100…100.
  public var amount: Float

  public init() { self.init(0) }
  public init(_ amount: Float) { self.amount = amount }

  public func lower(into plan: inout PlanBuilder) { plan.dehaze(Double(amount) / 100) }
}
