import ColorScience
import FilterGraph
import FrameCore
import PhotoIO

extension EmbeddedLens {
  /// The numbers of x⁶ by terms up to x⁴ over 0…1: the polynomial through it at the five Chebyshev nodes.
  static let sixthPower = [0.00488281, -0.2421875, 1.85546875, -4.6875, 4.0625]

  /// The same lens in Safelight's form, whose distances are in halves of the diagonal of the picture as stored.
  ///
  /// The sixth power of the distortion becomes ones up to the fourth, at most 0.007 of its number apart, and the gain of
  /// light the inverse of a polynomial, by least squares.
  func profile(of size: PixelSize) -> LensProfile {
    let (width, height) = (Double(frame.width), Double(frame.height))
    let place = SIMD2(center.x * width, center.y * height)
    let corners = [SIMD2(0, 0), SIMD2(width, 0), SIMD2(0, height), SIMD2(width, height)]
    let furthest = corners.reduce(0) { max($0, (($1 - place) * ($1 - place)).sum().squareRoot()) }
    let half =
      Double(size.width * size.width + size.height * size.height).squareRoot() / 2
    // Distances in halves of the diagonal, times this, are the file's.
    let scale = half / furthest
    var profile = LensProfile()
    let middle = SIMD2(Double(size.width), Double(size.height)) / 2 + SIMD2<Double>(origin)
    profile.center = (place - middle) / half
    if let distortion {
      var terms = [distortion[0], 0, distortion[1], 0, distortion[2]]
      for index in terms.indices { terms[index] += distortion[3] * Self.sixthPower[index] }
      var power = 1.0
      profile.distortion = terms.map { term in
        defer { power *= scale }
        return term * power
      }
    }
    if let vignetting {
      let square = scale * scale
      let light = Self.light(gains: vignetting)
      profile.vignetting = SIMD3(
        light.x * square, light.y * square * square, light.z * square * square * square)
    }
    return profile
  }

  /// Returns v₁…v₃ of the light that a gain makes up for: (1 + v₁x² + v₂x⁴ + v₃x⁶)·gain(x) is nearest to 1 over 0…1.
  private static func light(gains: [Double]) -> SIMD3<Double> {
    var rows = [SIMD3<Double>](repeating: .zero, count: 3)
    var right = SIMD3<Double>.zero
    for step in 0...100 {
      let square = Double(step * step) / 10_000
      let gain = 1 + square * gains.reversed().reduce(0) { $0 * square + $1 }
      let terms = SIMD3(square, square * square, square * square * square) * gain
      for row in 0..<3 { rows[row] += terms[row] * terms }
      right += terms * (1 - gain)
    }
    return Matrix3x3(rows: rows).inverse * right
  }
}
