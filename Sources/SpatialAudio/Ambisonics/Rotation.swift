import FrameCore
import Libc

/// A rotation of space, such as that of a sound scene, a head or a microphone.
public struct Rotation: Sendable, Hashable {
  /// The unit quaternion x, y, z, w.
  let quaternion: SIMD4<Double>

  public static let identity = Rotation(unit: SIMD4(0, 0, 0, 1))

  private init(unit: SIMD4<Double>) { quaternion = unit }

  /// Turns by roll about x, then pitch, then yaw.
  ///
  /// - Parameters:
  ///   - yaw: Degrees to the left, about z.
  ///   - pitch: Degrees upwards: what was in front rises.
  ///   - roll: Degrees clockwise as seen by the listener: what was left rises.
  public init(yaw: Double, pitch: Double = 0, roll: Double = 0) {
    func about(_ x: Double, _ y: Double, _ z: Double, _ degrees: Double) -> Rotation {
      let half = degrees.inRadians / 2
      return Rotation(unit: SIMD4(SIMD3(x, y, z) * sin(half), cos(half)))
    }
    // About +y, the front would sink.
    self = about(1, 0, 0, roll).followed(by: about(0, -1, 0, pitch)).followed(by: about(0, 0, 1, yaw))
  }

  /// - Parameter quaternion: x, y, z, w, of any length but zero.
  /// - Throws: `SafelightError` if it has no direction.
  public init(quaternion: SIMD4<Double>) throws {
    let length = (quaternion * quaternion).sum().squareRoot()
    guard length > 1e-9, length.isFinite else {
      throw SafelightError(
        .invalidValue, "The quaternion \(quaternion) is no rotation", remedy: "give one of length 1")
    }
    self.quaternion = quaternion / length
  }

  /// - Parameter rows: An orthonormal matrix without a reflection; vectors are columns at its right.
  /// - Throws: `SafelightError` if it is off by more than 1e-6.
  public init(rows: [SIMD3<Double>]) throws {
    let refusal = SafelightError(
      .invalidValue, "The matrix \(rows) is no rotation",
      remedy: "give three rows that are orthonormal, with the determinant 1")
    guard rows.count == 3 else { throw refusal }
    let (a, b, c) = (rows[0], rows[1], rows[2])
    // Shepperd's choice of the largest component keeps the square root away from zero.
    // Source: S. W. Shepperd, Quaternion from rotation matrix, J. Guidance and Control 1 (1978).
    let trace = a.x + b.y + c.z
    let candidates = [trace, a.x, b.y, c.z]
    var q: SIMD4<Double>
    switch candidates.indices.max(by: { candidates[$0] < candidates[$1] }) {
    case 1: q = SIMD4(1 + 2 * a.x - trace, a.y + b.x, a.z + c.x, c.y - b.z)
    case 2: q = SIMD4(a.y + b.x, 1 + 2 * b.y - trace, b.z + c.y, a.z - c.x)
    case 3: q = SIMD4(a.z + c.x, b.z + c.y, 1 + 2 * c.z - trace, b.x - a.y)
    case .none, .some: q = SIMD4(c.y - b.z, a.z - c.x, b.x - a.y, 1 + trace)
    }
    q /= (q * q).sum().squareRoot()
    guard q.x.isFinite else { throw refusal }
    self.init(unit: q)
    for (row, own) in zip(rows, self.rows) {
      let off = row - own
      guard (off * off).sum() <= 1e-12 else { throw refusal }
    }
  }

  /// The rotation as an orthonormal matrix, in rows.
  public var rows: [SIMD3<Double>] { [matrix.0, matrix.1, matrix.2] }

  /// The rows without an array, whose memory a stream must not ask for.
  var matrix: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    let q = quaternion
    let (xx, yy, zz) = (q.x * q.x, q.y * q.y, q.z * q.z)
    let (xy, xz, yz) = (q.x * q.y, q.x * q.z, q.y * q.z)
    let (wx, wy, wz) = (q.w * q.x, q.w * q.y, q.w * q.z)
    return (
      SIMD3(1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)),
      SIMD3(2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)),
      SIMD3(2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy))
    )
  }

  public var inverse: Rotation {
    Rotation(unit: SIMD4(-quaternion.x, -quaternion.y, -quaternion.z, quaternion.w))
  }

  public func followed(by next: Rotation) -> Rotation {
    let (p, q) = (next.quaternion, quaternion)
    let product = SIMD4(
      p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
      p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
      p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
      p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z)
    return Rotation(unit: product / (product * product).sum().squareRoot())
  }

  public func rotate(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    let rows = matrix
    return SIMD3((rows.0 * vector).sum(), (rows.1 * vector).sum(), (rows.2 * vector).sum())
  }

  /// Returns a rotation on the shortest way to another, at constant speed.
  ///
  /// Source: K. Shoemake, Animating rotation with quaternion curves, SIGGRAPH 1985.
  /// - Parameter fraction: 0 is this rotation, 1 the other.
  public func interpolated(to other: Rotation, _ fraction: Double) -> Rotation {
    var cosine = (quaternion * other.quaternion).sum()
    let end = cosine < 0 ? -other.quaternion : other.quaternion
    cosine = min(abs(cosine), 1)
    let angle = acos(cosine)
    var mixed = quaternion + (end - quaternion) * fraction
    if angle > 1e-4 {
      mixed = (quaternion * sin((1 - fraction) * angle) + end * sin(fraction * angle)) / sin(angle)
    }
    return Rotation(unit: mixed / (mixed * mixed).sum().squareRoot())
  }
}
