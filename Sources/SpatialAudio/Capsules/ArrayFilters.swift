import Libc

/// The filters that make W, and X, Y and Z, of the sums and differences of four capsules.
///
/// Up to the aliasing frequency, they invert the model's response to a plane wave on the axis; an octave
/// above it they have become those that keep the power of a diffuse field, so that what aliases is not
/// raised.
///
/// X, Y and Z are not put in phase with W. The second order that aliases into X, Y and Z is in quadrature
/// with them only approximately, so that with equal phases it turns the active intensity: by 1.2° at 1 kHz
/// for 15 mm, twice as much as without filters. A phase of π/2 − arg(b₂/b₁), close to kr/2, puts it into
/// quadrature with W, where it carries no active intensity; what remains is due to higher orders. The price
/// is that phase between W and the others: 8° at 1 kHz.
struct ArrayFilters {
  /// Of AmbiX's W, for the sum of the four capsules.
  let pressure: [Float]
  /// Of Y, Z and X, for the sums with the signs of the capsules' positions.
  let gradient: [Float]

  /// - Parameter taps: Odd; the filters delay by `taps / 2`.
  init(_ model: ArrayModel, sampleRate: Int, taps: Int) {
    let size = DesignSpectrum.powerOfTwo(atLeast: 16 * taps)
    var pressure = DesignSpectrum(size: size)
    var gradient = DesignSpectrum(size: size)
    for k in 0...size / 2 {
      let frequency = Double(k) * Double(sampleRate) / Double(size)
      let (w, xyz) = Self.targets(model, frequency, nyquist: Double(sampleRate) / 2)
      pressure.setSymmetric(k, w)
      gradient.setSymmetric(k, xyz)
    }
    self.pressure = pressure.centredFilter(taps: taps)
    self.gradient = gradient.centredFilter(taps: taps)
  }

  /// The number of taps that the filters need at a rate: what is right at 48 kHz, in proportion.
  static func taps(sampleRate: Int) -> Int { 2 * max(24, (48 * sampleRate + 24_000) / 48_000) + 1 }

  private static func targets(_ model: ArrayModel, _ frequency: Double, nyquist: Double) -> (Complex, Complex)
  {
    // At zero b₂ vanishes, and so would its phase.
    let kr = model.kr(max(frequency, 1))
    let modes = model.modes(kr, orders: Int(kr) + 10)
    let diffuse = model.diffusePower(modes)
    let aliased = smoothStep(log2(kr))
    func gain(_ free: Double, _ diffuse: Double) -> Double { pow(free, 1 - aliased) * pow(diffuse, aliased) }
    let w = gain(1 / (4 * modes[0].magnitude), 1 / diffuse.sum.squareRoot())
    let root = 3.0.squareRoot()
    let xyz = gain(1 / (4 * root * modes[1].magnitude), 1 / (root * diffuse.difference.squareRoot()))
    // Towards the end of the band the phase returns to zero, because a real filter has none there.
    let fading = 1 - smoothStep((frequency / nyquist - 0.6) / 0.38)
    // From kr = 3 on, where aliasing outweighs the first order, nothing is won by phase.
    let quadrature = (.pi / 2 - (modes[2] * modes[1].conjugate).angle) * (1 - smoothStep(log2(kr / 3)))
    return (
      Complex(angle: -modes[0].angle * fading) * w,
      Complex(angle: (quadrature - modes[1].angle) * fading) * xyz
    )
  }

  /// From 0 at 0 to 1 at 1, with level ends.
  private static func smoothStep(_ x: Double) -> Double {
    let t = min(max(x, 0), 1)
    return t * t * (3 - 2 * t)
  }
}
