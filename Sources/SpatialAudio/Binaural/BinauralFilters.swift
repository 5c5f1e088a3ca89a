import FrameCore
import Libc

/// Filters from W, Y, Z and X to two ears: a decoder, virtual loudspeakers and a head, folded into one.
///
/// The decoder is basic (velocity is kept) up to 700 Hz, where the head is small and ears compare phases, and
/// max-rE (energy is concentrated) above, where they compare levels: shelves that are in phase with each
/// other make the change.
/// Source: M. A. Gerzon, General metatheory of auditory localisation, AES 92nd convention (1992); A. Heller
/// et al., Is my decoder ambisonic?, AES 125th convention (2008).
///
/// A third-octave equaliser, the same for both ears and all directions, gives a diffuse field the power at
/// the ears that it has in the responses themselves; first order alone dulls it. Its level is 0 dB between
/// 300 Hz and 3 kHz.
struct BinauralFilters {
  /// By ear (left, right) and channel.
  let byEar: [[[Float]]]

  private static let crossover = 700.0
  /// Samples at 48 kHz behind the responses for what shelves and equaliser add.
  private static let tail = 192

  /// - Throws: `SafelightError` if the responses cannot be used.
  init(_ head: HeadResponses, loudspeakers: VirtualLoudspeakers) throws {
    let rate = Double(head.sampleRate)
    let directions = loudspeakers.directions
    let ears = try directions.map { try head.evenResponses(to: $0) }
    let longest = ears.map(\.left.count).max() ?? 1
    let taps = longest + max(Int(Double(Self.tail) * rate / 48_000), 96)
    let size = DesignSpectrum.powerOfTwo(atLeast: 2 * taps)

    // By ear and channel: the decoder's gains in the sum of responses.
    var spectra: [[DesignSpectrum]] = [\HeadResponses.Ears.left, \.right].map { ear in
      (0..<4).map { channel in
        var sum = [Double](repeating: 0, count: longest)
        for (direction, responses) in zip(directions, ears) {
          // Projection on the loudspeaker; SN3D needs the 3 of its norm.
          let gain = AmbisonicFormat.ambiX.gains(for: direction)[channel] * (channel == 0 ? 1 : 3)
          for (index, sample) in responses[keyPath: ear].enumerated() {
            sum[index] += gain / Double(directions.count) * Double(sample)
          }
        }
        return DesignSpectrum(sum, size: size)
      }
    }
    for k in 0...size / 2 {
      let frequency = rate * Double(k) / Double(size)
      for ear in 0..<2 {
        for channel in 0..<4 {
          let shelf = Self.shelf(frequency, rate, high: channel == 0 ? 1 : 1 / 3.0.squareRoot())
          spectra[ear][channel].setSymmetric(k, spectra[ear][channel].bins[k] * shelf)
        }
      }
    }
    let equalizer = try DiffuseFieldEqualizer(head, rendered: spectra).spectrum(size: size)
    for k in 0...size / 2 {
      for ear in 0..<2 {
        for channel in 0..<4 {
          spectra[ear][channel].setSymmetric(k, spectra[ear][channel].bins[k] * equalizer.bins[k])
        }
      }
    }
    byEar = spectra.map { $0.map { Self.shortened($0.samples, taps) } }
  }

  /// A gain of 1 below the crossover and of `high` above, with a phase that does not depend on `high`: the
  /// difference of the halves of a Linkwitz–Riley crossover of second order, which are in opposite phase, by
  /// bilinear transform.
  private static func shelf(_ frequency: Double, _ rate: Double, high: Double) -> Complex {
    // At half the rate the tangent has a pole.
    guard frequency < rate / 2 else { return Complex(-high) }
    let w = tan(.pi * frequency / rate) / tan(.pi * crossover / rate)
    // (1 − high s²) / (1 + s)² for s = jw.
    let denominator = Complex(1 - w * w, 2 * w)
    return denominator.conjugate * ((1 + high * w * w) / denominator.power)
  }

  private static func shortened(_ samples: [Double], _ taps: Int) -> [Float] {
    let fading = 32
    return (0..<taps).map { index in
      let left = Double(taps - index) / Double(fading + 1)
      return Float(samples[index] * (left < 1 ? 0.5 - 0.5 * cos(.pi * left) : 1))
    }
  }
}
