import FrameCore

/// Makes ambisonics of one format of the four channels of a device.
///
/// One owner at a time.
public struct SpatialConverter: Sendable {
  public let arrangement: SpatialArrangement
  public let output: AmbisonicFormat
  /// Turns the recording, such as to a front that is not the microphone's; reached over the next block.
  public var rotation = Rotation.identity {
    didSet { rotator.rotation = rotation }
  }
  /// Samples by which the result comes later than the input.
  public var latency: Int { capsules?.latency ?? 0 }

  private let sampleRate: Int
  private var capsules: CapsuleConverter?
  private var rotator = AmbisonicRotator()

  /// - Throws: `SafelightError` if the rate is out of range, or not that of the calibration.
  public init(
    _ arrangement: SpatialArrangement, output: AmbisonicFormat = .ambiX, sampleRate: Int
  ) throws {
    self.arrangement = arrangement
    self.output = output
    self.sampleRate = sampleRate
    switch arrangement {
    case .ambisonic: break
    case .capsules(let array): capsules = try CapsuleConverter(array, sampleRate: sampleRate)
    }
  }

  /// Converts interleaved frames. Output may be the input's memory. Allocates nothing.
  public mutating func process(
    _ input: UnsafeBufferPointer<Float>, into frames: UnsafeMutableBufferPointer<Float>
  ) {
    switch arrangement {
    case .ambisonic(let format): format.convert(to: .ambiX, input, into: frames)
    case .capsules: capsules?.process(input, into: frames)
    }
    rotator.process(UnsafeBufferPointer(frames), into: frames)
    AmbisonicFormat.ambiX.convert(to: output, UnsafeBufferPointer(frames), into: frames)
  }

  /// Converts interleaved frames.
  public mutating func process(_ samples: [Float]) -> [Float] {
    samples.processed(count: samples.count) { process($0, into: $1) }
  }

  /// Converts a buffer of a stream. The result is earlier by the latency, since its samples are older.
  ///
  /// - Throws: `SafelightError` if the buffer has not four channels, or another rate.
  public mutating func process(_ buffer: AudioBuffer) throws -> AudioBuffer {
    try SpatialArrangement.check(channelCount: buffer.format.channelCount)
    guard buffer.format.sampleRate == sampleRate else {
      throw SafelightError(
        .invalidValue, "Sound of \(buffer.format.sampleRate) Hz came to a converter for \(sampleRate)",
        remedy: "make a converter for the rate of the device")
    }
    return AudioBuffer(
      format: AudioFormat(sampleRate: sampleRate, layout: output.layout), samples: process(buffer.samples),
      time: buffer.time.advanced(bySeconds: -Double(latency) / Double(sampleRate)),
      position: buffer.position - Int64(latency), silence: buffer.silence)
  }
}
