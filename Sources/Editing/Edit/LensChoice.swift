import FrameCore

/// Which lens's distortion and loss of light an edit undoes.
public enum LensChoice: Sendable, Hashable {
  /// That of the lens which the photo names.
  case automatic
  /// None, even if the recipe has one.
  case off
  /// That of the lens of a name in Lensfun's database.
  case named(String)

  /// - Parameter text: `auto`, `off` or a name.
  /// - Throws: `SafelightError` if there is none.
  public init(_ text: String) throws {
    switch text {
    case "auto": self = .automatic
    case "off", "none": self = .off
    case _ where text.contains { $0.isLetter || $0.isNumber }: self = .named(text)
    default:
      throw SafelightError(
        .invalidValue, "The lens “\(NearestName.shortened(text))” is no name",
        remedy: "give auto, off, or a lens such as “Canon EF 50mm f/1.8 STM”")
    }
  }

  /// As written on command lines.
  public var text: String {
    switch self {
    case .automatic: "auto"
    case .off: "off"
    case .named(let name): name
    }
  }
}
