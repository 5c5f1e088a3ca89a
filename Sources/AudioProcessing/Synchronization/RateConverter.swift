import CFFmpeg
import FrameCore

/// libswresample with Swift's types: samples at one rate to another, whose ratio may vary by parts of a
/// million.
final class RateConverter {
  let channelCount: Int
  let ratio: Double
  private let resampler: OpaquePointer
  /// Input samples per channel taken so far.
  private(set) var fed: Int64 = 0

  /// - Throws: `SafelightError`: `.missingLibrary`, `.unsupported` for rates and channels that the library
  ///   refuses, `.noMemory`.
  init(channelCount: Int, from: Int, to: Int) throws {
    guard 1...64 ~= channelCount, 1000...768_000 ~= from, 1000...768_000 ~= to else {
      throw SafelightError(
        .unsupported,
        "Cannot convert \(channelCount) channels of sound from \(from) to \(to) samples per second",
        remedy: "use 1…64 channels and rates of 1000…768000")
    }
    var status = CFFMPEG_RESAMPLER_READY
    var message = [CChar](repeating: 0, count: Int(CFFMPEG_MESSAGE_BYTES))
    guard let opened = cffmpeg_resampler_new(Int32(channelCount), Int32(from), Int32(to), &status, &message)
    else {
      throw Self.error(status, String(decoding: message.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    resampler = opened
    self.channelCount = channelCount
    ratio = Double(from) / Double(to)
  }

  deinit { cffmpeg_resampler_free(resampler) }

  /// Input samples around each output sample that count in it, on one side.
  var reach: Int { Int(40 * max(1, ratio)) + 8 }

  /// The place of the next output sample, in input samples since the first.
  var position: Double { Double(fed) - cffmpeg_resampler_delay(resampler) }

  /// Makes the distance of output samples in the input 1 + `deviation` times the nominal one from now on.
  func setDeviation(_ deviation: Double) throws {
    guard cffmpeg_resampler_set_deviation(resampler, deviation) else {
      throw SafelightError(
        .unsupported, "FFmpeg's libswresample refuses to change the rate of sound by \(deviation * 1e6) ppm",
        remedy: "install another version of it")
    }
  }

  /// Takes all of `input`, and writes as much as there is and fits.
  ///
  /// - Returns: the samples per channel written.
  func convert(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) throws
    -> Int
  {
    let count = cffmpeg_resampler_convert(
      resampler, output.baseAddress, Int32(output.count / channelCount), input.baseAddress,
      Int32(input.count / channelCount))
    fed += Int64(input.count / channelCount)
    return try checked(count)
  }

  /// Writes what is left after the last input, as much as fits.
  func flush(into output: UnsafeMutableBufferPointer<Float>) throws -> Int {
    try checked(
      cffmpeg_resampler_convert(
        resampler, output.baseAddress, Int32(output.count / channelCount), nil, 0))
  }

  private func checked(_ count: Int32) throws -> Int {
    guard count >= 0 else {
      throw SafelightError(
        .noMemory, "There is not enough memory to resample sound", remedy: "close other programs")
    }
    return Int(count)
  }

  private static func error(_ status: cffmpeg_resampler_status, _ message: String) -> SafelightError {
    switch status {
    case CFFMPEG_RESAMPLER_NO_LIBRARY:
      SafelightError(
        .missingLibrary, "Sound cannot be resampled: FFmpeg's libswresample cannot be loaded (\(message))",
        remedy: "install libswresample\(cffmpeg_resampling_version())")
    case CFFMPEG_RESAMPLER_NO_MEMORY:
      SafelightError(
        .noMemory, "There is not enough memory to resample sound", remedy: "close other programs")
    default:
      SafelightError(
        .unsupported, "Sound cannot be resampled: FFmpeg's libswresample refuses (\(message))",
        remedy: "choose another rate")
    }
  }
}
