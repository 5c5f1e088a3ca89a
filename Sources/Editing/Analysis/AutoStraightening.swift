import FilterGraph
import Filters
import FrameAnalysis
import Libc

/// Whether a photo is to be straightened, and by how much, as its horizon says.
public struct AutoStraightening: Sendable, Hashable {
  public let horizon: Horizon
  /// How far the photo is to be turned beyond what its recipe does already, clockwise degrees in steps of 0.1; nil
  /// where it is better left as it is.
  public let angle: Float?

  /// What is left to turn at the recipe's end, sure or not; nil without a horizon.
  private let rest: Double?
  /// Whether one `Straighten` can turn as far as that, with what the recipe turns by.
  private let isWithinReach: Bool

  /// A turn by less, or by less than the angle is exact, blurs more than it levels.
  private static let leastAngle = 0.1

  /// - Parameter recipe: what the photo goes through besides: a mirrored one leans the other way, and one that is
  ///   turned by a small angle already needs the rest.
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

  /// The recipe with the turn in it.
  ///
  /// A recipe that turns already gets one `Straighten` for all, where its first is and with the corners of its last: two
  /// would crop twice.
  public func joined(to recipe: Recipe) -> Recipe {
    guard let angle else { return recipe }
    var joined = recipe
    let (sum, corners) = Self.turn(joining: Double(angle), to: recipe)
    // Steps that angles are written in, not what adding floats leaves.
    let turn = Straighten(Float((sum * 1e4).rounded() / 1e4), corners: corners)
    let place = joined.filters.firstIndex { $0 is Straighten } ?? joined.filters.endIndex
    joined.filters.removeAll { $0 is Straighten }
    if turn.angle != 0 { joined.filters.insert(turn, at: place) }
    return joined
  }

  /// What a recipe's first `Straighten` turns by when it does the work of all, and of a turn at the end.
  private static func turn(
    joining rest: Double, to recipe: Recipe
  ) -> (angle: Double, corners: Straighten.Corners) {
    var (sum, pending) = (0.0, rest)
    var corners: Straighten.Corners?
    // From the end, as seen from each place: a turn before a flip does what the opposite one does after it.
    for filter in recipe.filtersInPlanOrder.reversed() {
      if (filter as? Flip)?.mirrors == true { pending = -pending }
      guard let turn = filter as? Straighten else { continue }
      pending += Double(turn.angle)
      (sum, corners) = (pending, corners ?? turn.corners)
    }
    return corners.map { (sum, $0) } ?? (rest, .crop)
  }

  /// One line for people: `straightened by -2.3° (0.91: verticals, horizontals)`.
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
