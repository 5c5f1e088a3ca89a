import CFFmpeg
import FrameCore

extension SoundTrackReader {
  static func error(_ status: cffmpeg_status, _ message: String, path: String) -> SafelightError {
    switch status {
    case CFFMPEG_NO_LIBRARY: FFmpegVersion.missing("read \(path)", message)
    case CFFMPEG_NO_VIDEO:
      SafelightError(
        .unsupported, "Cannot read \(path): it has no sound", remedy: "choose a file that has sound")
    case CFFMPEG_NO_DECODER, CFFMPEG_NO_FRAME:
      SafelightError(
        .unsupported, "Cannot read \(path): there is no decoder for its sound (\(message))",
        remedy: "convert it to WAV or FLAC, or install an FFmpeg that decodes it")
    case CFFMPEG_NO_MEMORY:
      SafelightError(
        .noMemory, "Cannot read \(path): there is not enough memory", remedy: "close other programs")
    default:
      SafelightError(
        .corruptData, "Cannot read \(path): it is not a media file, or its beginning or its index is damaged",
        remedy: "check that it plays elsewhere, or copy it again from its source")
    }
  }

  /// Returns FFmpeg's text in an array of characters.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// Which sounds of other files we store unchanged.
enum StoredSound {
  /// The size of FLAC's STREAMINFO.
  private static let streamInfo = 34

  /// Returns the format of the packets; nil if they must be decoded.
  static func format(
    _ codec: String, _ info: cffmpeg_sound_info, _ format: AudioFormat
  ) -> EncodedAudioFormat? {
    let header = Array(
      UnsafeBufferPointer(start: info.header, count: info.header == nil ? 0 : info.header_bytes))
    func stored(_ codec: AudioCodec, _ configuration: [UInt8], block: Int, bits: Int = 0)
      -> EncodedAudioFormat
    {
      EncodedAudioFormat(
        codec: codec, format: format, configuration: configuration, priming: Int(info.priming),
        samplesPerPacket: block, bitsPerSample: bits)
    }
    switch codec {
    // Broadcast streams repeat the configuration in each packet and have none here.
    case "aac":
      return header.count >= 2 && info.block > 0 ? stored(.aac, header, block: Int(info.block)) : nil
    case "opus":
      guard header.count >= 19, header.starts(with: Array("OpusHead".utf8)) else { return nil }
      return stored(.opus, header, block: Int(info.block))
    case "flac":
      guard header.count >= streamInfo else { return nil }
      return stored(.flac, Array(header.prefix(streamInfo)), block: 0, bits: Int(info.bits))
    case "pcm_s16le": return stored(.pcm, [], block: 0, bits: 16)
    case "pcm_s24le": return stored(.pcm, [], block: 0, bits: 24)
    case "pcm_f32le": return stored(.pcm, [], block: 0, bits: 32)
    default: return nil
    }
  }
}
