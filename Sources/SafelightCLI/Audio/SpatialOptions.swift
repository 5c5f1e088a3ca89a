import ArgumentParser
import Safelight

extension AmbisonicFormat: ExpressibleByArgument {
  /// In any case.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

/// What a microphone's four channels are, and the ambisonics that become of them.
struct SpatialOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Make ambisonics of four channels, in this order", valueName: "format"))
  var spatial: AmbisonicFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the four channels are: type1 or type2, with radius=15mm and more; ambix; fuma (default: type1)",
      valueName: "capsules"),
    completion: .list(["type1", "type2", "ambix", "fuma"]), transform: SpatialOptions.arrangement)
  var capsules: SpatialArrangement?

  mutating func validate() throws {
    guard capsules == nil || spatial != nil else {
      throw ValidationError("--capsules has no effect without --spatial; give --spatial ambix, or neither.")
    }
  }

  /// What the four channels are; nil if they are not to become ambisonics.
  var arrangement: SpatialArrangement? { spatial.map { _ in capsules ?? .capsules(.typeI) } }

  /// Rejects a number of channels that ambisonics cannot be made of.
  ///
  /// - Throws: `ValidationError`.
  func check(channels: Int?) throws {
    guard spatial != nil, let channels else { return }
    do {
      try SpatialArrangement.check(channelCount: channels)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }

  static func arrangement(_ text: String) throws -> SpatialArrangement {
    do {
      return try SpatialArrangement(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }
}
