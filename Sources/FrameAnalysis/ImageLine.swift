import AnalysisKernels
import FrameCore
import Libc

/// A straight edge in a picture, in coordinates independent of its size: the origin is the picture's centre, x
/// points right, y down, and half the long edge is 1.
struct ImageLine {
  /// The middle of the edge.
  var middle: SIMD2<Double>
  /// A unit vector along the edge; its sign has no meaning.
  var direction: SIMD2<Double>
  /// From end to end.
  var length: Double
  /// The standard deviation of its direction, in radians.
  var deviation: Double

  /// End points are found to a fraction of a sample, so short segments have less exact directions. Straight things
  /// in the world are not quite straight either, nor are images of lenses: that is the constant.
  private static let endPointError = 0.45
  private static let straightnessError = 0.35 * Double.pi / 180

  init(_ segment: sla_segment, in size: PixelSize) {
    let unit = 2 / Double(size.longEdge)
    let center = SIMD2(Double(size.width), Double(size.height)) / 2
    let from = SIMD2(Double(segment.x0), Double(segment.y0))
    let to = SIMD2(Double(segment.x1), Double(segment.y1))
    let way = to - from
    let pixels = max((way * way).sum().squareRoot(), 1e-6)
    middle = ((from + to) / 2 - center) * unit
    direction = way / pixels
    length = pixels * unit
    let error = Self.endPointError / pixels
    deviation = (error * error + Self.straightnessError * Self.straightnessError).squareRoot()
  }

  /// The line in homogeneous coordinates: a·x + b·y + c = 0.
  var homogeneous: SIMD3<Double> {
    SIMD3(-direction.y, direction.x, direction.y * middle.x - direction.x * middle.y)
  }
}

/// a.x·b.y − a.y·b.x.
@inline(__always)
func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }

/// The unit vector at `angle` radians counter-clockwise from right, as displayed (y points down).
@inline(__always)
func heading(_ angle: Double) -> SIMD2<Double> { SIMD2(cos(angle), -sin(angle)) }

/// `angle` moved by multiples of π into −π/2 ..< π/2: the angle of a line, whose sign has no meaning.
func lineAngle(_ angle: Double) -> Double {
  let turned = angle - (angle / .pi).rounded() * .pi
  return turned >= .pi / 2 ? turned - .pi : turned
}
