/// The evidence for a horizon, so that it can be drawn and listed.
///
/// Positions are in the displayed picture, as fractions of its long edge from the top left corner, y down: a 3:2
/// picture extends from (0, 0) to (1, 0.667).
public struct HorizonEvidence: Sendable, Hashable, Codable {
  /// A straight edge from one end to the other.
  public struct Line: Sendable, Hashable, Codable {
    public var from: SIMD2<Double>
    public var to: SIMD2<Double>
    public var role: Role

    public init(from: SIMD2<Double>, to: SIMD2<Double>, role: Role) {
      self.from = from
      self.to = to
      self.role = role
    }
  }

  /// What a straight edge was taken for.
  public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
    /// Upright in the world.
    case upright
    /// Level in the world.
    case level
    /// Neither, as far as can be determined.
    case other
  }

  /// Where lines that are parallel in the world meet in the picture.
  public struct VanishingPoint: Sendable, Hashable, Codable {
    public var role: Role
    /// The direction from the picture's centre, in degrees counter-clockwise from right.
    public var direction: Double
    /// Nil if it is farther than a hundred long edges: the lines are parallel in the picture as well.
    public var position: SIMD2<Double>?
    /// The weight of the lines that meet there, 0…1.
    public var strength: Double
  }

  /// The edges found, longest first.
  public var lines: [Line] = []
  /// The vanishing points of upright and level lines.
  public var vanishingPoints: [VanishingPoint] = []
  /// The straight boundary between sea, sky and land, from one side of the picture to the other.
  public var boundary: Line?
  /// The clockwise turn that levels the picture according to the camera's own level, in degrees.
  public var gravityDegrees: Double?

  public init() {}
}
