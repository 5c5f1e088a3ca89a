/// A curve through points of increasing x: straight between two, cubic between more, constant beyond its ends.
///
/// The slope at an inner point is that of the line through its neighbours; the first and the last stretch are
/// parabolas. So the pre-LUTs of cineSpace files are read by the interpolator that their makers published, which
/// OpenColorIO has too.
package struct CubicPoints: Hashable, Sendable {
  package let x, y: [Double]

  /// - Precondition: `x` increases and has as many elements as `y`, at least two.
  init(x: [Double], y: [Double]) { (self.x, self.y) = (x, y) }

  package func evaluate(_ value: Double) -> Double {
    let last = x.count - 1
    guard value > x[0] else { return y[0] }
    guard value < x[last] else { return y[last] }
    // The stretch that holds the value.
    var (low, high) = (0, last)
    while high - low > 1 {
      let middle = (low + high) / 2
      if value < x[middle] { high = middle } else { low = middle }
    }
    let width = x[low + 1] - x[low]
    let z = (value - x[low]) / width
    let (from, to) = (y[low], y[low + 1])
    guard last > 1 else { return from + z * (to - from) }
    // Slopes in units of the stretch.
    func slope(_ index: Int) -> Double {
      (y[index + 1] - y[index - 1]) / (x[index + 1] - x[index - 1]) * width
    }
    if low == 0 {
      let end = slope(1)
      return from + z * (2 * (to - from) - end + z * (end - (to - from)))
    }
    let start = slope(low)
    if low == last - 1 { return from + z * (start + z * (to - from - start)) }
    let end = slope(low + 1)
    let rise = to - from
    return from + z * (start + z * (3 * rise - 2 * start - end + z * (start + end - 2 * rise)))
  }
}

/// A value for each of the 65,536 half-precision numbers, with linear interpolation between neighbouring ones: a 1D LUT
/// of the Common LUT Format over its half domain.
package struct HalfTable: Hashable, Sendable {
  static let count = 65_536
  private let storage: SharedArray<Float>

  var values: [Float] { storage.elements }

  /// - Precondition: `values` has `count` elements.
  init(values: [Float]) { storage = SharedArray(values) { UInt64(($0 + 0).bitPattern) } }

  package func evaluate(_ x: Double) -> Double {
    let magnitude = min(abs(x.isNaN ? 0 : x), 65504)
    // The half at or below the magnitude; halves of one sign are in the order of their patterns.
    var (low, high) = (0, 0x7BFF)
    while high - low > 1 {
      let middle = (low + high) / 2
      if magnitude < Half.value(UInt16(middle)) { high = middle } else { low = middle }
    }
    let (from, to) = (Half.value(UInt16(low)), Half.value(UInt16(high)))
    let sign = x < 0 ? 0x8000 : 0
    let part = (magnitude - from) / (to - from)
    let (a, b) = (Double(values[sign | low]), Double(values[sign | high]))
    return a + part * (b - a)
  }
}

/// Half-precision numbers (IEEE 754 binary16).
enum Half {
  /// Returns the value of a pattern; infinities and numbers that are none become the largest finite one.
  static func value(_ bits: UInt16) -> Double {
    let exponent = Int(bits >> 10) & 0x1F
    let fraction = Double(bits & 0x3FF) / 1024
    let magnitude: Double =
      switch exponent {
      case 0: fraction * 0x1p-14
      case 31: 65504
      default: (1 + fraction) * Double(sign: .plus, exponent: exponent - 15, significand: 1)
      }
    return bits & 0x8000 == 0 ? magnitude : -magnitude
  }
}
