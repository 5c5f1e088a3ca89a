import FilterGraph
import FrameCore

/// What three numbers mean, and which they may be.
public protocol ChannelQuantity: Sendable, Hashable {
  /// As errors call it: `film.gamma`.
  static var name: String { get }
  static var range: ClosedRange<Double> { get }
}

/// Numbers for red, green and blue, or for the dyes that take these away.
public struct ChannelNumbers<Of: ChannelQuantity>: ParameterText {
  public var red, green, blue: Double

  public init(_ all: Double) { self.init(all, all, all) }
  public init(_ red: Double, _ green: Double, _ blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  public static var syntax: String { "R,G,B" }

  /// Three numbers between commas, or spaces, as the ASC's files have them.
  public init(parameterText text: String) throws {
    let numbers = try ChannelText.numbers(text, of: Of.name)
    self.init(numbers[0], numbers[1], numbers[2])
    try check()
  }

  public var parameterText: String { ChannelText.text([red, green, blue]) }

  var simd: SIMD3<Double> { SIMD3(red, green, blue) }

  func check() throws {
    // A NaN is in no range.
    for number in [red, green, blue] where !Of.range.contains(number) {
      let (least, most) = (Of.range.lowerBound, Of.range.upperBound)
      throw SafelightError(
        .invalidValue, "\(Of.name) has \(PlainNumber.text(number)), outside its range",
        remedy: "give numbers in \(PlainNumber.text(least))…\(PlainNumber.text(most))")
    }
  }

  /// At a fraction of the way from a neutral number.
  func scaled(from neutral: Double, by strength: Double) -> Self {
    func scaled(_ number: Double) -> Double { neutral + (number - neutral) * strength }
    return Self(scaled(red), scaled(green), scaled(blue))
  }
}

/// Three numbers as text.
enum ChannelText {
  static func numbers(_ text: String, of name: String) throws -> [Double] {
    let numbers = text.split { $0 == "," || $0 == " " }.map { Double($0) }
    guard numbers.count == 3, !numbers.contains(nil) else {
      throw SafelightError(
        .invalidValue, "\(name) is “\(NearestName.shortened(text))”, which is not three numbers",
        remedy: "write those of red, green and blue, such as 1.1,1,0.9")
    }
    return numbers.compactMap(\.self)
  }

  static func text(_ numbers: [Double]) -> String {
    numbers.map { PlainNumber.text($0) }.joined(separator: ",")
  }
}
