import FrameCore

/// Converts a sound from one sample rate to another, such as a voice-over's file to a recording's rate, by
/// libswresample.
///
/// The output begins with the input, and is as long as it to half a sample. Equal rates change nothing. One
/// thread at a time.
public final class Resampler {
  public let input: AudioFormat
  public let output: AudioFormat
  private let converter: RateConverter?
  private var taken: Int64 = 0
  private var given: Int64 = 0

  /// - Throws: `SafelightError`: `.missingLibrary` without libswresample, `.unsupported` for rates that it refuses.
  public init(format: AudioFormat, outputRate: Int) throws {
    input = format
    output = AudioFormat(sampleRate: outputRate, layout: format.layout)
    converter =
      format.sampleRate == outputRate
      ? nil : try RateConverter(channelCount: format.channelCount, from: format.sampleRate, to: outputRate)
  }

  /// Takes interleaved samples and returns those that are ready.
  ///
  /// - Precondition: whole samples for all channels.
  public func process(_ samples: [Float]) throws -> [Float] {
    precondition(samples.count.isMultiple(of: input.channelCount))
    taken += Int64(samples.count / input.channelCount)
    guard let converter else { return samples }
    return try samples.withUnsafeBufferPointer { samples in
      // What was held back for the filter may come too.
      let count = samples.count / input.channelCount + 4 * converter.reach
      return try fill(Int(Double(count) / converter.ratio) + 64) { try converter.convert(samples, into: $0) }
    }
  }

  /// Returns the rest. Nothing may be processed afterwards.
  public func finish() throws -> [Float] {
    guard let converter else { return [] }
    let length = (Double(taken) / converter.ratio).rounded()
    let missing = Int(Int64(length) - given)
    var rest = try fill(max(missing, 0)) { try converter.flush(into: $0) }
    // The filter may end a sample early.
    rest += [Float](repeating: 0, count: max(0, missing * output.channelCount - rest.count))
    return rest
  }

  private func fill(_ count: Int, _ body: (UnsafeMutableBufferPointer<Float>) throws -> Int) throws -> [Float]
  {
    var failure: (any Error)?
    let samples = [Float](unsafeUninitializedCapacity: count * output.channelCount) { memory, initialized in
      memory.initialize(repeating: 0)
      do { initialized = try body(memory) * output.channelCount } catch { failure = error }
    }
    if let failure { throw failure }
    given += Int64(samples.count / output.channelCount)
    return samples
  }
}
