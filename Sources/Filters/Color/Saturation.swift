import FilterGraph

/// Makes colours stronger or weaker at constant hue and lightness, as long as no channel clips.
///
///     out: OKLab a and b times 1 + amount / 100
///
/// Source: Ottosson, "A perceptual color space for image processing", 2020.
public struct Saturation: Filter {
  public static let id: FilterID = "saturation"
  public static let phase = FilterPhase.color
  public static let summary = "Strengthens or weakens colours at constant hue and lightness"
  public static let parameters = [
    Parameter(
      \Saturation.amount, "amount", title: "Saturation", in: -100...100, step: 1, neutral: 0, unit: .percent,
      flag: "saturation",
      "Strength of colours; -100 is black and white, 100 doubles chroma")
  ]

  /// -100 (black and white) … 100 (twice the chroma).
  public var amount: Float

  public init() { self.init(0) }
  public init(_ amount: Float) { self.amount = amount }

  public func lower(into plan: inout PlanBuilder) {
    guard amount != 0 else { return }
    plan.oklabChroma(1 + Double(amount) / 100)
  }
}
