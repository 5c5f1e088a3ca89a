import FrameCore
import Libc

/// The minimum-phase filter that gives rendered ears the power of a diffuse field in the responses
/// themselves.
struct DiffuseFieldEqualizer {
  /// Gains of the first half of the bins.
  private let gains: [Double]

  private static let size = 1024
  /// Enough that a third octave of the mean does not change by a tenth of a decibel.
  private static let directions = 194
  private static let largestGain = 4.0

  /// - Parameter rendered: Of each ear, the spectra from W, Y, Z and X, of the same size.
  /// - Throws: `SafelightError` if the responses cannot be used.
  init(_ head: HeadResponses, rendered: [[DesignSpectrum]]) throws {
    let half = Self.size / 2
    var direct = [Double](repeating: 0, count: half + 1)
    for direction in Self.evenDirections {
      let ears = try head.responses(to: direction)
      // Both ears in one transform; around the end is right for a spectrum at fewer points.
      var bins = [Complex](repeating: .zero, count: Self.size)
      for index in ears.left.indices {
        bins[index % Self.size].real += Double(ears.left[index])
        bins[index % Self.size].imaginary += Double(ears.right[index])
      }
      DesignSpectrum.transform(&bins, sign: -1)
      for k in 0...half {
        direct[k] += (bins[k].power + bins[(Self.size - k) % Self.size].power) / 2
      }
    }
    for k in 0...half { direct[k] /= Double(Self.directions) }
    let step = (rendered.first?.first?.bins.count ?? Self.size) / Self.size
    // In a diffuse field X, Y and Z have a third of the power of W and correlate with nothing.
    let own = (0...half).map { k in
      rendered.reduce(0.0) { sum, ear in
        sum + ear[0].bins[k * step].power + (1...3).reduce(0) { $0 + ear[$1].bins[k * step].power / 3 }
      }
    }
    let level = Self.level(direct, sampleRate: Double(head.sampleRate))
    guard level > 0 else {
      throw SafelightError(.corruptData, "“\(head.path)” holds only silence", remedy: "use another file")
    }
    let (wanted, present) = (Self.smoothed(direct), Self.smoothed(own))
    let loudest = wanted.max() ?? 0
    var gain = 1.0
    // Where the responses hold nothing, such as above their own band, the gain beside it goes on.
    var gains = [Double](repeating: 1, count: half + 1)
    for k in 1...half {
      if wanted[k] > 1e-4 * loudest, present[k] > 0 {
        gain = min(max((wanted[k] / present[k]).squareRoot(), 1 / Self.largestGain), Self.largestGain)
      }
      gains[k] = gain
    }
    gains[0] = gains[1]
    self.gains = gains.map { $0 / level.squareRoot() }
  }

  /// The filter's spectrum at a number of bins, a power of two.
  ///
  /// The phase is the Hilbert transform of the gain's logarithm. Source: A. Oppenheim, R. Schafer,
  /// Discrete-time signal processing, 3rd edition, 13.5.
  func spectrum(size: Int) -> DesignSpectrum {
    let design = max(size, Self.size)
    var logarithms = DesignSpectrum(size: design)
    for k in 0...design / 2 {
      let place = Double(k) * Double(Self.size) / Double(design)
      let low = min(Int(place), gains.count - 2)
      let part = place - Double(low)
      logarithms.setSymmetric(k, Complex(log(gains[low]) * (1 - part) + log(gains[low + 1]) * part))
    }
    var cepstrum = logarithms.samples
    for index in 1..<design / 2 {
      cepstrum[index] *= 2
      cepstrum[design - index] = 0
    }
    let folded = DesignSpectrum(cepstrum, size: design)
    var result = DesignSpectrum(size: design)
    for k in 0...design / 2 {
      let exponent = folded.bins[k]
      result.setSymmetric(k, Complex(angle: exponent.imaginary) * exp(exponent.real))
    }
    return result
  }

  /// Directions on a spiral, each with the same area of the sphere.
  private static let evenDirections: [Direction] = (0..<directions).compactMap { index in
    let z = 1 - (2 * Double(index) + 1) / Double(directions)
    let turn = .pi * (3 - 5.0.squareRoot()) * Double(index)
    let radius = (1 - z * z).squareRoot()
    return Direction(SIMD3(radius * cos(turn), radius * sin(turn), z))
  }

  /// The mean power of an ear between 300 Hz and 3 kHz, where ears hear best what is loud.
  private static func level(_ power: [Double], sampleRate: Double) -> Double {
    let width = sampleRate / Double(size)
    let band = power[Int(300 / width)...Int(3000 / width)]
    return band.reduce(0, +) / Double(band.count) / 2
  }

  /// Means over a third of an octave around each bin.
  private static func smoothed(_ power: [Double]) -> [Double] {
    var sums = [0.0]
    for value in power { sums.append(sums[sums.count - 1] + value) }
    let edge = pow(2, 1.0 / 6)
    return power.indices.map { k in
      let low = Int((Double(k) / edge).rounded())
      let high = min(Int((Double(k) * edge).rounded()), power.count - 1)
      return (sums[high + 1] - sums[low]) / Double(high + 1 - low)
    }
  }
}
