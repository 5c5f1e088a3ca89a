import Libc

/// The spectrum of a real signal in double precision, for the design of filters before a stream starts.
struct DesignSpectrum {
  /// From 0 Hz to the sample rate; the second half mirrors the first.
  var bins: [Complex]

  static func powerOfTwo(atLeast count: Int) -> Int {
    var size = 1
    while size < count { size *= 2 }
    return size
  }

  /// - Parameter size: A power of two.
  init(size: Int) { bins = [Complex](repeating: .zero, count: size) }

  /// The transform of samples, followed by zeros.
  ///
  /// - Parameter size: A power of two, at least as many as samples.
  init(_ samples: [Double], size: Int) {
    self.init(size: size)
    for (index, sample) in samples.enumerated() { bins[index] = Complex(sample) }
    Self.transform(&bins, sign: -1)
  }

  /// The samples of which this is the spectrum.
  var samples: [Double] {
    var values = bins
    Self.transform(&values, sign: 1)
    return values.map { $0.real / Double(values.count) }
  }

  /// Sets a bin of the first half, and its mirror; both ends are real.
  mutating func setSymmetric(_ k: Int, _ value: Complex) {
    if k == 0 || k == bins.count / 2 {
      bins[k] = Complex(value.real)
    } else {
      bins[k] = value
      bins[bins.count - k] = value.conjugate
    }
  }

  /// The impulse response around time zero, moved to the middle of a filter and faded out towards its ends.
  ///
  /// - Parameter taps: Odd, at most as many as bins.
  func centredFilter(taps: Int) -> [Float] {
    let samples = self.samples
    let middle = taps / 2
    return (0..<taps).map { index in
      let offset = index - middle
      // Tukey's window: level in the middle half, so that broad features keep their level.
      let outer = max(2 * abs(Double(offset)) / Double(middle + 1) - 1, 0)
      let fade = 0.5 + 0.5 * cos(.pi * outer)
      return Float(samples[offset < 0 ? offset + samples.count : offset] * fade)
    }
  }

  /// Returns samples later by a number that need not be whole, at most `room` of them.
  static func delayed(_ samples: [Float], by delay: Double, room: Int) -> [Float] {
    // Room behind, too: the interpolation rings on both sides, and what rings before the start comes around.
    let size = powerOfTwo(atLeast: max(room, samples.count) + 64)
    var spectrum = DesignSpectrum(samples.map(Double.init), size: size)
    for k in 0...size / 2 {
      let turn = -2 * .pi * delay * Double(k) / Double(size)
      spectrum.setSymmetric(k, spectrum.bins[k] * Complex(angle: turn))
    }
    return spectrum.samples[..<room].map(Float.init)
  }

  /// The discrete Fourier transform in place, unscaled; radix 2, decimation in time.
  ///
  /// - Parameter sign: −1 forward, 1 backward.
  static func transform(_ values: inout [Complex], sign: Double) {
    let size = values.count
    var reversed = 0
    for index in 1..<max(size, 1) {
      var bit = size / 2
      while reversed & bit != 0 {
        reversed ^= bit
        bit /= 2
      }
      reversed |= bit
      if index < reversed { values.swapAt(index, reversed) }
    }
    let turns = (0..<size / 2).map { Complex(angle: sign * 2 * .pi * Double($0) / Double(size)) }
    var half = 1
    while half < size {
      let stride = size / (2 * half)
      for start in Swift.stride(from: 0, to: size, by: 2 * half) {
        for k in 0..<half {
          let odd = values[start + half + k] * turns[k * stride]
          let even = values[start + k]
          values[start + k] = even + odd
          values[start + half + k] = even - odd
        }
      }
      half *= 2
    }
  }
}
