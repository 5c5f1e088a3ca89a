import FilterGraph

/// Adjusts the bright and the dark parts of a picture independently, and the ends of its range.
///
///     light = 2^stops(b) · in,                 b the light around the pixel        scene-linear
///     out   = gain(n) · light + offset(n),     n the brightness of `light`
///
/// Highlights and shadows are local: they brighten or darken regions and keep the detail in them (`LocalLight`). Whites
/// and blacks then move the ends of the range (`ToneCurve`). All three channels get the same gain, which preserves hue
/// and saturation. Middle grey stays within 0.11 EV.
public struct Tone: Filter {
  public static let id: FilterID = "tone"
  public static let phase = FilterPhase.range
  public static let summary = "Recovers or lifts highlights and shadows, and moves white and black"
  public static let parameters = [
    Parameter(
      \Tone.highlights, "highlights", in: -100...100, step: 1, neutral: 0, flag: "highlights",
      "Bright parts; negative recovers them"),
    Parameter(
      \Tone.shadows, "shadows", in: -100...100, step: 1, neutral: 0, flag: "shadows",
      "Dark parts; positive lifts them"),
    Parameter(
      \Tone.whites, "whites", in: -100...100, step: 1, neutral: 0, flag: "whites",
      "The white end; positive makes more white"),
    Parameter(
      \Tone.blacks, "blacks", in: -100...100, step: 1, neutral: 0, flag: "blacks",
      "The black end; negative makes more black"),
  ]

  /// -100 recovers bright parts by up to 0.6 EV, and more beyond white; 100 lifts them by as much.
  public var highlights: Float
  /// -100 deepens dark parts by up to 1.3 EV; 100 lifts them by as much.
  public var shadows: Float
  /// -100 lowers white by 0.5 EV; 100 raises it by as much.
  public var whites: Float
  /// -100 halves values at 1.2 % of white and lowers darker ones by more; 100 raises black to 1.2 % of white.
  public var blacks: Float

  public init() { self.init(highlights: 0) }
  public init(highlights: Float = 0, shadows: Float = 0, whites: Float = 0, blacks: Float = 0) {
    self.highlights = highlights
    self.shadows = shadows
    self.whites = whites
    self.blacks = blacks
  }

  public func lower(into plan: inout PlanBuilder) {
    plan.light(highlights: Double(highlights) / 100, shadows: Double(shadows) / 100)
    plan.tone(ToneCurve(whites: Double(whites) / 100, blacks: Double(blacks) / 100))
  }
}
