import FilterGraph
import FrameCore
import Libc

/// Turns the camera after the fact, so that lines which run together become parallel: those of a house seen from below.
///
/// A camera that turned about its lens would have recorded x′ = K·R·K⁻¹·x, with R the turn and K the matrix of its focal
/// length. The result is the largest window with the picture's proportions that has no empty corners.
/// Source: Hartley and Zisserman, "Multiple view geometry in computer vision", 2nd ed., section 8.4.2.
public struct Keystone: Filter {
  public static let id: FilterID = "keystone"
  public static let phase = FilterPhase.perspective
  public static let summary =
    "Turns the camera up or down and sideways, so that verticals and horizontals become parallel"
  /// The angles allowed, in degrees.
  public static let range = -45.0...45.0
  /// The focal length that is assumed without one, as on 35 mm film: that of phones.
  public static let usualFocalLength: Float = 26
  /// The focal lengths allowed, in mm.
  public static let focalLengths = 8.0...800.0
  public static let parameters = [
    Parameter(
      \Keystone.vertical, "vertical", in: range, slider: -30...30, step: 0.1, neutral: 0, unit: .degrees,
      flag: "keystone-vertical",
      "Tilt of the camera that is undone: above 0 if it looked up, as at a house from below"),
    Parameter(
      \Keystone.horizontal, "horizontal", in: range, slider: -30...30, step: 0.1, neutral: 0, unit: .degrees,
      flag: "keystone-horizontal", "Turn of the camera that is undone: above 0 if it looked to the right"),
    Parameter(
      \Keystone.focalLength, "focal-length", in: focalLengths, slider: 14...200, step: 1,
      neutral: Double(usualFocalLength), flag: "keystone-focal-length",
      "Focal length of the lens in mm, as on 35 mm film"),
  ]

  /// In degrees.
  public var vertical, horizontal: Float
  /// In mm, for a diagonal of 43.27 mm.
  public var focalLength: Float

  public init() { self.init(vertical: 0) }
  public init(vertical: Float, horizontal: Float = 0, focalLength: Float = usualFocalLength) {
    (self.vertical, self.horizontal, self.focalLength) = (vertical, horizontal, focalLength)
  }

  /// The diagonal of 35 mm film, in mm.
  package static let filmDiagonal = hypot(36.0, 24.0)

  public func lower(into plan: inout PlanBuilder) throws {
    guard vertical != 0 || horizontal != 0 else { return }
    try plan.geometry { size in
      let (w, h) = (Double(size.width), Double(size.height))
      let focal = Double(focalLength) / Self.filmDiagonal * hypot(w, h)
      let turn = Self.turn(vertical: Double(vertical), horizontal: Double(horizontal), focal: focal)
      let toPicture = turn.then(AffineMap.translation(w / 2, h / 2))
      let fromPicture = Projection(.translation(-w / 2, -h / 2)).then(turn.inverse)
      let corners = [(0, 0), (w, 0), (w, h), (0, h)].map { fromPicture.apply($0.0, $0.1) }
      guard let window = Self.window(width: w, height: h, inside: corners.map { SIMD2($0.x, $0.y) }) else {
        throw SafelightError(
          .invalidValue,
          "The keystone \(PlainNumber.text(Double(vertical)))°, \(PlainNumber.text(Double(horizontal)))° turns the picture "
            + "beyond its horizon at a focal length of \(PlainNumber.text(Double(focalLength))) mm",
          remedy: "give smaller angles, or a longer focal length")
      }
      let output = PixelSize(width: max(1, Int(window.scale * w)), height: max(1, Int(window.scale * h)))
      return Geometry(
        inputSize: size, outputSize: output,
        map: .translation(
          window.center.x - Double(output.width) / 2, window.center.y - Double(output.height) / 2),
        projection: toPicture)
    }
  }

  /// The map from a picture of the turned camera to that of the real one, from the middle of each, in pixels.
  static func turn(vertical: Double, horizontal: Double, focal: Double) -> Projection {
    let (pitch, yaw) = (vertical * .pi / 180, horizontal * .pi / 180)
    let (cp, sp, cy, sy) = (cos(pitch), sin(pitch), cos(yaw), sin(yaw))
    // A ray (x, y, f) of the turned camera, y pointing down, is turned sideways, then down: the real camera looked up.
    // x₁ = cy·x − sy·f, z₁ = sy·x + cy·f;  y₂ = cp·y + sp·z₁, z₂ = −sp·y + cp·z₁
    return Projection(
      a: cy * focal, b: 0, c: -sy * focal * focal,
      d: sp * sy * focal, e: cp * focal, f: sp * cy * focal * focal,
      g: cp * sy, h: -sp, i: cp * cy * focal)
  }

  /// Returns the largest rectangle of the proportions `width` : `height` in a convex quadrilateral, clockwise: its centre,
  /// and its width in units of `width`; nil if the shape is not one.
  ///
  /// Each edge n·x ≤ d bounds the centre c and the scale s by n·c + s·(|nx|·w + |ny|·h) / 2 ≤ d, so the largest s is where
  /// three of the four bounds meet.
  static func window(
    width: Double, height: Double, inside corners: [SIMD2<Double>]
  ) -> (center: SIMD2<Double>, scale: Double)? {
    let bounds = corners.indices.map { index -> (normal: SIMD3<Double>, limit: Double) in
      let (a, b) = (corners[index], corners[(index + 1) % corners.count])
      let normal = SIMD2(b.y - a.y, a.x - b.x)
      return (
        SIMD3(normal.x, normal.y, (abs(normal.x) * width + abs(normal.y) * height) / 2), (normal * a).sum()
      )
    }
    for index in corners.indices {
      let next = corners[(index + 2) % corners.count]
      guard (SIMD2(bounds[index].normal.x, bounds[index].normal.y) * next).sum() < bounds[index].limit else {
        return nil
      }
    }
    var best: (center: SIMD2<Double>, scale: Double)?
    for left in bounds.indices {
      let three = bounds.indices.filter { $0 != left }.map { bounds[$0] }
      let matrix = Matrix3(three.map(\.normal))
      guard let solution = matrix.solved(SIMD3(three[0].limit, three[1].limit, three[2].limit)) else {
        continue
      }
      let bound = bounds[left]
      guard solution.z > (best?.scale ?? 0),
        (bound.normal * solution).sum() <= bound.limit + 1e-9 * abs(bound.limit) + 1e-9
      else { continue }
      best = (SIMD2(solution.x, solution.y), solution.z)
    }
    return best
  }

  /// Three equations with three unknowns.
  private struct Matrix3 {
    let rows: [SIMD3<Double>]
    init(_ rows: [SIMD3<Double>]) { self.rows = rows }

    private static func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
      a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x)
    }

    /// By Cramer's rule; nil if there is no one solution.
    func solved(_ right: SIMD3<Double>) -> SIMD3<Double>? {
      let whole = Self.determinant(rows[0], rows[1], rows[2])
      guard abs(whole) > 1e-12 else { return nil }
      var solution = SIMD3<Double>.zero
      for column in 0..<3 {
        var replaced = rows
        for row in 0..<3 { replaced[row][column] = right[row] }
        solution[column] = Self.determinant(replaced[0], replaced[1], replaced[2]) / whole
      }
      return solution
    }
  }
}
