import FrameCore
import Libc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite("Capsules to ambisonics")
struct CapsuleConverterTests {
  /// Plane waves with exact delays from 300 directions; 8 kHz is above the aliasing frequency of 3.6 kHz.
  @Test func directionIsWithinADegreeAtOneKilohertz() throws {
    let filtered = try MeasuredConverter(.typeI, sampleRate: 48_000)
    let plain = try MeasuredConverter(.typeI, sampleRate: 48_000, isEqualized: false)
    let bounds = [(1000.0, 1.0), (2000, 2), (4000, 7), (8000, 21)]
    for (frequency, bound) in bounds {
      let with = filtered.directionErrors(SimulatedArray(), frequency)
      let without = plain.directionErrors(SimulatedArray(), frequency)
      #expect(with.worst <= bound)
      #expect(with.worst < without.worst && with.mean < without.mean)
    }
  }

  @Test(arguments: [8_000, 44_100, 96_000, 192_000], [0.010, 0.020])
  func directionHoldsAtOtherRatesAndSizes(sampleRate: Int, radius: Double) throws {
    let array = try TetrahedralArray(radius: radius)
    let measured = try MeasuredConverter(array, sampleRate: sampleRate)
    let errors = measured.directionErrors(SimulatedArray(radius: radius), 1000)
    #expect(errors.worst <= 1, "\(errors)")
  }

  @Test(arguments: [0.37, 0.5, 0.7], [0.010, 0.015, 0.025])
  func responseIsWithinADecibelUpToAliasing(pattern: Double, radius: Double) throws {
    let array = try TetrahedralArray(radius: radius, pattern: pattern)
    let measured = try MeasuredConverter(array, sampleRate: 48_000)
    let simulated = SimulatedArray(radius: radius, pattern: pattern)
    let axes: [(Int, SIMD3<Double>)] = [(1, [0, 1, 0]), (2, [0, 0, 1]), (3, [1, 0, 0])]
    var frequency = 40.0
    while frequency <= array.aliasingFrequency {
      for (channel, axis) in axes {
        let b = measured.convert(simulated.heard(frequency, from: axis, sampleRate: 48_000), frequency)
        #expect(abs(decibels(b[channel].magnitude)) <= 1, "channel \(channel) at \(frequency) Hz")
        #expect(abs(decibels(b[0].magnitude)) <= 1, "W at \(frequency) Hz")
      }
      let pressure = measured.matrix(frequency)[0]
      let all = Sphere.directions(100).map { u in
        zip(pressure, simulated.heard(frequency, from: u, sampleRate: 48_000))
          .reduce(Complex.zero) { $0 + $1.0 * $1.1 }.power
      }
      #expect(abs(decibels((all.reduce(0, +) / 100).squareRoot())) <= 0.25)
      frequency *= 1.3
    }
  }

  @Test func velocityStaysNearThePhaseOfPressure() throws {
    // The price of the direction: half of kr, 8° at 1 kHz and less than 20° at the aliasing frequency.
    let measured = try MeasuredConverter(.typeI, sampleRate: 48_000)
    for (frequency, bound) in [(100.0, 1.0), (1000, 8), (3600, 20), (6000, 20), (10_000, 20), (15_000, 45)] {
      let heard = SimulatedArray().heard(frequency, from: [0, 1, 0], sampleRate: 48_000)
      let b = measured.convert(heard, frequency)
      #expect(abs((b[1] * b[0].conjugate).angle) * 180 / .pi <= bound, "\(frequency) Hz")
    }
  }

  @Test func powerOfADiffuseFieldIsKeptAboveAliasing() throws {
    let measured = try MeasuredConverter(.typeI, sampleRate: 48_000)
    for frequency in [8000.0, 10_000, 12_000, 14_000] {
      var power = [0.0, 0, 0, 0]
      let directions = Sphere.directions(400)
      for u in directions {
        let b = measured.convert(SimulatedArray().heard(frequency, from: u, sampleRate: 48_000), frequency)
        for channel in 0..<4 { power[channel] += b[channel].power / Double(directions.count) }
      }
      // The mean square of a cosine over the sphere is 1/3.
      #expect(abs(decibels(power[0].squareRoot())) <= 1, "W at \(frequency) Hz")
      for channel in 1..<4 {
        #expect(abs(decibels((3 * power[channel]).squareRoot())) <= 1, "\(frequency) Hz")
      }
    }
  }

  @Test func lowFrequenciesHaveTheAmplitudeOfTheWave() throws {
    for pattern in [0.3, 0.5, 0.75] {
      for isEqualized in [true, false] {
        let measured = try MeasuredConverter(
          TetrahedralArray(pattern: pattern), sampleRate: 48_000, isEqualized: isEqualized)
        let simulated = SimulatedArray(pattern: pattern)
        let heard = simulated.heard(20, from: SIMD3(0.6, 0.8, 0), sampleRate: 48_000)
        let b = measured.convert(heard, 20).map(\.magnitude)
        for (value, expected) in zip(b, [1, 0.8, 0, 0.6]) { #expect(abs(value - expected) < 0.02) }
      }
    }
  }

  @Test func aRealSineComesFromWhereItIs() throws {
    // In time: a sine with exact delays, streamed in odd blocks, read by the meter.
    let u = SIMD3<Double>(0.36, -0.48, 0.8)
    let samples = SimulatedArray().sine(1000, from: u, sampleRate: 48_000, frames: 9600)
    var converter = try CapsuleConverter(.typeI, sampleRate: 48_000)
    var meter = DirectionMeter(sampleRate: 48_000, timeConstant: 0.02)
    for start in stride(from: 0, to: samples.count, by: 4 * 173) {
      meter.process(converter.process(Array(samples[start..<min(start + 4 * 173, samples.count)])))
    }
    let found = try #require(meter.reading.direction)
    #expect(Sphere.angle(found.unitVector, u) <= 1)
  }

  @Test func typesOrdersAndMountingsAgree() throws {
    // How each mounting moves the array's own front, left and top in the room, written out.
    let held: [(ArrayMounting, front: SIMD3<Double>, left: SIMD3<Double>, top: SIMD3<Double>)] = [
      (.upright, [1, 0, 0], [0, 1, 0], [0, 0, 1]),
      (.upsideDown, [1, 0, 0], [0, -1, 0], [0, 0, -1]),
      (.endfire, [0, 0, -1], [0, 1, 0], [1, 0, 0]),
      (.endfireUp, [0, 0, 1], [0, -1, 0], [1, 0, 0]),
    ]
    #expect(Set(held.map(\.0)) == Set(ArrayMounting.allCases))
    let sides: [CapsulePosition: SIMD3<Double>] = [
      .frontLeftUp: [1, 1, 1], .frontRightDown: [1, -1, -1], .backLeftDown: [-1, 1, -1],
      .backRightUp: [-1, -1, 1],
      .frontLeftDown: [1, 1, -1], .frontRightUp: [1, -1, 1], .backLeftUp: [-1, 1, 1],
      .backRightDown: [-1, -1, -1],
    ]
    var random = SeededRandom(seed: 31)
    for type in [CapsulePosition.typeI, CapsulePosition.typeII] {
      for (mounting, front, left, top) in held {
        let order = type.shuffled(using: &random)
        let array = try TetrahedralArray(order: order, mounting: mounting)
        let capsules = order.map { position in
          let side = sides[position, default: .zero]
          return (front * side.x + left * side.y + top * side.z) / 3.0.squareRoot()
        }
        let measured = try MeasuredConverter(array, sampleRate: 48_000)
        let errors = measured.directionErrors(SimulatedArray(capsules: capsules), 1000, directions: 60)
        #expect(errors.worst <= 1, "\(mounting) \(order): \(errors)")
      }
    }
  }

  @Test func blocksOfAnySizeGiveTheSameResult() throws {
    let samples = Sphere.noise(4 * 3000, seed: 32)
    var whole = try CapsuleConverter(.typeI, sampleRate: 48_000)
    var parts = whole
    let expected = whole.process(samples)
    var random = SeededRandom(seed: 33)
    var (result, start) = ([Float](), 0)
    while start < samples.count {
      let end = min(start + 4 * Int.random(in: 0...700, using: &random), samples.count)
      result += parts.process(Array(samples[start..<end]))
      start = end
    }
    #expect(result == expected)
  }

  @Test(arguments: [true, false])
  func latencyIsTheDelayOfAWaveAtTheCentre(isCalibrated: Bool) throws {
    let array = try TetrahedralArray(
      calibration: isCalibrated ? .responses([[1], [1], [1], [1]], sampleRate: 48_000) : .none)
    let latency = try CapsuleConverter(array, sampleRate: 48_000).latency
    #expect(latency == (isCalibrated ? 48 + 97 : 48))
    let measured = try MeasuredConverter(array, sampleRate: 48_000)
    for frequency in [200.0, 1000, 3000] {
      let heard = SimulatedArray().heard(frequency, from: [1, 0, 0], sampleRate: 48_000)
      let undone = Complex(angle: 2 * .pi * frequency * Double(latency) / 48_000)
      let w = measured.convert(heard, frequency)[0] * undone
      #expect(abs(w.angle) < 0.02, "\(frequency) Hz")
    }
  }

  @Test func ratesOutOfRangeAreRefused() {
    for rate in [0, -1, 7999, 400_000] {
      #expect(throws: SafelightError.self) { try CapsuleConverter(.typeI, sampleRate: rate) }
    }
  }
}
