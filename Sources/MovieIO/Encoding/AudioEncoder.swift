import CFFmpeg
import FrameCore

/// What an audio encoder is asked for.
public struct AudioEncoderSettings: Sendable, Hashable {
  public var codec: AudioCodec
  public var format: AudioFormat
  /// Bits per second of AAC and Opus; nil for 80 000 per channel. FLAC and PCM take none.
  public var bitRate: Int?
  /// Bits per sample: 16 or 24 for FLAC, 16, 24 or 32 (float) for PCM; nil for 24 with FLAC and 32 with PCM.
  public var bitsPerSample: Int?

  public init(codec: AudioCodec = .aac, format: AudioFormat, bitRate: Int? = nil, bitsPerSample: Int? = nil) {
    self.codec = codec
    self.format = format
    self.bitRate = bitRate
    self.bitsPerSample = bitsPerSample
  }
}

extension AudioCodec {
  /// The sample rates that it stores, in Hz, the best first; nil for any of 1…655 350.
  public var sampleRates: [Int]? {
    switch self {
    case .aac:
      [48_000, 96_000, 88_200, 64_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]
    case .opus: [48_000, 24_000, 16_000, 12_000, 8_000]
    case .flac, .pcm: nil
    }
  }

  /// The bytes of a second of sound: on average for AAC and Opus, at most for FLAC, exactly for PCM.
  public func bytesPerSecond(of format: AudioFormat, bitRate: Int?) -> Double {
    switch self {
    case .aac, .opus: Double(bitRate ?? Self.defaultBitRate * format.channelCount) / 8
    case .flac: Double(3 * format.channelCount * format.sampleRate)
    case .pcm: Double(4 * format.channelCount * format.sampleRate)
    }
  }

  /// Bits per second and channel of AAC and Opus.
  static let defaultBitRate = 80_000

  /// What people call it.
  public var title: String {
    switch self {
    case .aac: "AAC"
    case .opus: "Opus"
    case .flac: "FLAC"
    case .pcm: "PCM"
    }
  }
}

/// Compresses sound. One thread at a time.
///
/// The first sample that is sent has the time 0 of the track unless `start` says otherwise; the packets'
/// times count samples from there and are exact. Positions and times of buffers are not looked at: what is
/// lost must be filled with silence before.
public final class AudioEncoder {
  public let settings: AudioEncoderSettings
  public let format: EncodedAudioFormat
  /// Samples per channel that were sent.
  public private(set) var sampleCount: Int64 = 0

  private let start: Int64
  private let encoder: any SoundEncoding
  /// Interleaved samples that do not fill a block yet.
  private var rest: [Float] = []
  private var hasFinished = false

  /// Opens an encoder.
  ///
  /// - Parameter start: the time of the first sample, in samples.
  /// - Throws: `SafelightError` with the rates that the codec stores if it refuses this one, with the
  ///   package to install if the encoder or FFmpeg is missing, or with what the encoder refuses.
  public init(_ settings: AudioEncoderSettings, start: Int64 = 0) throws {
    try Self.validate(settings)
    self.settings = settings
    self.start = start
    switch settings.codec {
    case .pcm: encoder = PCMEncoder(settings)
    case .aac, .opus, .flac: encoder = try FFmpegSoundEncoder(settings)
    }
    format = encoder.format
  }

  /// Compresses samples that follow those before.
  ///
  /// - Throws: `SafelightError` if the format differs from the settings or the encoder fails.
  public func encode(_ buffer: AudioBuffer) throws -> [EncodedPacket] {
    guard buffer.format == settings.format else {
      throw SafelightError(
        .invalidValue,
        "Sound of \(buffer.format.sampleRate) Hz and \(buffer.format.channelCount) channels does not fit "
          + "into a track of \(settings.format.sampleRate) Hz and \(settings.format.channelCount)",
        remedy: "start a new file when the source changes")
    }
    let channels = settings.format.channelCount
    rest += buffer.samples
    let block = encoder.block * channels
    var packets: [EncodedPacket] = []
    var used = 0
    while rest.count - used >= block {
      packets += try send(rest[used..<used + block])
      used += block
    }
    rest.removeFirst(used)
    return packets
  }

  /// Ends the stream and returns the packets that were still in the encoder. The duration of the last one
  /// ends with the last sample.
  public func finish() throws -> [EncodedPacket] {
    guard !hasFinished else { return [] }
    hasFinished = true
    var packets = rest.isEmpty ? [] : try send(rest[...])
    rest = []
    packets += try encoder.finish()
    // What the encoder added to fill its last block is not part of the sound.
    let end = start + sampleCount
    for index in packets.indices where packets[index].presentation + packets[index].duration > end {
      packets[index].duration = max(0, end - packets[index].presentation)
    }
    return packets
  }

  private func send(_ samples: ArraySlice<Float>) throws -> [EncodedPacket] {
    let time = start + sampleCount
    sampleCount += Int64(samples.count / settings.format.channelCount)
    return try samples.withUnsafeBufferPointer { try encoder.encode($0, at: time) }
  }

  private static func validate(_ settings: AudioEncoderSettings) throws {
    let (codec, rate, channels) = (settings.codec, settings.format.sampleRate, settings.format.channelCount)
    func refuse(_ problem: String, remedy: String) -> SafelightError {
      SafelightError(.unsupported, "\(codec.title) stores \(problem)", remedy: remedy)
    }
    if let rates = codec.sampleRates, !rates.contains(rate) {
      throw refuse(
        "no sound of \(rate) Hz", remedy: "resample it to \(rates[0]) Hz, or use FLAC or PCM")
    }
    guard (1...655_350).contains(rate) else {
      throw refuse("no sound of \(rate) Hz", remedy: "use 1…655350 Hz")
    }
    guard (1...8).contains(channels) else {
      throw refuse("no \(channels) channels", remedy: "use 1…8, or a WAV file")
    }
    switch codec {
    case .aac, .opus:
      guard settings.bitsPerSample == nil else {
        throw refuse("no fixed number of bits per sample", remedy: "choose a bit rate, or FLAC or PCM")
      }
      if let bits = settings.bitRate, !(6_000...512_000 * channels).contains(bits) {
        throw refuse("no \(bits) bits per second", remedy: "use 6000…\(512_000 * channels)")
      }
    case .flac, .pcm:
      guard settings.bitRate == nil else {
        throw refuse("sound at no chosen bit rate", remedy: "leave the bit rate out, or use AAC or Opus")
      }
      let known = codec == .flac ? [16, 24] : [16, 24, 32]
      if let bits = settings.bitsPerSample, !known.contains(bits) {
        throw refuse(
          "no \(bits) bits per sample", remedy: "use one of \(known.map(String.init).joined(separator: ", "))"
        )
      }
    }
  }
}

/// What compresses blocks of sound.
protocol SoundEncoding: AnyObject {
  var format: EncodedAudioFormat { get }
  /// Samples per channel of every block but the last.
  var block: Int { get }
  /// Takes interleaved samples whose first has the time `time`, in samples.
  func encode(_ samples: UnsafeBufferPointer<Float>, at time: Int64) throws -> [EncodedPacket]
  func finish() throws -> [EncodedPacket]
}
