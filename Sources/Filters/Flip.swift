import FilterGraph
import FrameCore

/// Mirrors the picture.
public struct Flip: Filter {
  public static let id: FilterID = "flip"
  public static let phase = FilterPhase.orientation
  public static let summary = "Mirrors left–right or top–bottom"
  public static let parameters = [
    Parameter(\Flip.axis, "axis", neutral: Axis.none, flag: "flip", "Mirror left–right (h) or top–bottom (v)")
  ]

  public enum Axis: String, ParameterText {
    case none
    /// Left and right exchanged.
    case horizontal = "h"
    /// Top and bottom exchanged.
    case vertical = "v"

    public static let syntax = "h|v"
    public init(parameterText text: String) throws {
      switch text {
      case "none": self = .none
      case "h", "horizontal": self = .horizontal
      case "v", "vertical": self = .vertical
      default:
        throw SafelightError(
          .invalidValue, "Cannot flip “\(text)”", remedy: "give h (left–right) or v (top–bottom)")
      }
    }
    public var parameterText: String { rawValue }
  }

  public var axis: Axis

  public init() { self.init(.none) }
  public init(_ axis: Axis) { self.axis = axis }

  public func lower(into plan: inout PlanBuilder) throws {
    let orientation: Orientation =
      switch axis {
      case .none: .up
      case .horizontal: .upMirrored
      case .vertical: .downMirrored
      }
    try plan.geometry { Geometry(orientation: orientation, size: $0) }
  }
}
