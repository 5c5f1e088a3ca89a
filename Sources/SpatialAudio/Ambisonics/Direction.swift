import Libc

/// Where sound comes from, seen from the listener.
///
/// Axes are those of AmbiX and SOFA: x to the front, y to the left, z up.
public struct Direction: Sendable, Hashable, Codable {
  /// Degrees counterclockwise seen from above: 0 is the front, 90 the left.
  public var azimuth: Double
  /// Degrees above the horizon, −90…90.
  public var elevation: Double

  public init(azimuth: Double, elevation: Double = 0) {
    (self.azimuth, self.elevation) = (azimuth, elevation)
  }

  /// The direction of a vector of any length; nil for one without a direction.
  public init?(_ vector: SIMD3<Double>) {
    let length = (vector * vector).sum().squareRoot()
    guard length > 0, length.isFinite else { return nil }
    azimuth = atan2(vector.y, vector.x).inDegrees
    // More precise near the poles than the arcsine.
    elevation = atan2(vector.z, (vector.x * vector.x + vector.y * vector.y).squareRoot()).inDegrees
  }

  /// The vector of length one.
  public var unitVector: SIMD3<Double> {
    let (a, e) = (azimuth.inRadians, elevation.inRadians)
    return SIMD3(cos(a) * cos(e), sin(a) * cos(e), sin(e))
  }

  /// Returns the angle between two directions in degrees, 0…180.
  public func angle(to other: Direction) -> Double {
    let (a, b) = (unitVector, other.unitVector)
    let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    return atan2((cross * cross).sum().squareRoot(), (a * b).sum()).inDegrees
  }
}

extension Double {
  var inRadians: Double { self * .pi / 180 }
  var inDegrees: Double { self * 180 / .pi }
}
