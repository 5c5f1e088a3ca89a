import FrameCore

/// The tilt of a picture, as far as it can be determined.
public struct Horizon: Sendable, Hashable, Codable {
  /// The clockwise turn that levels the picture, in degrees, −45…45, as for `Straighten`. Positive if the horizon
  /// rises to the right. Nil if the picture contains no evidence.
  public var degrees: Double?
  /// One standard deviation of `degrees`, from the spread of the evidence; nil if there is no angle.
  public var deviation: Double?
  /// The probability that the angle is right to within a degree: 0…1.
  public var confidence: Double
  public var evidence: Evidence

  /// Below this confidence an angle is a guess, and the picture is better left unchanged.
  package static let acceptance = 0.5
  /// Above this deviation, in degrees, an angle from lines and boundaries is too vague: the turned picture would
  /// be as tilted as before. The camera's own level needs no lines.
  package static let largestDeviation = 0.47

  /// From this angle on, in degrees, an answer needs more confidence.
  private static let steep = 20.0
  private static let confidencePerSteepDegree = 0.01

  /// Whether the angle should be acted on: it is probably right, and exact enough.
  ///
  /// Both bounds were chosen in the evaluation (Benchmarks/Horizon). For photos turned by known angles, 95 of 100
  /// accepted answers follow the turn to within a degree; at most one in fifty pictures without a horizon is taken
  /// for one that has one; two of three that a person would straighten are accepted.
  public var isConfident: Bool { isAccepted(from: Self.acceptance) }

  /// `isConfident` with another minimum confidence.
  @_spi(HorizonEvaluation) public func isAccepted(from confidence: Double) -> Bool {
    guard let degrees else { return false }
    // A steep turn costs much of the picture, and few are intended, so it must be more certain.
    let steepness = max(abs(degrees) - Self.steep, 0)
    guard self.confidence >= confidence + Self.confidencePerSteepDegree * steepness else { return false }
    return evidence.kinds.contains(.gravity) || (deviation ?? .infinity) <= Self.largestDeviation
  }

  /// What the angle is based on.
  public struct Evidence: Sendable, Hashable, Codable {
    /// The kinds of evidence that agree with the angle.
    public var kinds: Set<Kind>
    /// The number of line segments examined.
    public var segmentCount: Int
    /// The number of line segments that agree with the angle.
    public var agreeingCount: Int

    /// The names of `kinds`, always in the same order.
    package var kindNames: [String] { Kind.allCases.filter(kinds.contains).map(\.rawValue) }
  }

  /// What a horizon was found by.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Upright lines meet at the zenith or the nadir.
    case verticals
    /// Level lines are parallel, or meet on the horizon.
    case horizontals
    /// One straight boundary crosses the picture, as between sea and sky.
    case boundary
    /// The camera's own level, as recorded in the file.
    case gravity
  }

  /// A result without an angle.
  package static func none(segmentCount: Int = 0) -> Horizon {
    Horizon(
      degrees: nil, deviation: nil, confidence: 0,
      evidence: Evidence(kinds: [], segmentCount: segmentCount, agreeingCount: 0))
  }
}
