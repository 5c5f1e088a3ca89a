import FrameCore
import Libc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite("Ambisonics of first order")
struct AmbisonicTests {
  /// Nachbar et al. 2011 (SN3D, ACN) and Malham 1998 (W lower by 3.01 dB) for the axes.
  @Test func gainsOfTheAxesAreThoseOfTheFormats() {
    let axes = [(0.0, 0.0), (90, 0), (0, 90), (180, 0)].map { Direction(azimuth: $0.0, elevation: $0.1) }
    let ambiX: [SIMD4<Double>] = [[1, 0, 0, 1], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, -1]]
    let fuMa: [SIMD4<Double>] = [
      [0.70710678, 1, 0, 0], [0.70710678, 0, 1, 0], [0.70710678, 0, 0, 1], [0.70710678, -1, 0, 0],
    ]
    for (index, axis) in axes.enumerated() {
      for (format, expected) in [(AmbisonicFormat.ambiX, ambiX[index]), (.fuMa, fuMa[index])] {
        let off = format.gains(for: axis) - expected
        #expect((off * off).sum() < 1e-15, "\(format) \(axis)")
      }
    }
  }

  @Test(arguments: AmbisonicFormat.allCases)
  func encodedDirectionIsWithinAHundredthOfADegree(format: AmbisonicFormat) {
    // Decoded by six loudspeakers on the axes, whose gains' centroid (Gerzon's velocity vector) must be the
    // source.
    var random = SeededRandom(seed: 1)
    var worst = 0.0
    for _ in 0..<2000 {
      let truth = Direction(azimuth: 180 * random.unit(), elevation: 90 * random.unit())
      var encoder = AmbisonicEncoder(truth, format: format)
      let frame = encoder.process([Float(0.8 * random.unit() + 0.1)]).map(Double.init)
      let w = format == .ambiX ? frame[0] : frame[0] * 2.0.squareRoot()
      let xyz = format == .ambiX ? SIMD3(frame[3], frame[1], frame[2]) : SIMD3(frame[1], frame[2], frame[3])
      var (centroid, total) = (SIMD3<Double>.zero, 0.0)
      for axis in [SIMD3<Double>(1, 0, 0), [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]] {
        let gain = (w + 3 * (axis * xyz).sum()) / 6
        centroid += axis * gain
        total += gain
      }
      let (a, e) = (truth.azimuth * .pi / 180, truth.elevation * .pi / 180)
      let expected = SIMD3(cos(e) * cos(a), cos(e) * sin(a), sin(e))
      worst = max(worst, Sphere.angle(centroid / total, expected))
    }
    #expect(worst <= 0.01)
  }

  @Test func aMovingSourceIsEncodedWithoutSteps() {
    var encoder = AmbisonicEncoder(Direction(azimuth: 0))
    encoder.direction = Direction(azimuth: 90)
    let ones = [Float](repeating: 1, count: 100)
    let frames = encoder.process(ones)
    for frame in 1..<100 { #expect(abs(frames[4 * frame + 1] - frames[4 * frame - 3]) < 0.0101) }
    #expect(abs(frames[397] - 1) < 1e-6 && abs(frames[399]) < 1e-6)
    let later = encoder.process(ones)
    #expect(later[1] == frames[397] && later[397] == frames[397])
  }

  @Test func sourcesAddUp() {
    var (a, b) = (
      AmbisonicEncoder(Direction(azimuth: 30)), AmbisonicEncoder(Direction(azimuth: -70, elevation: 20))
    )
    let (left, right) = (Sphere.noise(64, seed: 2), Sphere.noise(64, seed: 3))
    var scene = a.process(left)
    let other = b.process(right)
    var adding = AmbisonicEncoder(Direction(azimuth: -70, elevation: 20))
    let expected = zip(scene, other).map { $0 + $1 }
    right.withUnsafeBufferPointer { input in
      scene.withUnsafeMutableBufferPointer { adding.process(input, into: $0, adds: true) }
    }
    #expect(scene == expected)
  }

  @Test func formatsConvertExactly() {
    let ambiX = Sphere.noise(4 * 1000, seed: 4)
    let fuMa = AmbisonicFormat.ambiX.convert(to: .fuMa, ambiX)
    let back = AmbisonicFormat.fuMa.convert(to: .ambiX, fuMa)
    for frame in stride(from: 0, to: ambiX.count, by: 4) {
      // W, Y, Z, X to W, X, Y, Z.
      #expect(fuMa[frame + 1] == ambiX[frame + 3])
      #expect(fuMa[frame + 2] == ambiX[frame + 1])
      #expect(fuMa[frame + 3] == ambiX[frame + 2])
      #expect(abs(Double(fuMa[frame]) - Double(ambiX[frame]) / 2.0.squareRoot()) <= Double(ambiX[frame].ulp))
      #expect(abs(back[frame] - ambiX[frame]) <= ambiX[frame].ulp)
      #expect(back[frame + 1..<frame + 4] == ambiX[frame + 1..<frame + 4])
    }
    #expect(AmbisonicFormat.ambiX.convert(to: .ambiX, ambiX) == ambiX)
  }

  @Test func formatsConvertInPlace() {
    var samples = Sphere.noise(400, seed: 5)
    let expected = AmbisonicFormat.ambiX.convert(to: .fuMa, samples)
    samples.withUnsafeMutableBufferPointer {
      AmbisonicFormat.ambiX.convert(to: .fuMa, UnsafeBufferPointer($0), into: $0)
    }
    #expect(samples == expected)
  }

  @Test func virtualMicrophonesHaveTheirPattern() {
    var random = SeededRandom(seed: 6)
    for _ in 0..<200 {
      let (angle, pattern) = (90 + 90 * random.unit(), 0.5 + 0.5 * random.unit())
      let azimuth = 180 * random.unit()
      var encoder = AmbisonicEncoder(Direction(azimuth: azimuth))
      let stereo = StereoDecoder(angle: angle, pattern: pattern).process(encoder.process([1]))
      for (channel, axis) in [(0, angle), (1, -angle)] {
        let expected = pattern + (1 - pattern) * cos((azimuth - axis) * .pi / 180)
        #expect(abs(Double(stereo[channel]) - expected) < 1e-6)
      }
    }
  }

  @Test func monoIsWhatAllSidesSound() {
    var encoder = AmbisonicEncoder(Direction(azimuth: 130, elevation: -40))
    let signal = Sphere.noise(50, seed: 7)
    #expect(StereoDecoder.mono(encoder.process(signal)) == signal)
  }

  @Test func directionsSurviveVectors() {
    var random = SeededRandom(seed: 8)
    for _ in 0..<500 {
      let direction = Direction(azimuth: 180 * random.unit(), elevation: 90 * random.unit())
      let vector = direction.unitVector
      let back = Direction(vector * 7)
      #expect(back.map { $0.angle(to: direction) < 1e-9 } == true)
      #expect(abs(direction.angle(to: Direction(-vector) ?? direction) - 180) < 1e-6)
    }
    #expect(Direction(.zero) == nil)
    #expect(Direction(SIMD3(.nan, 0, 0)) == nil)
  }
}
