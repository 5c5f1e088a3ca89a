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

  /// What numbers of a list mean, and which it may have.
  public protocol Meaning: Sendable, Hashable {
    static var name: String { get }
    static var range: ClosedRange<Double> { get }
  }

  /// Factors, 0…100.
  public enum SlopeMeaning: Meaning {
    public static let name = "slope"
    public static let range = 0.0...100.0
  }

  /// What is added, -10…10, 1 being white.
  public enum OffsetMeaning: Meaning {
    public static let name = "offset"
    public static let range = -10.0...10.0
  }

  /// Exponents, 0.01…100.
  public enum PowerMeaning: Meaning {
    public static let name = "power"
    public static let range = 0.01...100.0
  }

  /// Numbers for red, green and blue.
  public struct Numbers<Of: Meaning>: ParameterText {
    public var red, green, blue: Double

    public init(_ all: Double) { self.init(all, all, all) }
    public init(_ red: Double, _ green: Double, _ blue: Double) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }

    public static var syntax: String { "R,G,B" }

    /// Three numbers between commas, or spaces, as the ASC's files have them.
    public init(parameterText text: String) throws {
      let numbers = text.split { $0 == "," || $0 == " " }.map { Double($0) }
      guard numbers.count == 3, let red = numbers[0], let green = numbers[1], let blue = numbers[2] else {
        throw SafelightError(
          .invalidValue, "cdl-\(Of.name) is “\(NearestName.shortened(text))”, which is not three numbers",
          remedy: "write those of red, green and blue, such as 1.1,1,0.9")
      }
      self.init(red, green, blue)
      try check()
    }

    public var parameterText: String {
      [red, green, blue].map { PlainNumber.text($0) }.joined(separator: ",")
    }

    func check() throws {
      // A NaN is in no range.
      for number in [red, green, blue] where !Of.range.contains(number) {
        throw SafelightError(
          .invalidValue, "cdl-\(Of.name) has \(PlainNumber.text(number)), outside its range",
          remedy:
            "give numbers in \(PlainNumber.text(Of.range.lowerBound))…\(PlainNumber.text(Of.range.upperBound))"
        )
      }
    }

    /// At a fraction of the way from a neutral number.
    fileprivate func scaled(from neutral: Double, by strength: Double) -> Self {
      func scaled(_ number: Double) -> Double { neutral + (number - neutral) * strength }
      return Self(scaled(red), scaled(green), scaled(blue))
    }
  }

  public typealias Slope = Numbers<SlopeMeaning>
  public typealias Offset = Numbers<OffsetMeaning>
  public typealias Power = Numbers<PowerMeaning>

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
