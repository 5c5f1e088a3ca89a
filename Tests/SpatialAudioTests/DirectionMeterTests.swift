import Libc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite("Direction meter")
struct DirectionMeterTests {
  @Test func aPlaneWaveIsFoundWhereItIs() throws {
    var random = SeededRandom(seed: 21)
    for seed in 0..<20 {
      let truth = Direction(azimuth: 180 * random.unit(), elevation: 90 * random.unit())
      var encoder = AmbisonicEncoder(truth)
      var meter = DirectionMeter(sampleRate: 48_000, timeConstant: 0.01)
      meter.process(encoder.process(Sphere.noise(4800, seed: UInt64(seed))))
      let found = try #require(meter.reading.direction)
      #expect(found.angle(to: truth) < 0.01)
      #expect(meter.reading.diffuseness < 1e-6)
      // White noise of −1…1 has the mean square 1/3.
      #expect(abs(meter.reading.power - 1.0 / 3) < 0.05)
    }
  }

  @Test func manyIndependentSourcesAreDiffuse() {
    var scene = [Float](repeating: 0, count: 4 * 9600)
    for (index, u) in Sphere.directions(60).enumerated() {
      guard let direction = Direction(u) else { continue }
      var encoder = AmbisonicEncoder(direction)
      Sphere.noise(9600, seed: UInt64(index + 100)).withUnsafeBufferPointer { noise in
        scene.withUnsafeMutableBufferPointer { encoder.process(noise, into: $0, adds: true) }
      }
    }
    var meter = DirectionMeter(sampleRate: 48_000, timeConstant: 0.05)
    meter.process(scene)
    #expect(meter.reading.diffuseness > 0.95)
  }

  @Test func halfOfADiffuseFieldAndAWaveIsHalfDiffuse() throws {
    // Pulkki's diffuseness of a wave of power 1 in a diffuse field of power 1: W² doubles, the intensity
    // stays.
    var scene = [Float](repeating: 0, count: 4 * 16_000)
    let sources = Sphere.directions(60)
    for (index, u) in ([SIMD3(0, 1, 0)] + sources).enumerated() {
      let level = index == 0 ? 1 : 1 / Float(sources.count).squareRoot()
      var encoder = AmbisonicEncoder(try #require(Direction(u)))
      Sphere.noise(16_000, seed: UInt64(index + 300)).map { $0 * level }.withUnsafeBufferPointer { noise in
        scene.withUnsafeMutableBufferPointer { encoder.process(noise, into: $0, adds: true) }
      }
    }
    var meter = DirectionMeter(sampleRate: 48_000, timeConstant: 0.1)
    meter.process(scene)
    #expect(abs(meter.reading.diffuseness - 0.5) < 0.05)
    #expect(try #require(meter.reading.direction).angle(to: Direction(azimuth: 90)) < 3)
  }

  @Test func silenceHasNoDirection() {
    var meter = DirectionMeter(sampleRate: 48_000)
    meter.process([Float](repeating: 0, count: 400))
    #expect(meter.reading.direction == nil)
    #expect(meter.reading.diffuseness == 1)
  }

  @Test func aDamagedSampleIsForgotten() throws {
    var meter = DirectionMeter(sampleRate: 48_000)
    var encoder = AmbisonicEncoder(Direction(azimuth: 45))
    meter.process([.nan, 0, 0, 0, 1, .infinity, 0, 0])
    meter.process(encoder.process(Sphere.noise(480, seed: 22)))
    #expect(try #require(meter.reading.direction).angle(to: Direction(azimuth: 45)) < 0.01)
  }
}
