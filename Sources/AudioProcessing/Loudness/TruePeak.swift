import Libc

/// The peaks of the wave between samples, by interpolation: four times up below 96 kHz, twice below 192 kHz,
/// and not at all above.
///
/// Source: ITU-R BS.1770-4, annex 2, with a sinc of 49 taps under a Hann window.
struct TruePeak {
  private static let taps = 49
  let factor: Int
  /// For each sample back in time, its weight in the interpolated values between two samples.
  private let weights: [SIMD4<Float>]
  /// The last samples of each channel, oldest first.
  private var history: [[Float]]
  private var scratch: [Float] = []

  init(sampleRate: Int, channelCount: Int) {
    factor = sampleRate < 96_000 ? 4 : sampleRate < 192_000 ? 2 : 1
    var weights = [SIMD4<Float>](repeating: .zero, count: (Self.taps - 1) / factor + 1)
    for tap in 0..<Self.taps {
      let angle = Double(tap - (Self.taps - 1) / 2) * .pi / Double(factor)
      let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
      let window = 0.5 * (1 - cos(2 * .pi * Double(tap) / Double(Self.taps - 1)))
      weights[tap / factor][tap % factor] = Float(sinc * window)
    }
    self.weights = weights
    history = [[Float]](
      repeating: [Float](repeating: 0, count: factor == 1 ? 0 : weights.count - 1), count: channelCount)
  }

  /// Returns the largest absolute value between the next samples of a channel, each `stride` floats apart.
  mutating func peak(of samples: UnsafePointer<Float>, count: Int, stride: Int, channel: Int) -> Float {
    guard factor > 1 else { return 0 }
    let before = weights.count - 1
    if scratch.count < before + count { scratch = [Float](repeating: 0, count: before + count) }
    return scratch.withUnsafeMutableBufferPointer { scratch in
      for index in 0..<before { scratch[index] = history[channel][index] }
      for index in 0..<count { scratch[before + index] = samples[index * stride] }
      let largest = weights.withUnsafeBufferPointer { weights in
        var largest = SIMD4<Float>.zero
        for index in 0..<count {
          var sum = SIMD4<Float>.zero
          for tap in 0...before { sum += weights[tap] * scratch[before + index - tap] }
          largest.replace(with: sum, where: sum .> largest)
          largest.replace(with: -sum, where: -sum .> largest)
        }
        return largest
      }
      for index in 0..<before { history[channel][index] = scratch[count + index] }
      return largest.max()
    }
  }
}
