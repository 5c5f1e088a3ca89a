import FilterGraph
import FrameCore

/// Turns the picture clockwise by quarter turns.
public struct Rotate: Filter {
  public static let id: FilterID = "rotate"
  public static let phase = FilterPhase.orientation
  public static let summary = "Turns clockwise by quarter turns"
  public static let parameters = [
    Parameter(
      choice: \Rotate.turn, "degrees", title: "Rotation", neutral: Turn.none, flag: "rotate",
      "Clockwise quarter turns, in degrees")
  ]

  /// A quarter turn, clockwise, in degrees.
  public enum Turn: Int, ParameterChoice {
    case none = 0
    case clockwise = 90
    case halfTurn = 180
    case counterclockwise = 270

    public static let hint: String? = "use --straighten for small angles"
    public var title: String {
      switch self {
      case .none: "None"
      case .clockwise: "90° clockwise"
      case .halfTurn: "Half turn"
      case .counterclockwise: "90° counterclockwise"
      }
    }
  }

  public var turn: Turn

  public init() { self.init(.none) }
  public init(_ turn: Turn) { self.turn = turn }

  public func lower(into plan: inout PlanBuilder) throws {
    let orientation = Orientation(mirrored: false, quarterTurns: turn.rawValue / 90)
    try plan.geometry { Geometry(orientation: orientation, size: $0) }
  }
}
