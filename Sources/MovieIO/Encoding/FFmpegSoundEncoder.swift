import CFFmpeg
import FrameCore
import Libc

/// An audio encoder of the shim.
final class FFmpegSoundEncoder: SoundEncoding {
  let format: EncodedAudioFormat
  let block: Int
  private let name: String
  private let pointer: OpaquePointer

  /// - Throws: `SafelightError` with the reason if it does not open.
  init(_ settings: AudioEncoderSettings) throws {
    let codec = settings.codec
    let name = Self.name(codec)
    let channels = settings.format.channelCount
    let bits = codec == .flac ? settings.bitsPerSample ?? 24 : 0
    var status = CFFMPEG_ENCODER_OPENED
    let (opened, message) = FFmpegVersion.explaining { message in
      name.withCString { name in
        Self.options(codec, bits: bits).joined(separator: "\n").withCString { options in
          var shim = cffmpeg_sound_settings()
          (shim.name, shim.options) = (name, options)
          (shim.sample_rate, shim.channels) = (Int32(settings.format.sampleRate), Int32(channels))
          shim.bit_rate = codec == .flac ? 0 : Int64(settings.bitRate ?? AudioCodec.defaultBitRate * channels)
          shim.bits = Int32(bits)
          return cffmpeg_sound_open(&shim, &status, message)
        }
      }
    }
    guard let opened else { throw Self.error(settings, name, status, message) }
    (self.name, pointer) = (name, opened)
    block = max(1, Int(cffmpeg_sound_block(opened)))
    var count = 0
    let bytes = cffmpeg_sound_header(opened, &count)
    format = EncodedAudioFormat(
      codec: codec, format: settings.format,
      configuration: Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count)),
      priming: Int(cffmpeg_sound_priming(opened)), samplesPerPacket: block, bitsPerSample: bits)
  }

  deinit { cffmpeg_sound_free(pointer) }

  private static func name(_ codec: AudioCodec) -> String {
    switch codec {
    case .aac: "aac"
    case .opus: "libopus"
    case .flac, .pcm: "flac"
    }
  }

  private static func options(_ codec: AudioCodec, bits: Int) -> [String] {
    switch codec {
    case .aac, .pcm: []
    // Music and speech, without the shortest delay.
    case .opus: ["application=audio", "vbr=on"]
    case .flac: ["compression_level=5"]
    }
  }

  private static func error(
    _ settings: AudioEncoderSettings, _ name: String, _ status: cffmpeg_encoder_status, _ message: String
  ) -> SafelightError {
    switch status {
    case CFFMPEG_ENCODER_NO_LIBRARY: FFmpegVersion.missing("encode sound", message)
    case CFFMPEG_ENCODER_NO_MEMORY:
      SafelightError(.noMemory, "There is not enough memory to encode sound", remedy: "close other programs")
    case CFFMPEG_ENCODER_MISSING:
      SafelightError(
        .missingLibrary, "This FFmpeg (libavcodec\(FFmpegVersion.codec)) has no encoder \(name)",
        remedy:
          "install an FFmpeg that was built with it, such as Debian's package ffmpeg, or choose another codec"
      )
    default:
      SafelightError(
        .unsupported,
        "The encoder \(name) refuses \(settings.format.channelCount) channels at "
          + "\(settings.format.sampleRate) Hz: \(message)",
        remedy: "choose another audio codec, rate or bit rate")
    }
  }

  func encode(_ samples: UnsafeBufferPointer<Float>, at time: Int64) throws -> [EncodedPacket] {
    let count = Int32(samples.count / format.format.channelCount)
    try check(cffmpeg_sound_send(pointer, samples.baseAddress, count, time))
    return try receive()
  }

  func finish() throws -> [EncodedPacket] {
    try check(cffmpeg_sound_end(pointer))
    return try receive()
  }

  private func receive() throws -> [EncodedPacket] {
    var packets: [EncodedPacket] = []
    var packet = cffmpeg_packet()
    while true {
      let got = cffmpeg_sound_receive(pointer, &packet)
      try check(min(got, 0))
      guard got > 0 else { return packets }
      // FLAC ends with an empty packet that only carries its checksum.
      guard packet.count > 0 else { continue }
      packets.append(
        EncodedPacket(
          bytes: Array(UnsafeBufferPointer(start: packet.bytes, count: packet.count)),
          presentation: packet.presentation,
          duration: packet.duration > 0 ? packet.duration : Int64(block)))
    }
  }

  private func check(_ result: Int32) throws {
    guard result < 0 else { return }
    throw SafelightError(
      result == -ENOMEM ? .noMemory : .device,
      "The encoder \(name) failed: \(FFmpegVersion.text(result))", remedy: "start a new recording")
  }
}
