import FilterGraph
import FrameCore

/// Mirrors the picture.
public struct Flip: Filter {
  public static let id: FilterID = "flip"
  public static let phase = FilterPhase.orientation
  public static let summary = "Mirrors left–right or top–bottom"
  public static let parameters = [
    Parameter(
      choice: \Flip.axis, "axis", title: "Mirror", neutral: Axis.none, flag: "flip",
      "Mirror left–right (h) or top–bottom (v)")
  ]

  /// Which sides are exchanged.
  public enum Axis: String, ParameterChoice {
    case none
    /// Left and right exchanged.
    case horizontal = "h"
    /// Top and bottom exchanged.
    case vertical = "v"

    public var title: String {
      switch self {
      case .none: "None"
      case .horizontal: "Left–right"
      case .vertical: "Top–bottom"
      }
    }
    public var otherNames: [String] {
      switch self {
      case .none: []
      case .horizontal: ["horizontal"]
      case .vertical: ["vertical"]
      }
    }
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
