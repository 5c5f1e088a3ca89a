import ColorScience
import FilterGraph
import FrameCore
import Libc

/// The grade of a Color Decision List of the ASC: slope, offset, power and saturation.
///
///     v   = clip(in · slope + offset, 0, 1) ^ power                       each channel
///     out = luma + saturation · (v - luma),  luma = 0.2126 r + 0.7152 g + 0.0722 b
///
/// on samples in the encoding that the grade was made for: a list does not say which. It clips at black and white, as the
/// standard has it.
///
/// Source: ASC Color Decision List (ASC CDL) Transfer Functions and Interchange Syntax, release 1.2.
public struct CDL: Filter {
  public static let id: FilterID = "cdl"
  public static let title = "ASC CDL"
  public static let phase = FilterPhase.color
  public static let summary = "A grade of the ASC's Color Decision Lists: slope, offset, power, saturation"
  public static let parameters = [
    Parameter(
      \CDL.slope, "slope", neutral: Slope(1), flag: "cdl-slope",
      "Factor of red, green and blue, such as 1.1,1,0.9"),
    Parameter(
      \CDL.offset, "offset", neutral: Offset(0), flag: "cdl-offset",
      "What is added to red, green and blue, such as 0.02,0,-0.01"),
    Parameter(
      \CDL.power, "power", neutral: Power(1), flag: "cdl-power",
      "Exponent of red, green and blue, such as 1,0.95,1.1"),
    Parameter(
      \CDL.saturation, "saturation", in: 0...4, slider: 0...2, step: 0.01, neutral: 1, flag: "cdl-saturation",
      "Factor of saturation; 0 is grey"),
    Parameter(
      choice: \CDL.encoding, "encoding", neutral: LUT.Encoding.sRGB, flag: "cdl-encoding",
      "Encoding of the samples that the grade was made on"),
  ]

  /// Factors, 0…100.
  public enum SlopeMeaning: ChannelQuantity {
    public static let name = "cdl-slope"
    public static let range = 0.0...100.0
  }

  /// What is added, -10…10, 1 being white.
  public enum OffsetMeaning: ChannelQuantity {
    public static let name = "cdl-offset"
    public static let range = -10.0...10.0
  }

  /// Exponents, 0.01…100.
  public enum PowerMeaning: ChannelQuantity {
    public static let name = "cdl-power"
    public static let range = 0.01...100.0
  }

  public typealias Slope = ChannelNumbers<SlopeMeaning>
  public typealias Offset = ChannelNumbers<OffsetMeaning>
  public typealias Power = ChannelNumbers<PowerMeaning>

  public var slope: Slope
  public var offset: Offset
  public var power: Power
  /// 0…4; 1 changes nothing.
  public var saturation: Float
  public var encoding: LUT.Encoding

  public init() { self.init(slope: Slope(1)) }
  public init(
    slope: Slope = Slope(1), offset: Offset = Offset(0), power: Power = Power(1), saturation: Float = 1,
    encoding: LUT.Encoding = .sRGB
  ) {
    (self.slope, self.offset, self.power) = (slope, offset, power)
    (self.saturation, self.encoding) = (saturation, encoding)
  }

  public func scaled(by strength: Double) -> CDL {
    CDL(
      slope: slope.scaled(from: 1, by: strength), offset: offset.scaled(from: 0, by: strength),
      power: power.scaled(from: 1, by: strength), saturation: 1 + (saturation - 1) * Float(strength),
      encoding: encoding)
  }

  /// Rec. 709's, whatever the encoding.
  private static let luma = SIMD3(0.2126, 0.7152, 0.0722)

  public func lower(into plan: inout PlanBuilder) throws {
    guard self != CDL(encoding: encoding) else { return }
    func curve(_ slope: Double, _ offset: Double, _ power: Double) -> LightCurve {
      LightCurve(above: 0) { pow(min(max($0 * slope + offset, 0), 1), power) }
    }
    let curves = LightCurves(
      .channels(
        curve(slope.red, offset.red, power.red), curve(slope.green, offset.green, power.green),
        curve(slope.blue, offset.blue, power.blue)),
      text: "cdl slope \(slope.parameterText) offset \(offset.parameterText) power \(power.parameterText)")
    let s = Double(saturation)
    try plan.samples(
      encodedAs: encoding.samples, curves: curves,
      matrix: Matrix3x3(
        rows: (1 - s) * Self.luma + SIMD3(s, 0, 0), (1 - s) * Self.luma + SIMD3(0, s, 0),
        (1 - s) * Self.luma + SIMD3(0, 0, s)))
  }
}
