import FilterGraph
import FrameCore

/// What three numbers of a film mean, and which they may be.
public protocol FilmQuantity: Sendable, Hashable {
  static var name: String { get }
  static var range: ClosedRange<Double> { get }
}

extension Film {
  /// Numbers for red, green and blue, or for the dyes that take these away.
  public struct Numbers<Of: FilmQuantity>: ParameterText {
    public var red, green, blue: Double

    public init(_ all: Double) { self.init(all, all, all) }
    public init(_ red: Double, _ green: Double, _ blue: Double) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }

    public static var syntax: String { "R,G,B" }

    public init(parameterText text: String) throws {
      let numbers = try FilmText.numbers(text, of: Of.name)
      // A NaN is in no range.
      for number in numbers where !Of.range.contains(number) {
        let (least, most) = (Of.range.lowerBound, Of.range.upperBound)
        throw SafelightError(
          .invalidValue, "film.\(Of.name) has \(PlainNumber.text(number)), outside its range",
          remedy: "give numbers in \(PlainNumber.text(least))…\(PlainNumber.text(most))")
      }
      self.init(numbers[0], numbers[1], numbers[2])
    }

    public var parameterText: String {
      [red, green, blue].map { PlainNumber.text($0) }.joined(separator: ",")
    }

    var simd: SIMD3<Double> { SIMD3(red, green, blue) }
  }

  public typealias Gamma = Numbers<FilmQuantities.Gamma>
  public typealias Inhibition = Numbers<FilmQuantities.Inhibition>
  public typealias Dyes = Numbers<FilmQuantities.Dyes>
  public typealias Black = Numbers<FilmQuantities.Black>
  public typealias Middle = Numbers<FilmQuantities.Middle>
  public typealias White = Numbers<FilmQuantities.White>
}

/// What the numbers of films may be.
public enum FilmQuantities {
  /// Densities per tenfold light, 0.2…2.
  public enum Gamma: FilmQuantity {
    public static let name = "gamma"
    public static let range = 0.2...2.0
  }
  /// Shares of a difference in density, 0…0.5.
  public enum Inhibition: FilmQuantity {
    public static let name = "inhibition"
    public static let range = 0.0...0.5
  }
  /// Shares of a dye's density, 0…0.5.
  public enum Dyes: FilmQuantity {
    public static let name = "dyes"
    public static let range = 0.0...0.5
  }
  /// Percent of white, encoded as sRGB, 0…40.
  public enum Black: FilmQuantity {
    public static let name = "black"
    public static let range = 0.0...40.0
  }
  /// EV, -2…2.
  public enum Middle: FilmQuantity {
    public static let name = "middle"
    public static let range = -2.0...2.0
  }
  /// Percent of white, encoded as sRGB, 60…100.
  public enum White: FilmQuantity {
    public static let name = "white"
    public static let range = 60.0...100.0
  }
}

/// Which light a film sees: `color`, or the shares of red, green and blue in the one grey of a black and white film, such
/// as `0.25,0.6,0.15`.
public enum FilmSensitivity: ParameterText {
  case color
  /// Shares of linear Rec. 2020, -2…2 each, whose sum is at least 0.1; only their proportions count.
  case panchromatic(red: Double, green: Double, blue: Double)

  public static var syntax: String { "color|R,G,B" }

  public init(parameterText text: String) throws {
    guard text != "color" else {
      self = .color
      return
    }
    let shares = try FilmText.numbers(text, of: "sensitivity")
    guard shares.allSatisfy({ (-2...2).contains($0) }), shares.reduce(0, +) >= 0.1 else {
      throw SafelightError(
        .invalidValue, "film.sensitivity is \(NearestName.shortened(text)), which sees no grey",
        remedy: "give shares in -2…2 whose sum is at least 0.1, such as 0.25,0.6,0.15")
    }
    self = .panchromatic(red: shares[0], green: shares[1], blue: shares[2])
  }

  public var parameterText: String {
    switch self {
    case .color: "color"
    case .panchromatic(let red, let green, let blue):
      [red, green, blue].map { PlainNumber.text($0) }.joined(separator: ",")
    }
  }
}

/// Three numbers as text.
enum FilmText {
  static func numbers(_ text: String, of name: String) throws -> [Double] {
    let numbers = text.split { $0 == "," || $0 == " " }.compactMap { Double($0) }
    guard numbers.count == 3, text.split(whereSeparator: { $0 == "," || $0 == " " }).count == 3 else {
      throw SafelightError(
        .invalidValue, "film.\(name) is “\(NearestName.shortened(text))”, which is not three numbers",
        remedy: "write those of red, green and blue, such as 0.6,0.6,0.55")
    }
    return numbers
  }
}
