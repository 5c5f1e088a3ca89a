import Libc

/// A complex number, for the design of filters.
struct Complex: Sendable, Hashable {
  var real: Double
  var imaginary: Double

  static let zero = Complex(0, 0)

  init(_ real: Double, _ imaginary: Double = 0) { (self.real, self.imaginary) = (real, imaginary) }

  /// exp(j angle)
  init(angle: Double) { (real, imaginary) = (cos(angle), sin(angle)) }

  static func powerOfJ(_ exponent: Int) -> Complex {
    [Complex(1), Complex(0, 1), Complex(-1), Complex(0, -1)][exponent & 3]
  }

  var power: Double { real * real + imaginary * imaginary }
  var magnitude: Double { power.squareRoot() }
  var angle: Double { atan2(imaginary, real) }
  var conjugate: Complex { Complex(real, -imaginary) }

  static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }
  static func - (a: Complex, b: Complex) -> Complex { Complex(a.real - b.real, a.imaginary - b.imaginary) }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }
  static func * (a: Complex, b: Double) -> Complex { Complex(a.real * b, a.imaginary * b) }
}
