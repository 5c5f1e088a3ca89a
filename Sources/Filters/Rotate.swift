import FilterGraph
import FrameCore

/// Turns the picture clockwise by quarter turns.
public struct Rotate: Filter {
  public static let id: FilterID = "rotate"
  public static let phase = FilterPhase.orientation
  public static let summary = "Turns clockwise by quarter turns"
  public static let parameters = [
    Parameter(
      \Rotate.turn, "degrees", neutral: Turn.none, flag: "rotate", "Clockwise quarter turns, in degrees")
  ]

  public enum Turn: Int, ParameterText, CaseIterable {
    case none = 0
    case clockwise = 90
    case halfTurn = 180
    case counterclockwise = 270

    public static let syntax = "90|180|270"
    public init(parameterText text: String) throws {
      guard let degrees = Int(text), let turn = Self(rawValue: degrees) else {
        throw SafelightError(
          .invalidValue, "Cannot rotate by “\(text)”",
          remedy: "give 90, 180 or 270; small angles are --straighten's")
      }
      self = turn
    }
    public var parameterText: String { "\(rawValue)" }
  }

  public var turn: Turn

  public init() { self.init(.none) }
  public init(_ turn: Turn) { self.turn = turn }

  public func lower(into plan: inout PlanBuilder) throws {
    let orientation = Orientation(mirrored: false, quarterTurns: turn.rawValue / 90)
    try plan.geometry { Geometry(orientation: orientation, size: $0) }
  }
}
