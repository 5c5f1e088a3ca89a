import Libc

@testable import SpatialAudio

/// An array of four capsules in a free field, computed from each capsule's place alone: exact delays of plane
/// waves, no spherical harmonics, no code under test.
struct SimulatedArray {
  /// Where each channel's capsule is and looks, in the room; length 1.
  var capsules: [SIMD3<Double>] = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]].map {
    $0 / 3.0.squareRoot()
  }
  var radius = 0.015
  var pattern = 0.5
  /// What each capsule's signal is filtered with.
  var responses: [[Float]] = [[1], [1], [1], [1]]
  let speedOfSound = 343.2

  /// The channels' phasors for a wave of amplitude 1 from `u`.
  func heard(_ frequency: Double, from u: SIMD3<Double>, sampleRate: Int) -> [Complex] {
    capsules.indices.map { index in
      let x = (capsules[index] * u).sum()
      let delay = Complex(angle: 2 * .pi * frequency * radius * x / speedOfSound)
      return delay * (pattern + (1 - pattern) * x)
        * Self.transform(responses[index], frequency, sampleRate)
    }
  }

  /// The first samples of a sine of amplitude 1 from `u`, interleaved.
  func sine(_ frequency: Double, from u: SIMD3<Double>, sampleRate: Int, frames: Int) -> [Float] {
    (0..<frames).flatMap { frame in
      capsules.map { capsule in
        let x = (capsule * u).sum()
        let time = Double(frame) / Double(sampleRate) + radius * x / speedOfSound
        return Float((pattern + (1 - pattern) * x) * sin(2 * .pi * frequency * time))
      }
    }
  }

  static func transform(_ samples: [Float], _ frequency: Double, _ sampleRate: Int) -> Complex {
    var sum = Complex.zero
    for (index, sample) in samples.enumerated() where sample != 0 {
      sum = sum + Complex(angle: -2 * .pi * frequency * Double(index) / Double(sampleRate)) * Double(sample)
    }
    return sum
  }
}

/// What a converter makes of an impulse in each channel: all there is to know of it.
struct MeasuredConverter {
  /// By input and output channel.
  private var responses: [[[Float]]] = []
  let sampleRate: Int

  init(_ array: TetrahedralArray, sampleRate: Int, isEqualized: Bool = true) throws {
    self.sampleRate = sampleRate
    let converter = try CapsuleConverter(array, sampleRate: sampleRate, isEqualized: isEqualized)
    for channel in 0..<4 {
      var copy = converter
      var impulse = [Float](repeating: 0, count: 4 * (2 * converter.latency + 2))
      impulse[channel] = 1
      let result = copy.process(impulse)
      responses.append(
        (0..<4).map { output in stride(from: output, to: result.count, by: 4).map { result[$0] } })
    }
  }

  /// The phasors of W, Y, Z and X.
  func convert(_ heard: [Complex], _ frequency: Double) -> [Complex] {
    matrix(frequency).map { row in zip(row, heard).reduce(.zero) { $0 + $1.0 * $1.1 } }
  }

  /// By output and input.
  func matrix(_ frequency: Double) -> [[Complex]] {
    (0..<4).map { output in
      (0..<4).map { SimulatedArray.transform(responses[$0][output], frequency, sampleRate) }
    }
  }

  /// The error of the active intensity's direction over the sphere in degrees.
  func directionErrors(_ array: SimulatedArray, _ frequency: Double, directions: Int = 300) -> (
    worst: Double, mean: Double
  ) {
    let matrix = matrix(frequency)
    var (worst, sum) = (0.0, 0.0)
    for u in Sphere.directions(directions) {
      let heard = array.heard(frequency, from: u, sampleRate: sampleRate)
      let b = matrix.map { row in zip(row, heard).reduce(Complex.zero) { $0 + $1.0 * $1.1 } }
      let intensity = SIMD3(b[3], b[1], b[2], from: b[0])
      let error = Sphere.angle(intensity, u)
      worst = max(worst, error)
      sum += error
    }
    return (worst, sum / Double(directions))
  }
}

extension SIMD3<Double> {
  /// The active intensity of a pressure and a velocity, as phasors.
  fileprivate init(_ x: Complex, _ y: Complex, _ z: Complex, from w: Complex) {
    self.init((w.conjugate * x).real, (w.conjugate * y).real, (w.conjugate * z).real)
  }
}
