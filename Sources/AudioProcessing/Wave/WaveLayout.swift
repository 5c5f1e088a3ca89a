import FrameCore

/// What a WAV file says about its samples, and where they are: WAV, RF64 and BW64.
///
/// Sizes are believed only as far as the file reaches, so a file that was cut, or whose writer did not live
/// to state its size, can be read to its end.
struct WaveLayout: Equatable {
  enum Coding: Equatable {
    /// Bytes per sample; one byte is unsigned.
    case integer(Int)
    case float(Int)

    var bytes: Int {
      switch self {
      case .integer(let bytes), .float(let bytes): bytes
      }
    }
  }

  var format: AudioFormat
  var coding: Coding
  /// Of the first sample in the file.
  var offset: Int64
  /// Samples per channel.
  var frameCount: Int64
  /// Whether the file states more samples than it has.
  var isCut: Bool

  var frameBytes: Int { format.channelCount * coding.bytes }

  static let mostChunks = 4096

  /// - Parameters:
  ///   - length: of the file in bytes.
  ///   - name: of the file, for errors.
  ///   - read: returns up to so many bytes at an offset; fewer at the end.
  /// - Throws: `SafelightError`: `.corruptData` without what a WAV file must have, `.unsupported` for
  ///   compressed sound.
  init(length: Int64, name: String, read: (_ offset: Int64, _ count: Int) throws -> [UInt8]) throws {
    func damaged(_ what: String) -> SafelightError {
      SafelightError(.corruptData, "Cannot read \(name): \(what)", remedy: "give a WAV file")
    }
    let start = try read(0, 12)
    guard start.count == 12, ["RIFF", "RF64", "BW64"].contains(Self.name(start, 0)),
      Self.name(start, 8) == "WAVE"
    else { throw damaged("it is not a WAV file") }
    var position: Int64 = 12
    var largeData: Int64?
    var described: (format: AudioFormat, coding: Coding)?
    var data: (offset: Int64, stated: Int64)?
    for _ in 0..<Self.mostChunks where described == nil || data == nil {
      let head = try read(position, 8)
      guard head.count == 8 else { break }
      let stated = Int64(Self.number(head, 4, 4))
      var size = stated
      switch Self.name(head, 0) {
      case "ds64":
        let sizes = try read(position + 8, 24)
        if sizes.count == 24 { largeData = Int64(clamping: Self.number(sizes, 8, 8)) }
      case "fmt ":
        let chunk = try read(position + 8, Int(min(size, 40)))
        described = try Self.describe(chunk, name: name, damaged)
      case "data":
        if stated == 0xFFFF_FFFF, let largeData { size = largeData }
        data = (position + 8, size)
      default: break
      }
      // A size beyond the file ends the search.
      guard size <= length - position - 8 else { break }
      position += 8 + size + size % 2
    }
    guard let described else { throw damaged("it does not state the format of its sound") }
    guard let data else { throw damaged("it has no sound") }
    (format, coding) = described
    offset = data.offset
    let frameBytes = Int64(format.channelCount * coding.bytes)
    let present = max(0, length - data.offset)
    // A writer that could not go back has left no size, or the largest one.
    let isUnstated = data.stated == 0 || data.stated == 0xFFFF_FFFF
    isCut = data.stated > present && !isUnstated
    frameCount = (isUnstated ? present : min(data.stated, present)) / frameBytes
  }

  private static func describe(_ chunk: [UInt8], name: String, _ damaged: (String) -> SafelightError) throws
    -> (AudioFormat, Coding)
  {
    guard chunk.count >= 16 else { throw damaged("the description of its sound is cut") }
    var tag = number(chunk, 0, 2)
    let (channels, rate) = (Int(number(chunk, 2, 2)), Int(number(chunk, 4, 4)))
    let (frameBytes, bits) = (Int(number(chunk, 12, 2)), Int(number(chunk, 14, 2)))
    var isFuMa = false
    if tag == UInt64(WaveHeader.extensibleTag) {
      guard chunk.count >= 40 else { throw damaged("the description of its sound is cut") }
      tag = number(chunk, 24, 2)
      isFuMa = Array(chunk[26..<40]) == WaveHeader.fuMaSubformat
    }
    let coding: Coding? =
      switch (tag, bits) {
      case (1, 8), (1, 16), (1, 24), (1, 32): .integer(bits / 8)
      case (3, 32), (3, 64): .float(bits / 8)
      default: nil
      }
    guard let coding else {
      throw SafelightError(
        .unsupported,
        "Cannot read \(name): its sound is compressed or of an unusual kind (\(tag), \(bits) bit)",
        remedy: "convert it to WAV with 16, 24 or 32 bits")
    }
    guard 1...64 ~= channels, 1...768_000 ~= rate, frameBytes == channels * coding.bytes else {
      throw damaged("it states \(channels) channels at \(rate) Hz in \(frameBytes) bytes")
    }
    let layout: ChannelLayout = isFuMa && channels == 4 ? .fuMa : ChannelLayout(channelCount: channels)
    return (AudioFormat(sampleRate: rate, layout: layout), coding)
  }

  static func name(_ bytes: [UInt8], _ offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
