import FilterGraph
import Filters
import FrameAnalysis
import FrameCore
import Libc

/// Whether a photo should be straightened, and by how much, based on its horizon.
public struct AutoStraightening: Sendable, Hashable {
  public let horizon: Horizon
  /// The rotation to add to the recipe's own, in degrees clockwise, in steps of 0.1; nil if the photo is better
  /// left as it is.
  public let angle: Float?

  /// The rotation still missing at the end of the recipe, certain or not; nil without a horizon.
  private let rest: Double?
  /// Whether a single `Straighten` can cover it together with the recipe's own rotation.
  private let isWithinReach: Bool

  /// Rotations below this, or below the uncertainty of the angle, blur more than they level.
  private static let leastAngle = 0.1

  /// - Parameter recipe: the recipe that the photo goes through: a mirrored photo leans the other way, and one
  ///   already rotated by a small angle needs only the rest.
  public init(_ sample: PhotoSample, joining recipe: Recipe = Recipe()) {
    self.init(PhotoHorizon(sample).horizon, joining: recipe)
  }

  public init(_ horizon: Horizon, joining recipe: Recipe = Recipe()) {
    self.horizon = horizon
    guard var degrees = horizon.degrees else {
      (angle, rest, isWithinReach) = (nil, nil, true)
      return
    }
    for filter in recipe.filtersInPlanOrder {
      if let turn = filter as? Straighten { degrees -= Double(turn.angle) }
      if (filter as? Flip)?.mirrors == true { degrees = -degrees }
    }
    let rounded = (degrees * 10).rounded() / 10
    rest = rounded
    isWithinReach = Straighten.range.contains(Self.turn(joining: rounded, to: recipe).angle)
    let isWorthIt = abs(rounded) >= max(Self.leastAngle, horizon.deviation ?? 0)
    angle = horizon.isConfident && isWithinReach && isWorthIt ? Float(rounded) : nil
  }

  /// Returns the recipe with the rotation added.
  ///
  /// A recipe that already straightens gets a single `Straighten`, in the place of its first and with the corners
  /// of its last, since two would crop twice.
  public func joined(to recipe: Recipe) -> Recipe {
    guard let angle else { return recipe }
    var joined = recipe
    let (sum, corners) = Self.turn(joining: Double(angle), to: recipe)
    // Round to the steps in which angles are written, to remove floating-point error.
    let turn = Straighten(Float((sum * 1e4).rounded() / 1e4), corners: corners)
    let place = joined.filters.firstIndex { $0 is Straighten } ?? joined.filters.endIndex
    joined.filters.removeAll { $0 is Straighten }
    if turn.angle != 0 { joined.filters.insert(turn, at: place) }
    return joined
  }

  /// Returns the angle of the recipe's first `Straighten` if it does the work of them all and of a rotation at the
  /// end.
  private static func turn(
    joining rest: Double, to recipe: Recipe
  ) -> (angle: Double, corners: Straighten.Corners) {
    var (sum, pending) = (0.0, rest)
    var corners: Straighten.Corners?
    // Work backwards: a rotation before a flip has the effect of the opposite rotation after it.
    for filter in recipe.filtersInPlanOrder.reversed() {
      if (filter as? Flip)?.mirrors == true { pending = -pending }
      guard let turn = filter as? Straighten else { continue }
      pending += Double(turn.angle)
      (sum, corners) = (pending, corners ?? turn.corners)
    }
    return corners.map { (sum, $0) } ?? (rest, .crop)
  }

  /// One line for users: `straightened by -2.3° (0.91: verticals, horizontals)`.
  public var summary: String {
    guard let rest else { return "not straightened: no horizon found" }
    let confidence = PlainNumber.fixed(horizon.confidence, 2)
    let evidence = Horizon.Kind.allCases.filter(horizon.evidence.kinds.contains).map(\.rawValue)
    let proof = "(\(confidence)\(evidence.isEmpty ? "" : ": ")\(evidence.joined(separator: ", ")))"
    let turn = "\(PlainNumber.fixed(rest, 1))°"
    guard horizon.isConfident else {
      let exactness = horizon.deviation.map { " ± \(PlainNumber.fixed($0, 2))°" } ?? ""
      return "not straightened: not sure enough (\(confidence), would be \(turn)\(exactness))"
    }
    guard isWithinReach else {
      return
        "not straightened: leans by more than \(PlainNumber.text(Straighten.range.upperBound))°, by \(turn) \(proof)"
    }
    return angle == nil ? "not straightened: level already \(proof)" : "straightened by \(turn) \(proof)"
  }
}

extension Flip {
  fileprivate var mirrors: Bool { axis != .none }
}
