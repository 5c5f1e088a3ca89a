import FrameCore

/// How many samples a packet of sound decodes to, from its own first bytes. Containers round times, some to
/// milliseconds; these numbers are exact.
enum PacketDuration {
  /// Returns samples per channel at the format's rate; nil if the packet does not say.
  static func samples(_ bytes: UnsafeRawBufferPointer, _ format: EncodedAudioFormat) -> Int64? {
    switch format.codec {
    case .aac: format.samplesPerPacket > 0 ? Int64(format.samplesPerPacket) : nil
    case .opus: opus(bytes)
    case .flac: flac(bytes)
    case .pcm:
      Int64(bytes.count / max(1, format.bitsPerSample / 8 * format.format.channelCount))
    }
  }

  /// At 48 kHz. Source: RFC 6716, 3.1 and 3.2.
  private static func opus(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard let first = bytes.first else { return nil }
    let configuration = Int(first >> 3)
    let frame: Int64 =
      switch configuration {
      case 0..<12: [480, 960, 1920, 2880][configuration % 4]
      case 12..<16: [480, 960][configuration % 2]
      default: [120, 240, 480, 960][configuration % 4]
      }
    switch first & 3 {
    case 0: return frame
    case 1, 2: return 2 * frame
    default:
      guard bytes.count > 1, bytes[1] & 63 > 0 else { return nil }
      let total = frame * Int64(bytes[1] & 63)
      return total <= 5760 ? total : nil
    }
  }

  /// Source: RFC 9639, 9.1.
  private static func flac(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count > 5, bytes[0] == 0xFF, bytes[1] & 0xFC == 0xF8 else { return nil }
    let code = Int(bytes[2] >> 4)
    switch code {
    case 0: return nil
    case 1: return 192
    case 2...5: return 576 << (code - 2)
    case 8...15: return 256 << (code - 8)
    default:
      // After the number of the frame, which is written like a character in UTF-8.
      let ones = (~bytes[4]).leadingZeroBitCount
      let position = 4 + max(1, ones)
      guard position + (code == 7 ? 1 : 0) < bytes.count else { return nil }
      let value =
        code == 6 ? Int64(bytes[position]) : Int64(bytes[position]) << 8 | Int64(bytes[position + 1])
      return value + 1
    }
  }
}
