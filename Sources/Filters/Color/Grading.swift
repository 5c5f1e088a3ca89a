import ColorScience
import FilterGraph
import FrameCore
import Libc

/// Gives shadows, mids and highlights, and all together, a tint and more or less light; with shadows and highlights alone
/// it is split toning.
///
///     out = in · 2^(global + s(e) · shadows + m(e) · mids + h(e) · highlights)        each channel of linear Rec. 2020
///
/// e is the channel's own value, encoded as sRGB: 0…1. The weights s, m and h add up to 1. Shadows end and highlights
/// begin about a third and two thirds of the way, both moved by `balance`, along smooth steps that `blending` makes as
/// wide as 0.1 … 0.9. The numbers in the exponent are the stops of a region for red, green and blue: `luminance` / 100,
/// plus those of a colour of OKLCH with lightness 0.7, hue and chroma 0.1 · `saturation` / 100 against grey of its
/// luminance. Where regions differ so much that brighter tones would come out darker, they are compressed (`curve`).
///
/// Source of the regions: lift, gamma and gain of colour correctors, as functions of each channel.
public struct Grading: Filter {
  public static let id: FilterID = "grading"
  public static let phase = FilterPhase.color
  public static let summary = "Tints and lightens shadows, mids and highlights apart; split toning"

  /// What a wheel is for.
  public enum Region: String, CaseIterable, Sendable {
    case shadows, mids, highlights, global
  }

  public static let parameters =
    Region.allCases.flatMap(wheel) + [
      Parameter(
        \Grading.blending, "blending", in: 0...100, step: 1, neutral: 50, flag: "grade-blending",
        "How far the regions overlap"),
      Parameter(
        \Grading.balance, "balance", in: -100...100, step: 1, neutral: 0, flag: "grade-balance",
        "More shadows (negative) or more highlights"),
    ]

  private static func wheel(_ region: Region) -> [Parameter] {
    let name = region.rawValue
    let title = name.prefix(1).uppercased() + name.dropFirst()
    let place = region == .global ? "all tones" : name
    return [
      Parameter(
        \Grading[region].hue, "\(name)-hue", title: "\(title) hue", in: 0...360, step: 1, neutral: 0,
        unit: .degrees, flag: "grade-\(name)-hue",
        "Hue of the tint of \(place) in OKLCH: red 29, yellow 110, teal 195, blue 264"),
      Parameter(
        \Grading[region].saturation, "\(name)-saturation", title: "\(title) saturation", in: 0...100, step: 1,
        neutral: 0, flag: "grade-\(name)-saturation", "Strength of the tint of \(place)"),
      Parameter(
        \Grading[region].luminance, "\(name)-luminance", title: "\(title) luminance", in: -100...100, step: 1,
        neutral: 0, flag: "grade-\(name)-luminance", "Light of \(place); 100 is a stop more"),
    ]
  }

  /// The tint and the light of a region.
  public struct Wheel: Sendable, Hashable {
    /// Of OKLCH, 0…360 °.
    public var hue: Float
    /// 0…100.
    public var saturation: Float
    /// -100…100: a stop less … a stop more.
    public var luminance: Float

    public init(hue: Float = 0, saturation: Float = 0, luminance: Float = 0) {
      (self.hue, self.saturation, self.luminance) = (hue, saturation, luminance)
    }

    fileprivate var isNeutral: Bool { saturation == 0 && luminance == 0 }

    /// Stops for red, green and blue.
    fileprivate var stops: SIMD3<Double> {
      let light = SIMD3(repeating: Double(luminance) / 100)
      guard saturation != 0 else { return light }
      let lab = OKLab.lab(fromLCH: SIMD3(0.7, 0.1 * Double(saturation) / 100, Double(hue)))
      let xyz = OKLab.toXYZ(lab)
      // Within Rec. 2020 all channels of this chroma have light.
      let rgb = PlanBuilder.workingSpace.toXYZ.inverse * xyz / xyz.y
      return light + SIMD3(log2(rgb.x), log2(rgb.y), log2(rgb.z))
    }
  }

  public var shadows, mids, highlights, global: Wheel
  public subscript(region: Region) -> Wheel {
    get {
      switch region {
      case .shadows: shadows
      case .mids: mids
      case .highlights: highlights
      case .global: global
      }
    }
    set {
      switch region {
      case .shadows: shadows = newValue
      case .mids: mids = newValue
      case .highlights: highlights = newValue
      case .global: global = newValue
      }
    }
  }

  /// 0…100: how wide the steps between regions are.
  public var blending: Float
  /// -100…100; above 0 highlights reach further down.
  public var balance: Float

  public init() { self.init(shadows: Wheel()) }
  public init(
    shadows: Wheel = Wheel(), mids: Wheel = Wheel(), highlights: Wheel = Wheel(), global: Wheel = Wheel(),
    blending: Float = 50, balance: Float = 0
  ) {
    (self.shadows, self.mids, self.highlights, self.global) = (shadows, mids, highlights, global)
    (self.blending, self.balance) = (blending, balance)
  }

  /// Scales tints and light; hues and regions stay where they are.
  public func scaled(by strength: Double) -> Grading {
    var scaled = self
    for region in Region.allCases {
      scaled[region].saturation *= Float(strength)
      scaled[region].luminance *= Float(strength)
    }
    return scaled
  }

  public func lower(into plan: inout PlanBuilder) {
    guard !Region.allCases.allSatisfy({ self[$0].isNeutral }) else { return }
    let (all, low, middle, high) = (global.stops, shadows.stops, mids.stops, highlights.stops)
    let curves = (0..<3).map { channel in
      curve(all[channel], shadows: low[channel], mids: middle[channel], highlights: high[channel])
    }
    plan.curves(LightCurves(.channels(curves[0], curves[1], curves[2]), text: text))
  }

  /// The curve of a channel with these stops.
  ///
  /// In stops of light, its slope is 1 plus that of the exponent. A slope s below 0.3 becomes 0.3 · e^(s / 0.3 - 1), which
  /// is above 0, from middle grey outwards.
  private func curve(_ all: Double, shadows: Double, mids: Double, highlights: Double) -> LightCurve {
    let width = 0.1 + 0.8 * Double(blending) / 100
    let shift = -0.25 * Double(balance) / 100
    let (low, high) = (1.0 / 3 + shift, 2.0 / 3 + shift)
    let exponents = LightCurve.encodedNodes.map { e -> Double in
      let above = ToneCurve.smoothStep(low - width / 2, low + width / 2, e)
      let bright = ToneCurve.smoothStep(high - width / 2, high + width / 2, e)
      return all + (1 - above) * shadows + (above - bright) * mids + bright * highlights
    }
    let last = exponents.count - 1
    // Samples are at squares.
    let inputs = (0...last).map { 2 * log2(Double($0) / Double(last)) }
    var outputs = zip(inputs, exponents).map { $0 + $1 }
    func step(_ a: Int, _ b: Int) -> Double {
      let run = inputs[b] - inputs[a]
      let slope = 1 + (exponents[b] - exponents[a]) / run
      return run * (slope < 0.3 ? 0.3 * exp(slope / 0.3 - 1) : slope)
    }
    let grey = Int((0.18.squareRoot() * Double(last)).rounded())
    for index in grey..<last { outputs[index + 1] = outputs[index] + step(index, index + 1) }
    for index in (1..<grey).reversed() { outputs[index] = outputs[index + 1] - step(index, index + 1) }
    return LightCurve(
      samples: outputs.indices.map { $0 == 0 ? 0 : Float(exp2(outputs[$0])) }, above: exp2(outputs[last]))
  }

  /// `grading shadows 195° 40, highlights 55° 30 luminance 10, balance -20`
  private var text: String {
    let wheels = Region.allCases.filter { !self[$0].isNeutral }.map { region -> String in
      let wheel = self[region]
      let tint = "\(PlainNumber.short(wheel.hue))° \(PlainNumber.short(wheel.saturation))"
      return [
        region.rawValue, wheel.saturation == 0 ? "" : tint,
        wheel.luminance == 0 ? "" : "luminance \(PlainNumber.short(wheel.luminance))",
      ].filter { !$0.isEmpty }.joined(separator: " ")
    }
    let shape = [("blending", blending, Float(50)), ("balance", balance, 0)].filter { $0.1 != $0.2 }
      .map { "\($0.0) \(PlainNumber.short($0.1))" }
    return "grading " + (wheels + shape).joined(separator: ", ")
  }
}
