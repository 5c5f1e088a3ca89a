import FilterGraph
import FrameCore

extension Film {
  public typealias Gamma = ChannelNumbers<FilmQuantities.Gamma>
  public typealias Inhibition = ChannelNumbers<FilmQuantities.Inhibition>
  public typealias Dyes = ChannelNumbers<FilmQuantities.Dyes>
  public typealias Black = ChannelNumbers<FilmQuantities.Black>
  public typealias Middle = ChannelNumbers<FilmQuantities.Middle>
  public typealias White = ChannelNumbers<FilmQuantities.White>
}

/// What the numbers of films may be.
public enum FilmQuantities {
  /// Densities per tenfold light, 0.2…2.
  public enum Gamma: ChannelQuantity {
    public static let name = "film.gamma"
    public static let range = 0.2...2.0
  }
  /// Shares of a difference in density, 0…0.5.
  public enum Inhibition: ChannelQuantity {
    public static let name = "film.inhibition"
    public static let range = 0.0...0.5
  }
  /// Shares of a dye's density, 0…0.5.
  public enum Dyes: ChannelQuantity {
    public static let name = "film.dyes"
    public static let range = 0.0...0.5
  }
  /// Percent of white, encoded as sRGB, 0…40.
  public enum Black: ChannelQuantity {
    public static let name = "film.black"
    public static let range = 0.0...40.0
  }
  /// EV, -2…2.
  public enum Middle: ChannelQuantity {
    public static let name = "film.middle"
    public static let range = -2.0...2.0
  }
  /// Percent of white, encoded as sRGB, 60…100.
  public enum White: ChannelQuantity {
    public static let name = "film.white"
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
    let shares = try ChannelText.numbers(text, of: "film.sensitivity")
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
      ChannelText.text([red, green, blue])
    }
  }
}
