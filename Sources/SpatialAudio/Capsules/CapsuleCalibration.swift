import FrameCore
import Libc

/// What measurements say of four capsules, so that their differences can be taken out.
public enum CapsuleCalibration: Sendable, Hashable, Codable {
  /// Alike, as far as is known.
  case none
  /// How much louder than wanted each capsule is, in dB, −24…24.
  case gains([Double])
  /// Each capsule's impulse response on its axis relative to an ideal capsule at the same place, at a sample
  /// rate in Hz. All four start at the same time, so that their delays can be compared.
  case responses([[Float]], sampleRate: Int)

  /// - Throws: `SafelightError` if there are not four finite measurements.
  func check() throws {
    switch self {
    case .none: return
    case .gains(let gains):
      guard gains.count == 4, gains.allSatisfy({ (-24...24).contains($0) }) else {
        throw SafelightError(
          .invalidValue,
          "The capsules' gains \(gains.map(PlainNumber.text).joined(separator: "/")) are no calibration",
          remedy: "give four of −24…24 dB")
      }
    case .responses(let responses, let sampleRate):
      let isUsable = responses.allSatisfy { response in
        (1...8192).contains(response.count) && response.allSatisfy(\.isFinite)
          && response.contains { $0 != 0 }
      }
      guard responses.count == 4, isUsable, sampleRate > 0 else {
        throw SafelightError(
          .invalidValue, "The capsules' \(responses.count) impulse responses are no calibration",
          remedy: "give four of 1…8192 samples, none of them silent")
      }
    }
  }

  /// What each capsule's samples are multiplied by.
  var factors: SIMD4<Double> {
    guard case .gains(let gains) = self else { return SIMD4(repeating: 1) }
    return SIMD4(gains.map { pow(10, -$0 / 20) })
  }

  /// Filters that turn each capsule's response into that of an ideal one, delayed by `taps / 2` samples.
  ///
  /// Regularised inversion: notches are not filled by more than 20 dB.
  /// Source: O. Kirkeby et al., Fast deconvolution of multichannel systems using regularization, IEEE Trans.
  /// SAP 6 (1998).
  /// - Parameter taps: Odd.
  /// - Returns: Nil without responses.
  /// - Throws: `SafelightError` if they were measured at another rate.
  func filters(sampleRate: Int, taps: Int) throws -> [[Float]]? {
    guard case .responses(let responses, let measuredRate) = self else { return nil }
    guard measuredRate == sampleRate else {
      throw SafelightError(
        .invalidValue, "The capsules were measured at \(measuredRate) Hz, and the sound has \(sampleRate)",
        remedy: "record at \(measuredRate) Hz, or measure them again")
    }
    let longest = responses.map(\.count).max() ?? 1
    let size = DesignSpectrum.powerOfTwo(atLeast: 2 * longest + 4 * taps)
    // The delay that all have in common is not the capsules'.
    let start = responses.compactMap(Self.peak).min() ?? 0
    return responses.map { response in
      var spectrum = DesignSpectrum(response.map(Double.init), size: size)
      let mean = spectrum.bins.reduce(0) { $0 + $1.power } / Double(size)
      let floor = mean * 0.0025
      for k in spectrum.bins.indices {
        let bin = spectrum.bins[k]
        spectrum.bins[k] =
          bin.conjugate * (1 / (bin.power + floor))
          * Complex(angle: -2 * .pi * Double(k * start) / Double(size))
      }
      return spectrum.centredFilter(taps: taps)
    }
  }

  private static func peak(_ response: [Float]) -> Int? {
    response.indices.max { abs(response[$0]) < abs(response[$1]) }
  }
}
