import FilterGraph
import Filters
import FrameAnalysis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether a photo is to be straightened, and by how much, as its horizon says.
public struct AutoStraightening: Sendable, Hashable {
  public let horizon: Horizon
  /// What `Straighten` is to turn by, in steps of 0.1°; nil where the photo is better left as it is.
  public let angle: Float?

  /// A turn by less blurs more than it levels.
  private static let leastAngle = 0.1

  /// - Parameter recipe: what the photo goes through besides: a mirrored one leans the other way, and one that is
  ///   turned by a small angle already needs the rest.
  public init(_ sample: PhotoSample, joining recipe: Recipe = Recipe()) {
    self.init(PhotoHorizon(sample).horizon, joining: recipe)
  }

  public init(_ horizon: Horizon, joining recipe: Recipe = Recipe()) {
    self.horizon = horizon
    guard horizon.isConfident, var degrees = horizon.degrees else {
      angle = nil
      return
    }
    for filter in recipe.filters {
      if let flip = filter as? Flip, flip.axis != .none { degrees = -degrees }
    }
    for case let turn as Straighten in recipe.filters { degrees -= Double(turn.angle) }
    let rounded = (degrees * 10).rounded() / 10
    angle = abs(rounded) > Self.leastAngle && Straighten.range.contains(rounded) ? Float(rounded) : nil
  }

  /// One line for people: `straightened by -2.3° (0.91: verticals, horizontals)`.
  public var summary: String {
    guard let degrees = horizon.degrees else { return "not straightened: no horizon found" }
    let confidence = PlainNumber.fixed(horizon.confidence, 2)
    let evidence = Horizon.Kind.allCases.filter(horizon.evidence.kinds.contains).map(\.rawValue)
    let proof = "(\(([confidence + ":"] + [evidence.joined(separator: ", ")]).joined(separator: " ")))"
    if let angle { return "straightened by \(PlainNumber.fixed(Double(angle), 1))° \(proof)" }
    guard horizon.isConfident else {
      let exactness = horizon.deviation.map { " ± \(PlainNumber.fixed($0, 1))°" } ?? ""
      return
        "not straightened: not sure enough (\(confidence), would be \(PlainNumber.fixed(degrees, 1))°\(exactness))"
    }
    return "not straightened: level already \(proof)"
  }
}
