import Files
import FrameCore
import Libc

/// Reads the sound of a WAV, RF64 or BW64 file with 8, 16, 24 or 32 bits or floats, such as a voice-over.
///
/// Files that were cut are read as far as they reach. One thread at a time.
public final class WaveFileReader {
  public let path: String
  /// The rate and the channels. WAV cannot tell AmbiX from four channels without a direction: see `init`.
  public let format: AudioFormat
  /// Samples per channel.
  public let frameCount: Int64
  /// Whether the file states more samples than it has.
  public let isCut: Bool
  /// Samples of a coding with integers, and their bits; nil for floats.
  public var integerBits: Int? {
    switch layout.coding {
    case .integer(let bytes): 8 * bytes
    case .float: nil
    }
  }
  /// The sample per channel that `read` begins with.
  public var position: Int64 = 0

  private let layout: WaveLayout
  private let descriptor: Descriptor

  /// - Parameter channels: what the channels mean, where the file does not say and the caller knows.
  /// - Throws: `SafelightError`: `.file` if it cannot be read, `.corruptData` if it is no WAV file,
  ///   `.unsupported` for compressed sound, `.invalidValue` if `channels` are not as many as in the file.
  public init(path: String, channels: ChannelLayout? = nil) throws {
    self.path = path
    let number = retryingInterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard number >= 0 else { throw Self.failure(path, errno) }
    let descriptor = Descriptor(number)
    self.descriptor = descriptor
    var status = stat()
    guard fstat(number, &status) == 0 else { throw Self.failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SafelightError(
        .file, "Cannot read \(path): it is not a regular file", remedy: "name a file with sound")
    }
    layout = try WaveLayout(length: Int64(status.st_size), name: path) {
      try Self.bytes(descriptor, path, at: $0, count: $1)
    }
    var format = layout.format
    if let channels {
      guard channels.channelCount == format.channelCount else {
        throw SafelightError(
          .invalidValue,
          "\(path) has \(format.channelCount) channels, not the \(channels.channelCount) that were asked for",
          remedy: "choose another file or layout")
      }
      format.layout = channels
    }
    self.format = format
    frameCount = layout.frameCount
    isCut = layout.isCut
  }

  /// Returns up to `count` interleaved samples per channel from `position` on, which moves on; empty at the
  /// end.
  ///
  /// - Throws: `SafelightError(.file)` if the disk fails.
  public func read(_ count: Int) throws -> [Float] {
    let available = max(0, frameCount - max(0, position))
    let frames = Int(min(Int64(max(0, count)), available))
    guard frames > 0, position >= 0 else { return [] }
    let offset = layout.offset + position * Int64(layout.frameBytes)
    let bytes = try Self.bytes(descriptor, path, at: offset, count: frames * layout.frameBytes)
    // The file may have become shorter since.
    let whole = bytes.count / layout.frameBytes
    position += Int64(whole)
    return layout.coding.samples(bytes.prefix(whole * layout.frameBytes))
  }

  /// Returns the marks that recorders and editors put into the file, as numbers of samples per channel from
  /// the start, in ascending order, each once. `position` stays.
  ///
  /// - Throws: `SafelightError(.file)` if the disk fails.
  public func cuePoints() throws -> [Int64] {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw Self.failure(path, errno) }
    let points = try WaveCuePoints.read(length: Int64(status.st_size), data: layout) {
      try Self.bytes(descriptor, path, at: $0, count: $1)
    }
    return points.filter { $0 < frameCount }
  }

  private static func bytes(_ descriptor: Descriptor, _ path: String, at offset: Int64, count: Int) throws
    -> [UInt8]
  {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let read = retryingInterrupted {
          pread(
            descriptor.number, buffer.baseAddress.map { $0 + initialized }, count - initialized,
            off_t(offset) + off_t(initialized))
        }
        if read < 0 { failure = errno }
        guard read > 0 else { break }
        initialized += read
      }
    }
    guard failure == 0 else { throw Self.failure(path, failure) }
    return bytes
  }

  private static func failure(_ path: String, _ code: Int32) -> SafelightError {
    SafelightError(
      .file, "Cannot read \(path): \(errorText(code))",
      remedy: code == ENOENT ? "check the spelling" : "check the path")
  }
}

extension WaveLayout.Coding {
  /// Returns the values of stored samples; integers as parts of full scale. What is no number is silence.
  func samples(_ bytes: ArraySlice<UInt8>) -> [Float] {
    bytes.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count - self.bytes + 1, by: self.bytes).map { offset in
        switch self {
        case .integer(1): return (Float(raw[offset]) - 128) / 128
        case .integer(let count):
          var word: UInt32 = 0
          for byte in 0..<count { word |= UInt32(raw[offset + byte]) << (8 * UInt32(4 - count + byte)) }
          return Float(Int32(bitPattern: word)) * 0x1p-31
        case .float(let count):
          let value =
            count == 4
            ? Float(
              bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            : Float(
              Double(
                bitPattern: UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))))
          return value.isFinite ? value : 0
        }
      }
    }
  }
}
