import FilterGraph

/// Turns all hues by the same angle; greys, lightness and chroma stay, as long as no channel clips.
///
///     a' + ib' = (a + ib) · e^(i · angle)        OKLab
///
/// Source of the space: Ottosson, "A perceptual color space for image processing", 2020.
public struct Hue: Filter {
  public static let id: FilterID = "hue"
  public static let phase = FilterPhase.color
  public static let summary = "Turns all hues by the same angle"
  public static let parameters = [
    Parameter(
      \Hue.angle, "angle", title: "Hue", in: -180...180, step: 1, neutral: 0, unit: .degrees, flag: "hue",
      "Angle of the turn; above 0 from red towards yellow and green")
  ]

  /// -180…180 °; above 0 from red towards yellow.
  public var angle: Float

  public init() { self.init(0) }
  public init(_ angle: Float) { self.angle = angle }

  public func lower(into plan: inout PlanBuilder) {
    guard angle != 0 else { return }
    plan.oklabTurn(degrees: Double(angle))
  }
}
