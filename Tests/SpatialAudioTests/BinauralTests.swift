import Foundation
import FrameCore
import Libc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite(
  "Binaural monitoring",
  .enabled(if: Libc.access(HeadResponses.defaultPath, R_OK) == 0, "libmysofa1 is missing"))
struct BinauralTests {
  private static let rate = 48_000

  /// The filters of a monitor, measured with impulses.
  private struct MeasuredMonitor {
    /// By ear and channel.
    var responses: [[[Float]]] = [[], []]

    init(_ loudspeakers: VirtualLoudspeakers = .cube, sampleRate: Int = rate) throws {
      let monitor = try BinauralMonitor(HeadResponses(sampleRate: sampleRate), loudspeakers: loudspeakers)
      for channel in 0..<4 {
        var copy = monitor
        var impulse = [Float](repeating: 0, count: 4 * (sampleRate / 50))
        impulse[channel] = 1
        let result = Array(copy.process(impulse).dropFirst(2 * monitor.latency))
        for ear in 0..<2 {
          responses[ear].append(stride(from: ear, to: result.count, by: 2).map { result[$0] })
        }
      }
    }

    /// What both ears together hear of a wave of amplitude 1 from each direction.
    func powers(_ frequency: Double, _ sampleRate: Int, _ directions: [SIMD3<Double>]) -> [Double] {
      let spectra = responses.map { $0.map { SimulatedArray.transform($0, frequency, sampleRate) } }
      return directions.map { u in
        let gains = [1, u.y, u.z, u.x]
        return spectra.map { ear in zip(ear, gains).reduce(Complex.zero) { $0 + $1.0 * $1.1 }.power }.reduce(
          0, +)
      }
    }

    /// What the ears hear of an impulse from a direction.
    func ears(_ direction: Direction) -> HeadResponses.Ears {
      let u = direction.unitVector
      let gains = [1, u.y, u.z, u.x].map(Float.init)
      let both = responses.map { channels in
        channels[0].indices.map { time in
          (0..<4).reduce(Float(0)) { $0 + gains[$1] * channels[$1][time] }
        }
      }
      return HeadResponses.Ears(left: both[0], right: both[1])
    }
  }

  /// By how much the left ear is ahead, in microseconds, of what is below 700 Hz or so: the peak of the
  /// correlation.
  private static func lead(_ ears: HeadResponses.Ears) -> Double {
    func lowPassed(_ samples: [Float]) -> [Double] {
      // Three times a mean over 1 ms.
      var values = samples.map(Double.init) + [Double](repeating: 0, count: 150)
      for _ in 0..<3 {
        var (sum, result) = (0.0, values)
        for index in values.indices {
          sum += values[index] - (index >= 48 ? values[index - 48] : 0)
          result[index] = sum
        }
        values = result
      }
      return values
    }
    let (left, right) = (lowPassed(ears.left), lowPassed(ears.right))
    let lags = -60...60
    let correlation = lags.map { lag in
      left.indices.reduce(0.0) { sum, index in
        let other = index + lag
        return right.indices.contains(other) ? sum + left[index] * right[other] : sum
      }
    }
    guard let best = correlation.indices.dropFirst().dropLast().max(by: { correlation[$0] < correlation[$1] })
    else { return .nan }
    let (a, b, c) = (correlation[best - 1], correlation[best], correlation[best + 1])
    let peak = Double(best - 60) + (a - c) / (2 * (a - 2 * b + c))
    return peak / Double(rate) * 1e6
  }

  /// How much louder the left ear is, in dB.
  private static func difference(_ ears: HeadResponses.Ears) -> Double {
    func power(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }
    return decibels((power(ears.left) / power(ears.right)).squareRoot())
  }

  @Test func soundFromTheLeftIsEarlierAndLouderInTheLeftEar() throws {
    let head = try HeadResponses(sampleRate: Self.rate)
    for (loudspeakers, least) in [(VirtualLoudspeakers.cube, 0.45), (.icosahedron, 0.35)] {
      let monitor = try MeasuredMonitor(loudspeakers)
      for azimuth in [90.0, 60, 30, 0, -45, -90] {
        let direction = Direction(azimuth: azimuth)
        let (own, direct) = (monitor.ears(direction), try head.responses(to: direction))
        let times = (own: Self.lead(own), direct: Self.lead(direct))
        let levels = (own: Self.difference(own), direct: Self.difference(direct))
        #expect(abs(times.own - times.direct) <= 80, "\(loudspeakers) \(azimuth)°")
        if azimuth == 0 {
          #expect(abs(times.own) < 1 && abs(levels.own) < 0.1)
        } else {
          #expect(times.own * azimuth > 0 && levels.own * azimuth > 0)
          // First order is less directional than a head: half of the difference in level is left.
          #expect((least...1).contains(levels.own / levels.direct), "\(loudspeakers) \(azimuth)°: \(levels)")
        }
      }
    }
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func aDiffuseFieldKeepsItsPowerInEachOctave(sampleRate: Int) throws {
    // Impulses from 60 directions by themselves, against the responses of the same directions.
    let head = try HeadResponses(sampleRate: sampleRate)
    let monitor = try MeasuredMonitor(sampleRate: sampleRate)
    let directions = Sphere.directions(60)
    let direct = try directions.compactMap(Direction.init).map { try head.responses(to: $0) }
    var levels: [Double] = []
    for octave in [125.0, 250, 500, 1000, 2000, 4000, 8000] {
      var powers = (own: 0.0, direct: 0.0)
      for step in 0..<4 {
        let frequency = octave * pow(2, Double(step) / 4 - 0.375)
        powers.own += monitor.powers(frequency, sampleRate, directions).reduce(0, +)
        for ears in direct {
          for ear in [ears.left, ears.right] {
            powers.direct += SimulatedArray.transform(ear, frequency, sampleRate).power
          }
        }
      }
      levels.append(decibels((powers.own / powers.direct).squareRoot()))
    }
    let mean = levels[2...4].reduce(0, +) / 3
    for level in levels { #expect(abs(level - mean) <= 1) }
  }

  @Test func aDiffuseFieldIsAsLoudAsItsPressure() throws {
    // W alone has the power 1; white noise between 300 Hz and 3 kHz, both ears.
    let monitor = try MeasuredMonitor()
    let powers = stride(from: 350.0, to: 2950, by: 130).flatMap {
      monitor.powers($0, Self.rate, Sphere.directions(60))
    }
    let mean = powers.reduce(0, +) / Double(2 * powers.count)
    #expect(abs(decibels(mean.squareRoot())) < 1)
  }

  @Test func turningTheHeadToASourceBringsItToTheFront() throws {
    let noise = Sphere.noise(2048, seed: 81)
    var (left, front) = (AmbisonicEncoder(Direction(azimuth: 70)), AmbisonicEncoder(Direction(azimuth: 0)))
    var still = try BinauralMonitor(HeadResponses(sampleRate: Self.rate))
    var turned = still
    turned.headRotation = Rotation(yaw: 70)
    // The first block turns.
    let silence = [Float](repeating: 0, count: 4 * still.latency)
    _ = (turned.process(silence), still.process(silence))
    let (a, b) = (turned.process(left.process(noise)), still.process(front.process(noise)))
    for (x, y) in zip(a, b) { #expect(abs(x - y) < 1e-5) }
  }

  @Test func blocksOfAnySizeGiveTheSameResult() throws {
    let samples = Sphere.noise(4 * 3000, seed: 82)
    var whole = try BinauralMonitor(HeadResponses(sampleRate: Self.rate), block: 64)
    var parts = whole
    let expected = whole.process(samples)
    var random = SeededRandom(seed: 83)
    var (result, start) = ([Float](), 0)
    while start < samples.count {
      let end = min(start + 4 * Int.random(in: 0...300, using: &random), samples.count)
      result += parts.process(Array(samples[start..<end]))
      start = end
    }
    #expect(result == expected)
    #expect(expected[..<128].allSatisfy { $0 == 0 } && expected[128...].contains { $0 != 0 })
  }

  @Test func layoutsAreRegular() {
    for loudspeakers in VirtualLoudspeakers.allCases {
      let vectors = loudspeakers.directions.map(\.unitVector)
      #expect(Set(vectors).count == vectors.count)
      // A 2-design: the mean is zero, the mean of products a third of the identity.
      let mean = vectors.reduce(.zero, +)
      #expect((mean * mean).sum() < 1e-20)
      for (row, unit) in [(0, SIMD3<Double>(1, 0, 0)), (1, [0, 1, 0]), (2, [0, 0, 1])] {
        let products = vectors.reduce(SIMD3<Double>.zero) { $0 + $1 * $1[row] } / Double(vectors.count)
        let off = products - unit / 3
        #expect((off * off).sum() < 1e-20)
      }
    }
    #expect(VirtualLoudspeakers.allCases.map(\.directions.count) == [8, 12])
  }

  @Test func filesThatAreNoHeadAreRefused() throws {
    let scratch = try Scratch()
    #expect(
      message { _ = try HeadResponses(path: scratch("no.sofa"), sampleRate: 48_000) }?.contains(
        "cannot be opened") == true)
    try scratch.write("This is not HDF5", to: "text.sofa")
    #expect(
      message { _ = try HeadResponses(path: scratch("text.sofa"), sampleRate: 48_000) }?.contains(
        "SimpleFreeFieldHRIR") == true)
    try scratch.write([], to: "empty.sofa")
    #expect(throws: SafelightError.self) {
      try HeadResponses(path: scratch("empty.sofa"), sampleRate: 48_000)
    }
    let whole = try Data(contentsOf: URL(filePath: HeadResponses.defaultPath))
    for part in [8, 100, 4096, whole.count / 2] {
      try scratch.write(Array(whole.prefix(part)), to: "cut.sofa")
      #expect(
        message { _ = try HeadResponses(path: scratch("cut.sofa"), sampleRate: 48_000) }?.isEmpty == false)
    }
    #expect(throws: SafelightError.self) { try HeadResponses(path: scratch.path, sampleRate: 48_000) }
    #expect(throws: SafelightError.self) { try HeadResponses(path: "-", sampleRate: 48_000) }
    #expect(throws: SafelightError.self) { try HeadResponses(sampleRate: 1) }
  }

  @Test func blocksThatAreNoneAreRefused() throws {
    let head = try HeadResponses(sampleRate: Self.rate)
    for block in [0, 16, 100, 2048, -128] {
      #expect(throws: SafelightError.self) { try BinauralMonitor(head, block: block) }
    }
  }
}
