import ColorScience
import FilterGraph
import FrameCore

/// Declares that a photo or a video is log footage: its samples are those of a camera's log encoding, whatever its tags
/// say.
///
///     light = decode(sample)        by the maker's formula, on the camera's primaries
///
/// Light of 100 % reflectance becomes white, and what is brighter clips unless an exposure, a tone or a table takes it
/// down. A table that expects the same encoding receives the samples unchanged.
///
/// Source: the makers' formulas, which `LogEncoding` names.
public struct InputEncoding: Filter {
  public static let id: FilterID = "input-encoding"
  public static let phase = FilterPhase.input
  public static let summary = "Reads the picture's samples as log footage of a camera"
  public static let parameters = [
    Parameter(
      choice: \InputEncoding.encoding, "encoding", neutral: Footage.tagged, flag: "input-encoding",
      "Log encoding of the picture's samples")
  ]

  /// What the picture's samples are.
  public enum Footage: Sendable, Hashable, ParameterChoice {
    /// What the file's profile or tags say.
    case tagged
    case log(LogEncoding)

    public static let allCases: [Footage] = [.tagged] + LogEncoding.allCases.map(Footage.log)

    public var parameterText: String {
      switch self {
      case .tagged: "tagged"
      case .log(let log): log.rawValue
      }
    }

    public var title: String {
      switch self {
      case .tagged: "As tagged"
      case .log(let log): log.title
      }
    }

    public var otherNames: [String] {
      switch self {
      case .tagged: []
      case .log(let log): log.otherNames
      }
    }

    public static var hint: String? { LogEncoding.hint }
  }

  public var encoding: Footage

  public init() { self.init(.tagged) }
  public init(_ encoding: Footage) { self.encoding = encoding }

  /// An encoding has no strength.
  public func scaled(by strength: Double) -> InputEncoding { self }

  public func lower(into plan: inout PlanBuilder) throws {
    guard case .log(let log) = encoding else { return }
    try plan.declareInput(log)
  }
}

extension LogEncoding {
  /// Names without hyphens, as in many menus.
  var otherNames: [String] { [rawValue.replacing("-", with: "")] }

  /// Why an encoding that users look for is missing.
  static let hint = "DJI has not published D-Log M, so it is not among them"
}
