import FrameCore

/// The sample descriptions of sound.
///
/// Sources: ISO/IEC 14496-12, section 12.2; 14496-14 (mp4a, esds); 23003-5 (ipcm, fpcm); Opus in ISOBMFF
/// 0.8.1; FLAC in ISOBMFF 1.0; QuickTime File Format specification (versions 1 and 2, chan, wave); Google's
/// Spatial Audio RFC (SA3D).
enum MP4AudioEntry {
  /// - Throws: `SafelightError(.invalidValue)` for a configuration that does not fit the codec.
  static func make(_ audio: EncodedAudioFormat, in container: MovieContainer) throws -> [UInt8] {
    let channels = audio.format.channelCount
    guard (1...255).contains(channels), audio.format.sampleRate > 0 else {
      throw SafelightError(
        .invalidValue, "A movie cannot hold \(channels) channels at \(audio.format.sampleRate) Hz")
    }
    func configured(_ isValid: Bool) throws {
      guard isValid else {
        throw SafelightError(
          .invalidValue,
          "The \(audio.codec.rawValue) track has a wrong decoder configuration of "
            + "\(audio.configuration.count) bytes"
        )
      }
    }
    switch audio.codec {
    case .aac:
      try configured((2...64).contains(audio.configuration.count))
      return aac(audio, in: container)
    case .opus:
      let head = audio.configuration
      try configured(head.count >= 19 && head.starts(with: Array("OpusHead".utf8)))
      return entry("Opus", audio, bits: 16, rate: 48_000) {
        $0.box("dOps") {
          $0.u8(0)
          $0.u8(Int(head[9]))
          // OpusHead is little-endian: samples to skip, rate, gain; then the mapping of channels.
          $0.raw([head[11], head[10], head[15], head[14], head[13], head[12], head[17], head[16]])
          $0.raw(head[18...])
        }
      }
    case .flac:
      try configured(audio.configuration.count == 34)
      return entry("fLaC", audio, bits: audio.bitsPerSample) {
        $0.fullBox("dfLa") {
          // The last metadata block, of type STREAMINFO.
          $0.u32(0x80 << 24 | 34)
          $0.raw(audio.configuration)
        }
      }
    case .pcm:
      try configured([16, 24, 32].contains(audio.bitsPerSample))
      return container == .mov ? quickTimePCM(audio) : isoPCM(audio)
    }
  }

  /// Bytes of one sample of all channels in PCM; 0 for compressed sound.
  static func frameBytes(_ audio: EncodedAudioFormat) -> Int {
    audio.codec == .pcm ? audio.bitsPerSample / 8 * audio.format.channelCount : 0
  }

  /// The packets that a decoder must have read before one to reproduce it, as a negative number.
  ///
  /// Sources: ISO/IEC 14496-3 (AAC overlaps by one); Opus in ISOBMFF, section 4.3.6.2 (80 ms).
  static func roll(_ audio: EncodedAudioFormat) -> Int? {
    switch audio.codec {
    case .aac: -1
    case .opus:
      audio.samplesPerPacket > 0 ? -max(1, (3840 + audio.samplesPerPacket - 1) / audio.samplesPerPacket) : -4
    case .flac, .pcm: nil
    }
  }

  private static func entry(
    _ code: String, _ audio: EncodedAudioFormat, bits: Int, rate: Int? = nil,
    _ body: (inout MP4Bytes) -> Void
  ) -> [UInt8] {
    MP4Bytes.box(code) {
      $0.zeros(6)
      $0.u16(1)
      $0.zeros(8)
      $0.u16(audio.format.channelCount)
      $0.u16(bits)
      $0.u32(0)
      // 16.16 fixed point; higher rates do not fit and are told by the decoder's configuration and `mdhd`.
      let rate = rate ?? audio.format.sampleRate
      $0.u32(rate < 65_536 ? rate << 16 : 0)
      body(&$0)
      writeSpatial(audio.format.layout, into: &$0)
    }
  }

  private static func writeSpatial(_ layout: ChannelLayout, into output: inout MP4Bytes) {
    guard layout == .ambiX else { return }
    output.box("SA3D") {
      // Version 0; periphonic; first order; ACN; SN3D; the channels in their order.
      $0.u8(0)
      $0.u8(0)
      $0.u32(1)
      $0.u8(0)
      $0.u8(0)
      $0.u32(layout.channelCount)
      for channel in 0..<layout.channelCount { $0.u32(channel) }
    }
  }

  private static func aac(_ audio: EncodedAudioFormat, in container: MovieContainer) -> [UInt8] {
    func esds(_ output: inout MP4Bytes) {
      output.fullBox("esds") {
        let specific = audio.configuration
        // ES_Descriptor ⊃ DecoderConfigDescriptor ⊃ DecoderSpecificInfo, and SLConfigDescriptor; each has a
        // tag and its length in one byte, which is enough for them.
        $0.raw([0x03, UInt8(3 + 2 + 13 + 2 + specific.count + 3), 0, 1, 0])
        $0.raw([0x04, UInt8(13 + 2 + specific.count), 0x40, 0x15])
        // The sizes of buffer and the rates may be 0: unknown.
        $0.zeros(3 + 4 + 4)
        $0.raw([0x05, UInt8(specific.count)])
        $0.raw(specific)
        $0.raw([0x06, 1, 2])
      }
    }
    guard container == .mov else { return entry("mp4a", audio, bits: 16) { esds(&$0) } }
    return MP4Bytes.box("mp4a") {
      $0.zeros(6)
      $0.u16(1)
      $0.u16(1)
      $0.zeros(6)
      $0.u16(audio.format.channelCount)
      $0.u16(16)
      // Compression ID −2: packets of variable size.
      $0.u16(-2)
      $0.u16(0)
      $0.u32(audio.format.sampleRate < 65_536 ? audio.format.sampleRate << 16 : 0)
      $0.u32(audio.samplesPerPacket)
      $0.u32(0)
      $0.u32(0)
      $0.u32(2)
      $0.box("wave") {
        $0.box("frma") { $0.code("mp4a") }
        $0.box("mp4a") { $0.u32(0) }
        esds(&$0)
        $0.u32(8)
        $0.u32(0)
      }
      writeLayout(audio.format.layout, into: &$0)
      writeSpatial(audio.format.layout, into: &$0)
    }
  }

  private static func isoPCM(_ audio: EncodedAudioFormat) -> [UInt8] {
    entry(audio.bitsPerSample == 32 ? "fpcm" : "ipcm", audio, bits: audio.bitsPerSample) {
      $0.fullBox("pcmC") {
        // Little-endian.
        $0.u8(1)
        $0.u8(audio.bitsPerSample)
      }
    }
  }

  private static func quickTimePCM(_ audio: EncodedAudioFormat) -> [UInt8] {
    let channels = audio.format.channelCount
    if audio.bitsPerSample == 16, channels <= 2, audio.format.sampleRate < 65_536 {
      return entry("sowt", audio, bits: 16) { writeLayout(audio.format.layout, into: &$0) }
    }
    return MP4Bytes.box("lpcm") {
      $0.zeros(6)
      $0.u16(1)
      // Version 2 with the constants that it wants in the old fields.
      $0.u16(2)
      $0.zeros(6)
      $0.u16(3)
      $0.u16(16)
      $0.u16(-2)
      $0.u16(0)
      $0.u32(0x1_0000)
      $0.u32(72)
      $0.f64(Double(audio.format.sampleRate))
      $0.u32(channels)
      $0.u32(0x7F00_0000)
      $0.u32(audio.bitsPerSample)
      // Packed, and float or signed integers.
      $0.u32(audio.bitsPerSample == 32 ? 0x9 : 0xC)
      $0.u32(frameBytes(audio))
      $0.u32(1)
      writeLayout(audio.format.layout, into: &$0)
      writeSpatial(audio.format.layout, into: &$0)
    }
  }

  /// Source: CoreAudioBaseTypes.h, AudioChannelLayoutTag.
  private static func writeLayout(_ layout: ChannelLayout, into output: inout MP4Bytes) {
    let tag: Int =
      switch layout {
      case .mono: 100 << 16 | 1
      case .stereo: 101 << 16 | 2
      case .ambiX: 190 << 16 | 4
      case .fuMa, .discrete: 147 << 16 | layout.channelCount
      }
    output.fullBox("chan") {
      $0.u32(tag)
      $0.u32(0)
      $0.u32(0)
    }
  }
}
