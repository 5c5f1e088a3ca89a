import ColorScience
import FilterGraph
import FrameCore

/// A photographic film and the print made from it, described by what data sheets say of them.
///
///     light → (one grey, for black and white) → density of three layers → inhibition → print → dyes, silver → light
///
/// All on linear Rec. 2020; `FilmModel` has the formulas. Greys stay on one monotone curve per channel, which meets three
/// points wherever the other numbers are: black is `black`, middle grey is `middle`, and what is `headroom` above white is
/// `white`. Colours that leave sRGB are brought back along their hue, as ACES' reference gamut compression does.
///
/// The plan gets a table of 33³ nodes made of these numbers. Strength mixes it with the picture in sRGB's encoding.
///
/// Source of the ranges: manufacturers' published data sheets. Still negatives have a gamma of 0.5…0.7 and 9…13 EV of
/// latitude, cine negatives 0.43…0.5 and 11…12 EV, slides 0.8…1.4 and 2.5…5.4 EV; paper has a contrast of 1.5…2.7 and a
/// density of about 2.
public struct Film: Filter {
  public static let id: FilterID = "film"
  public static let phase = FilterPhase.look
  public static let summary = "A film and its print: curves, inhibition, dyes, silver, fading"

  public static let parameters = [
    Parameter(
      \Film.strength, "strength", in: 0...100, step: 1, neutral: 0, unit: .percent, flag: nil,
      "How far to go from the picture's colours to the film's"),
    Parameter(
      \Film.sensitivity, "sensitivity", suggestions: [Parameter.Option("color", title: "Colour")],
      neutral: .color, flag: nil,
      "color, or the shares of red, green and blue in a black and white film"),
    Parameter(
      \Film.exposure, "exposure", in: -3...3, step: 0.1, neutral: 0, unit: .stops, flag: nil,
      "Where on its curve the film is exposed; the print keeps its brightness"),
    Parameter(
      \Film.gamma, "gamma", neutral: Gamma(0.6), flag: nil, "Slope of the film's curve, for each layer"),
    Parameter(
      \Film.toe, "toe", in: 2...14, step: 0.1, neutral: 7, unit: .stops, flag: nil,
      "How far below middle grey shadows merge"),
    Parameter(
      \Film.shoulder, "shoulder", in: 1...10, step: 0.1, neutral: 5, unit: .stops, flag: nil,
      "How far above middle grey highlights merge"),
    Parameter(
      \Film.softness, "softness", in: 0.3...3, step: 0.1, neutral: 1, unit: .stops, flag: nil,
      "How gently toe and shoulder bend"),
    Parameter(
      \Film.inhibition, "inhibition", neutral: Inhibition(0.2), flag: nil,
      "How much each layer holds back the others where it is denser, which separates colours"),
    Parameter(
      \Film.depth, "depth", in: 0...100, step: 1, neutral: 20, flag: nil, "How much strong colours darken"),
    Parameter(
      \Film.contrast, "contrast", in: 0.5...4, step: 0.05, neutral: 2, flag: nil, "Slope of the print's curve"
    ),
    Parameter(
      \Film.density, "density", in: 1...4, step: 0.1, neutral: 2.2, flag: nil, "The print's greatest density"),
    Parameter(
      \Film.glow, "glow", in: 0.05...0.6, step: 0.01, neutral: 0.25, flag: nil,
      "How gently the print's highlights and shadows bend, in density"),
    Parameter(
      \Film.dyes, "dyes", neutral: Dyes(0.25, 0.12, 0.02), flag: nil,
      "What cyan, magenta and yellow dye absorb beside their own colour, which dulls and turns colours"),
    Parameter(
      \Film.silver, "silver", in: 0...100, step: 1, neutral: 0, unit: .percent, flag: nil,
      "Silver that is left in the print, as after a bleach bypass"),
    Parameter(
      \Film.black, "black", neutral: Black(0), flag: nil,
      "What black becomes: red, green, blue of sRGB in percent"),
    Parameter(
      \Film.middle, "middle", neutral: Middle(0), flag: nil, "Light of middle grey in EV: red, green, blue"),
    Parameter(
      \Film.white, "white", neutral: White(100), flag: nil,
      "What white becomes: red, green, blue of sRGB in percent"),
    Parameter(
      \Film.headroom, "headroom", in: 0...2, step: 0.1, neutral: 0.3, unit: .stops, flag: nil,
      "How far above the picture's white light still differs"),
  ]

  /// 0…100 %: 0 leaves the picture unchanged.
  public var strength: Float
  public var sensitivity = FilmSensitivity.color
  /// EV.
  public var exposure: Float = 0
  /// Densities per tenfold light.
  public var gamma = Gamma(0.6)
  /// EV below and above middle grey, and EV within which the curve bends.
  public var toe: Float = 7
  public var shoulder: Float = 5
  public var softness: Float = 1
  public var inhibition = Inhibition(0.2)
  /// 0…100.
  public var depth: Float = 20
  /// Densities of the print per density of the film.
  public var contrast: Float = 2
  public var density: Float = 2.2
  public var glow: Float = 0.25
  public var dyes = Dyes(0.25, 0.12, 0.02)
  /// 0…100 %.
  public var silver: Float = 0
  public var black = Black(0)
  /// EV from 18 % of white.
  public var middle = Middle(0)
  public var white = White(100)
  /// EV.
  public var headroom: Float = 0.3

  public init() { self.init(strength: 0) }
  public init(strength: Float) { self.strength = strength }

  /// Scales the strength alone: half a film is not a film of half the gamma.
  public func scaled(by strength: Double) -> Film {
    var scaled = self
    scaled.strength = Float(Double(self.strength) * strength)
    return scaled
  }

  public func lower(into plan: inout PlanBuilder) throws {
    guard strength != 0 else { return }
    try plan.lut(
      FilmTable.table(of: self), encoding: FilmModel.encoding, strength: Double(strength) / 100,
      name: Self.id.name)
  }
}
