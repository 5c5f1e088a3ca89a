import FilterGraph

/// Chooses whether camera raws get the sharpening and the noise reduction that their sensitivity needs; pictures that were
/// made for a display, such as JPEGs, have had theirs.
///
/// `SceneDetail` has the amounts. What Sharpening and Noise reduction ask for comes on top.
public struct RawDetail: Filter {
  public static let id: FilterID = "raw-detail"
  public static let title = "Detail of raws"
  public static let phase = FilterPhase.detail
  public static let summary = "Chooses whether camera raws are sharpened and denoised automatically"
  public static let parameters = [
    Parameter(
      choice: \RawDetail.choice, "choice", neutral: Choice.automatic, flag: "raw-detail",
      "Sharpening and noise reduction of camera raws, by their ISO")
  ]

  /// What raws get.
  public enum Choice: String, ParameterChoice {
    /// By the sensitivity that the file states.
    case automatic
    case none

    public var title: String {
      switch self {
      case .automatic: "Automatic"
      case .none: "None"
      }
    }
  }

  public var choice: Choice

  public init() { self.init(.automatic) }
  public init(_ choice: Choice) { self.choice = choice }

  /// A choice has no strength.
  public func scaled(by strength: Double) -> RawDetail { self }

  public func lower(into plan: inout PlanBuilder) { plan.sceneDetail(isAutomatic: choice == .automatic) }
}
