import FrameCore

/// What the four channels of a spatial recording are.
///
/// Its text is `ambix`, `fuma`, or the capsules of an array as `TetrahedralArray` reads them.
public enum SpatialArrangement: Sendable, Hashable, Codable {
  /// Ambisonics already, such as from a microphone that converts by itself.
  case ambisonic(AmbisonicFormat)
  /// The capsules of an array, which become ambisonics (A-format).
  case capsules(TetrahedralArray)

  /// Reads `ambix`, `fuma`, or the capsules of an array, such as `type1,radius=14.7mm`.
  ///
  /// - Throws: `SafelightError` that names what is wrong.
  public init(_ text: String) throws {
    let name = text.prefix { $0 != "," }
    if let format = AmbisonicFormat(rawValue: String(name)) {
      guard name.count == text.count else {
        throw SafelightError(
          .invalidValue,
          "\(name) is no array of capsules, so it has no “\(text[name.endIndex...].dropFirst())”",
          remedy: "give \(name) alone, or type1 or type2 with it")
      }
      self = .ambisonic(format)
    } else {
      self = .capsules(try TetrahedralArray(text))
    }
  }

  /// What `init(_:)` reads; without measured responses, which have no text.
  public var text: String {
    switch self {
    case .ambisonic(let format): format.rawValue
    case .capsules(let array): array.text
    }
  }

  /// The layout of the channels as they come from the device.
  public var layout: ChannelLayout {
    switch self {
    case .ambisonic(let format): format.layout
    case .capsules: .discrete(4)
    }
  }

  /// - Throws: `SafelightError` for a number of channels other than four, with what can be done instead.
  public static func check(channelCount: Int) throws {
    guard channelCount == 4 else {
      throw TetrahedralArray.wrongCount(channelCount, channelCount == 1 ? "channel" : "channels")
    }
  }
}
