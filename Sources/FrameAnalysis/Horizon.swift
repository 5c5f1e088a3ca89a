import FrameCore

/// How a picture is tilted, as far as it tells.
public struct Horizon: Sendable, Hashable, Codable {
  /// The clockwise turn that levels the picture, degrees, −45…45: what `Straighten` takes. Positive where the horizon
  /// rises to the right. Nil where the picture shows nothing that tells.
  public var degrees: Double?
  /// One standard deviation of `degrees`, as the evidence spreads; nil where there is no angle.
  public var deviation: Double?
  /// How likely the angle is right to a degree: 0…1.
  public var confidence: Double
  public var evidence: Evidence

  /// Below this confidence an angle is a guess, and pictures are better left as they are.
  public static let acceptance = 0.5
  /// Beyond this deviation, degrees, an angle that lines and boundaries tell is too vague: a picture turned by it would be
  /// as tilted as before. The camera's own level needs no lines.
  public static let largestDeviation = 0.47

  /// From this angle on, degrees, an answer needs more confidence.
  private static let steep = 20.0
  private static let confidencePerSteepDegree = 0.01

  /// Whether the angle should be acted on: it is likely right, and exact enough.
  ///
  /// Both bounds were chosen in the evaluation (Benchmarks/Horizon). Of photos that are turned by known angles, the
  /// answers that are acted on follow the turn to a degree in 95 of 100; one picture in fifty that has no horizon, or less,
  /// is taken for one that has; two of three that a person would straighten are accepted.
  public var isConfident: Bool { isAccepted(from: Self.acceptance) }

  /// `isConfident` for another least confidence.
  @_spi(HorizonEvaluation) public func isAccepted(from confidence: Double) -> Bool {
    guard let degrees else { return false }
    // A steep turn costs much of the picture, and few are meant: it must be surer.
    let steepness = max(abs(degrees) - Self.steep, 0)
    guard self.confidence >= confidence + Self.confidencePerSteepDegree * steepness else { return false }
    return evidence.kinds.contains(.gravity) || (deviation ?? .infinity) <= Self.largestDeviation
  }

  /// What the angle rests on.
  public struct Evidence: Sendable, Hashable, Codable {
    /// The kinds of things that agree with the angle.
    public var kinds: Set<Kind>
    /// The number of line segments looked at.
    public var segmentCount: Int
    /// The number of line segments that agree with the angle.
    public var agreeingCount: Int
  }

  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Upright lines meet at the zenith or the nadir.
    case verticals
    /// Level lines are parallel, or meet on the horizon.
    case horizontals
    /// One straight boundary crosses the picture, as between sea and sky.
    case boundary
    /// The camera's own level, as the file tells it.
    case gravity
  }

  /// No angle.
  public static func none(segmentCount: Int = 0) -> Horizon {
    Horizon(
      degrees: nil, deviation: nil, confidence: 0,
      evidence: Evidence(kinds: [], segmentCount: segmentCount, agreeingCount: 0))
  }
}
