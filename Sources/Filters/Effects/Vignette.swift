import FilterGraph

/// Darkens or brightens the corners of the picture, as it is cropped.
///
///     out = in · 2^(4 · amount · S(r))        scene-linear, r the distance from the centre
///
/// `LightFalloff` has the formula.
public struct Vignette: Filter {
  public static let id: FilterID = "vignette"
  public static let phase = FilterPhase.light
  public static let summary = "Darkens or brightens the corners, about the crop"
  public static let parameters = [
    Parameter(
      \Vignette.amount, "amount", title: "Vignette", in: -100...100, step: 1, neutral: 0, flag: "vignette",
      "Light in the corners; negative darkens them"),
    Parameter(
      \Vignette.midpoint, "midpoint", in: 0...100, step: 1, neutral: 50, flag: "vignette-midpoint",
      "Where half of it is reached; 100 is near the corners"),
    Parameter(
      \Vignette.feather, "feather", in: 0...100, step: 1, neutral: 50, flag: "vignette-feather",
      "How gradually the light changes; 0 is an edge"),
    Parameter(
      \Vignette.roundness, "roundness", in: -100...100, step: 1, neutral: 0, flag: "vignette-roundness",
      "100 is a circle, -100 a rounded rectangle"),
  ]

  /// -100 leaves the corners 1/16 of their light; 100 gives them 16 times as much.
  public var amount: Float
  /// 0…100.
  public var midpoint: Float
  /// 0…100.
  public var feather: Float
  /// -100…100; 0 has the picture's proportions.
  public var roundness: Float

  public init() { self.init(amount: 0) }
  public init(amount: Float, midpoint: Float = 50, feather: Float = 50, roundness: Float = 0) {
    self.amount = amount
    self.midpoint = midpoint
    self.feather = feather
    self.roundness = roundness
  }

  public func lower(into plan: inout PlanBuilder) {
    plan.vignette(
      amount: Double(amount) / 100, midpoint: Double(midpoint) / 100, feather: Double(feather) / 100,
      roundness: Double(roundness) / 100)
  }

  /// Only the amount has a strength: half a vignette has the shape of the whole one.
  public func scaled(by strength: Double) -> Vignette {
    var scaled = self
    scaled.amount = Float(Double(amount) * strength)
    return scaled
  }
}
