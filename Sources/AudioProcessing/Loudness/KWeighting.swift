import Libc

/// The filter of loudness: a head's shelf and a high pass, for any sample rate.
///
/// The coefficients of ITU-R BS.1770-4 hold at 48 kHz; those at other rates come from the analog filters that
/// they stand for, by the bilinear transform.
///
/// Source: ITU-R BS.1770-4 (2015), annex 1; the analog parameters are those of libebur128 1.2.6
/// (`ebur128_init_filter`).
struct KWeighting {
  struct Biquad {
    var b0, b1, b2, a1, a2: Double
  }

  let shelf: Biquad
  let highPass: Biquad

  init(sampleRate: Double) {
    shelf = Self.shelf(sampleRate)
    highPass = Self.highPass(sampleRate)
  }

  private static func shelf(_ rate: Double) -> Biquad {
    let (frequency, gain, q) = (1681.974450955533, 3.999843853973347, 0.7071752369554196)
    let k = tan(Double.pi * frequency / rate)
    let high = pow(10, gain / 20)
    let band = pow(high, 0.4996667741545416)
    let a0 = 1 + k / q + k * k
    return Biquad(
      b0: (high + band * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0,
      b2: (high - band * k / q + k * k) / a0, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
  }

  private static func highPass(_ rate: Double) -> Biquad {
    let (frequency, q) = (38.13547087602444, 0.5003270373238773)
    let k = tan(Double.pi * frequency / rate)
    let a0 = 1 + k / q + k * k
    return Biquad(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
  }

  /// What a channel's filters remember.
  struct State {
    var shelf0 = 0.0, shelf1 = 0.0, pass0 = 0.0, pass1 = 0.0
  }

  /// Returns the sum of squares of filtered samples, each `stride` floats apart.
  func energy(
    of samples: UnsafePointer<Float>, count: Int, stride: Int, _ state: inout State
  ) -> Double {
    var sum = 0.0
    var current = state
    let (first, second) = (shelf, highPass)
    for index in 0..<count {
      let value = Double(samples[index * stride])
      let shelved = first.b0 * value + current.shelf0
      current.shelf0 = first.b1 * value - first.a1 * shelved + current.shelf1
      current.shelf1 = first.b2 * value - first.a2 * shelved
      let passed = second.b0 * shelved + current.pass0
      current.pass0 = second.b1 * shelved - second.a1 * passed + current.pass1
      current.pass1 = second.b2 * shelved - second.a2 * passed
      sum += passed * passed
    }
    // In silence the numbers would fall below what processors calculate fast.
    func settled(_ value: Double) -> Double { abs(value) < 1e-30 ? 0 : value }
    state = State(
      shelf0: settled(current.shelf0), shelf1: settled(current.shelf1), pass0: settled(current.pass0),
      pass1: settled(current.pass1))
    return sum
  }
}
