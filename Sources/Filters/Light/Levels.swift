import FilterGraph
import FrameCore
import Libc

/// Sets which tones become black and white, how bright the middle is, and where both ends come out.
///
///     u   = clip((x - black) / (white - black), 0, 1)
///     out = output black + (output white - output black) · u^(1 / gamma)      x an sRGB-encoded tone, 0…1
///
/// The largest and the smallest channel follow the formula and the one between keeps its place (`LightCurves`), so hue
/// stays as HSV has it, and greys stay grey. Where nothing is cut at white, light beyond white is not either.
///
/// Source: the levels of image editors, as ImageMagick documents `-level` and `+level`.
public struct Levels: Filter {
  public static let id: FilterID = "levels"
  public static let phase = FilterPhase.tone
  public static let summary = "Sets which tones are black, middle and white"
  /// White is at least so many percent above black.
  static let leastRange: Float = 2
  public static let parameters = [
    Parameter(
      \Levels.black, "black", in: 0...98, step: 0.5, neutral: 0, unit: .percent, flag: "levels-black",
      "The tone that becomes black"),
    Parameter(
      \Levels.white, "white", in: 2...100, step: 0.5, neutral: 100, unit: .percent, flag: "levels-white",
      "The tone that becomes white"),
    Parameter(
      \Levels.gamma, "gamma", in: 0.1...10, slider: 0.2...3, step: 0.05, neutral: 1, flag: "levels-gamma",
      "Brightness of the middle; above 1 brightens"),
    Parameter(
      \Levels.outputBlack, "output-black", in: 0...100, step: 0.5, neutral: 0, unit: .percent,
      flag: "levels-output-black", "Where black comes out"),
    Parameter(
      \Levels.outputWhite, "output-white", in: 0...100, step: 0.5, neutral: 100, unit: .percent,
      flag: "levels-output-white", "Where white comes out"),
  ]

  /// Percent of the encoded range; `white` is at least 2 above `black`.
  public var black, white: Float
  /// 0.1…10; above 1 brightens.
  public var gamma: Float
  /// Percent of the encoded range; white does not come out below black.
  public var outputBlack, outputWhite: Float

  public init() { self.init(black: 0) }
  public init(
    black: Float = 0, white: Float = 100, gamma: Float = 1, outputBlack: Float = 0, outputWhite: Float = 100
  ) {
    (self.black, self.white, self.gamma) = (black, white, gamma)
    (self.outputBlack, self.outputWhite) = (outputBlack, outputWhite)
  }

  public func lower(into plan: inout PlanBuilder) throws {
    guard self != Levels() else { return }
    guard white - black >= Self.leastRange else {
      throw SafelightError(
        .invalidValue,
        "The levels have black at \(PlainNumber.short(black)) % and white at "
          + "\(PlainNumber.short(white)) %",
        remedy: "set white at least \(PlainNumber.short(Self.leastRange)) % above black")
    }
    guard outputWhite >= outputBlack else {
      throw SafelightError(
        .invalidValue,
        "The levels bring out black at \(PlainNumber.short(outputBlack)) % and white at "
          + "\(PlainNumber.short(outputWhite)) %, which would be a negative",
        remedy: "set levels-output-white to levels-output-black or above it")
    }
    let (low, range) = (Double(black) / 100, Double(white - black) / 100)
    let (start, end, exponent) = (Double(outputBlack) / 100, Double(outputWhite) / 100, 1 / Double(gamma))
    let goesOn = white == 100 && outputWhite == 100
    plan.curves(
      LightCurves(
        .hueKeeping(
          .encoded(above: goesOn ? nil : 0) { x in
            start + (end - start) * pow(min(max((x - low) / range, 0), 1), exponent)
          }), text: text))
  }

  private var text: String {
    let isFull = outputBlack == 0 && outputWhite == 100
    return
      "levels \(PlainNumber.short(black))…\(PlainNumber.short(white)) gamma \(PlainNumber.short(gamma))"
      + (isFull ? "" : " to \(PlainNumber.short(outputBlack))…\(PlainNumber.short(outputWhite))")
  }
}
