import ColorScience
import FilterGraph
import Libc
import Testing

@Suite("Noise levels")
struct NoiseLevelTests {
  static let levels = [
    NoiseLevel(deviation: 0.04), NoiseLevel.typical, NoiseLevel(iso: 100, encoding: [.sRGB]),
    NoiseLevel(iso: 51_200, encoding: [.gamma(2.2)]), NoiseLevel(deviations: [0.3, 0.01, 0.01, 0.2]),
  ]

  @Test("have one deviation after they are stabilized, and samples come back", arguments: levels)
  func stabilizer(level: NoiseLevel) {
    let stabilizer = NoiseStabilizer(level)
    for sample in stride(from: -1.0, through: 2, by: 1.0 / 64) {
      #expect(abs(stabilizer.restore(stabilizer.stabilize(sample)) - sample) < 1e-9)
      // The slope, times the deviation of the sample.
      let step = 1e-6
      let slope = (stabilizer.stabilize(sample + step) - stabilizer.stabilize(sample - step)) / (2 * step)
      #expect(abs(slope * level.deviation(at: sample) - 1) < 1e-3, "\(sample)")
    }
  }

  @Test("of light are those of its samples: the square root of the photons, times the encoding's slope")
  func light() {
    // Linear samples of 10,000 photons: 1 % of white, and 10 % of a hundredth of it.
    let linear = NoiseLevel(slope: 1e-4, floor: 0, encoding: [.linear])
    #expect(abs(linear.deviation(at: 1) - 0.01) < 1e-6)
    #expect(abs(linear.deviation(at: 0.25) - 0.005) < 1e-6)
    // A square root as encoding makes photon noise even: half of 1 %.
    let even = NoiseLevel(slope: 1e-4, floor: 0, encoding: [.gamma(2)])
    for sample in stride(from: 0.125, through: 1, by: 0.125) {
      #expect(abs(even.deviation(at: sample) - 0.005) < 5e-5, "\(sample)")
    }
  }

  @Test("rise with the sensitivity, and the typical one is that of a dim room")
  func sensitivity() {
    let deviations = [100.0, 400, 1600, 6400, 25_600].map {
      NoiseLevel(iso: $0, encoding: [.sRGB]).deviation(at: 0.5)
    }
    #expect(zip(deviations, deviations.dropFirst()).allSatisfy { $1 > 1.5 * $0 && $1 < 3 * $0 })
    #expect((1.5...6).contains(NoiseLevel.typical.deviation(at: 0.5) * 255))
  }

  @Test("limit numbers that are none")
  func limits() {
    let level = NoiseLevel(deviations: [.nan, .infinity, -1], colorRatio: .nan)
    #expect(level.deviations == [1e-4, 0.5, 1e-4] && level.colorRatio == 0.1)
    #expect(NoiseLevel(deviations: []).deviations.count == 2)
    #expect(NoiseLevel(iso: .nan, encoding: []).deviations.allSatisfy { NoiseLevel.range.contains($0) })
  }
}
