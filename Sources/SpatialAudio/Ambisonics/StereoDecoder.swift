/// Makes stereo of a scene of first order with two virtual microphones, for previews and compatible tracks.
public struct StereoDecoder: Sendable, Hashable {
  /// Degrees from the front to the axis of the left microphone, 0…180; the right one mirrors it.
  public let angle: Double
  /// The part of pressure in the pattern: 0.5 cardioid, 0 figure of eight, 1 omnidirectional.
  public let pattern: Double
  private let left: SIMD4<Float>
  private let right: SIMD4<Float>

  /// - Parameters:
  ///   - angle: 90 is widest: opposite cardioids; 45 keeps more of the front.
  ///   - pattern: 0…1.
  public init(angle: Double = 90, pattern: Double = 0.5) {
    precondition((0...180).contains(angle) && (0...1).contains(pattern))
    (self.angle, self.pattern) = (angle, pattern)
    func microphone(_ azimuth: Double) -> SIMD4<Float> {
      let gains = AmbisonicFormat.ambiX.gains(for: Direction(azimuth: azimuth))
      return SIMD4<Float>(gains * SIMD4(pattern, 1 - pattern, 1 - pattern, 1 - pattern))
    }
    (left, right) = (microphone(angle), microphone(-angle))
  }

  /// Decodes interleaved AmbiX frames. Allocates nothing.
  ///
  /// - Parameter output: Left and right, interleaved, half as many samples.
  public func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(input.count.isMultiple(of: 4) && output.count == input.count / 2)
    for index in 0..<input.count / 4 {
      let frame = input.frame(at: 4 * index)
      output[2 * index] = (left * frame).sum()
      output[2 * index + 1] = (right * frame).sum()
    }
  }

  public func process(_ samples: [Float]) -> [Float] {
    samples.processed(count: samples.count / 2) { process($0, into: $1) }
  }

  /// Makes mono of AmbiX frames: W, which hears all sides alike.
  public static func mono(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(input.count.isMultiple(of: 4) && output.count == input.count / 4)
    for index in output.indices { output[index] = input[4 * index] }
  }

  public static func mono(_ samples: [Float]) -> [Float] {
    samples.processed(count: samples.count / 4) { mono($0, into: $1) }
  }
}
