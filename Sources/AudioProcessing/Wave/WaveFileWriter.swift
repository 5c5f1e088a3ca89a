import Files
import FrameCore
import Libc

/// Writes sound into a WAV file that plays at every moment: sizes in its header are brought up to date, and
/// made durable, every second of sound. Beyond 4 GiB it becomes a BW64 file.
///
/// A new file has its own name from the beginning. If it replaces one, that stays until `finish`, and the
/// recording grows under a hidden name beside it. One thread at a time, which may wait for the disk.
public final class WaveFileWriter {
  public let path: String
  public let format: AudioFormat
  public let sampleFormat: WaveSampleFormat
  /// Samples per channel so far.
  public private(set) var frameCount: Int64 = 0
  /// Samples beyond ±1 so far, which formats of integers cut off; of `float32` it stays 0.
  public var clippedSamples: Int64 { quantizer.clipped }
  /// Bytes in the file so far.
  public var byteCount: Int64 { Int64(headerLength) + dataBytes }

  /// Marks so far, in samples per channel, in ascending order.
  public private(set) var marks: [Int64] = []

  private let file: GrowingFile
  private let header: WaveHeader
  private let headerLength: Int
  private var quantizer: SampleQuantizer
  private var bytes: [UInt8] = []
  private var framesSynced: Int64 = 0
  private var isFinished = false

  private var dataBytes: Int64 { frameCount * Int64(header.frameBytes) }

  /// - Throws: `SafelightError`: `.exists` if the file exists and `overwrite` is false, `.file` or `.noSpace`
  ///   if it cannot be created, `.invalidValue` for rates and channels that WAV cannot state.
  public convenience init(
    path: String, format: AudioFormat, sampleFormat: WaveSampleFormat, overwrite: Bool = false
  ) throws {
    try self.init(
      path: path, header: WaveHeader(format: format, sampleFormat: sampleFormat), overwrite: overwrite)
  }

  init(path: String, header: WaveHeader, overwrite: Bool = false) throws {
    let format = header.format
    guard 1...64 ~= format.channelCount, 1...768_000 ~= format.sampleRate else {
      throw SafelightError(
        .invalidValue,
        "Cannot write \(path): WAV files have 1…64 channels and rates of 1…768000, not "
          + "\(format.channelCount) at \(format.sampleRate)", remedy: "choose others")
    }
    self.path = path
    self.header = header
    self.format = format
    sampleFormat = header.sampleFormat
    headerLength = header.length
    quantizer = SampleQuantizer(header.sampleFormat)
    file = try GrowingFile(creating: path, overwrite: overwrite)
    do {
      try writeHeader()
    } catch {
      discard()
      throw error
    }
  }

  // What was recorded is not thrown away because its writer was; without a sample there is nothing to keep.
  deinit { if frameCount > 0 { try? finish() } else { discard() } }

  /// The bytes of a file before its first sample.
  public static func headerByteCount(_ format: AudioFormat, _ sampleFormat: WaveSampleFormat) -> Int64 {
    Int64(WaveHeader(format: format, sampleFormat: sampleFormat).length)
  }

  /// Appends a buffer.
  ///
  /// - Precondition: it has the file's number of channels.
  /// - Throws: `SafelightError`, such as `.noSpace`. What was written before stays readable, and `finish` may
  ///   be called.
  public func write(_ buffer: AudioBuffer) throws { try write(buffer.samples) }

  /// Appends interleaved samples.
  public func write(_ samples: [Float]) throws {
    precondition(samples.count.isMultiple(of: format.channelCount) && !isFinished)
    bytes.removeAll(keepingCapacity: true)
    quantizer.append(samples, to: &bytes)
    try bytes.withUnsafeBytes { try file.write($0, at: byteCount) }
    frameCount += Int64(samples.count / format.channelCount)
    try syncIfDue()
  }

  /// Appends silence, which takes no room on the disk where the file system can leave it out.
  public func writeSilence(_ count: Int64) throws {
    precondition(count >= 0 && !isFinished)
    try file.truncate(to: byteCount + count * Int64(header.frameBytes))
    frameCount += count
    try syncIfDue()
  }

  /// Marks the present end of the sound. Marks are in the file once it is complete; WAV has room for those of the first
  /// 2³² samples.
  public func mark() {
    guard frameCount <= Int64(UInt32.max), marks.last != frameCount else { return }
    marks.append(frameCount)
  }

  /// Brings the header up to date and makes everything so far durable.
  public func sync() throws {
    try writeHeader()
    try file.synchronize()
    framesSynced = frameCount
  }

  private func syncIfDue() throws {
    if frameCount - framesSynced >= Int64(format.sampleRate) { try sync() }
  }

  // In one call, so that no moment shows sizes of which only some are new.
  //
  // - Parameter trailing: bytes of the chunks behind the samples.
  private func writeHeader(trailing: Int = 0) throws {
    try header.bytes(dataBytes: dataBytes, trailing: Int64(trailing)).withUnsafeBytes {
      try file.write($0, at: 0)
    }
  }

  /// Removes the file; one that it would have replaced stays. Does nothing after `finish`.
  public func discard() {
    isFinished = true
    file.discard()
  }

  /// Completes the file. Nothing may be written afterwards; a second call does nothing.
  public func finish() throws {
    guard !isFinished else { return }
    isFinished = true
    // Chunks have an even length. What a failed write has left behind is cut off.
    let end = byteCount + dataBytes % 2
    try file.truncate(to: end)
    let points = WaveCuePoints.bytes(marks)
    try points.withUnsafeBytes { try file.write($0, at: end) }
    try writeHeader(trailing: points.count)
    try file.finish()
  }
}
