import CFFmpeg
import FrameCore
import Libc

/// Reads the sound of a media file: its packets, to be stored unchanged beside new pictures, or its samples.
///
/// Everything that FFmpeg demuxes and decodes is read, from this one local file. Of several audio streams, it
/// is the one that belongs to the video, or the best. Positions count samples from the first frame of the
/// video, so sound that begins earlier has negative ones; without a video they count from the beginning of
/// the sound. One thread at a time.
public final class SoundTrackReader {
  /// What is read.
  public enum Mode: Sendable, Hashable {
    /// `nextPacket` returns the file's packets. Only for codecs that we store; see `storedFormat`.
    case packets
    /// `nextBuffer` returns decoded samples.
    case samples
  }

  public let path: String
  /// The sound as it is decoded.
  public let format: AudioFormat
  /// How the packets are stored in a movie of ours; nil if the sound must be decoded and compressed again.
  public let storedFormat: EncodedAudioFormat?
  /// FFmpeg's name of the codec.
  public let codecName: String
  public let hasVideo: Bool
  /// The duration in seconds that the file states; 0 if it does not.
  public let duration: Double
  /// The number of places at which the file was damaged so far.
  public private(set) var damageCount = 0

  private let mode: Mode
  private let file: LocalMediaFile
  private let reader: OpaquePointer
  private let info: cffmpeg_sound_info
  private var first: EncodedPacket?
  private var clock: SoundClock

  /// Opens the file.
  ///
  /// - Throws: `SafelightError` if it does not exist, may not be read, has no sound, is damaged at its
  ///   beginning, or cannot be decoded here; `.unsupported` in mode `packets` if its codec is not one of
  ///   ours.
  public init(path: String, mode: Mode) throws {
    let file = try LocalMediaFile(path: path)
    var status = CFFMPEG_OPENED
    let (opened, message) = FFmpegVersion.explaining {
      cffmpeg_reader_open(file.descriptor, mode == .samples, &status, $0)
    }
    guard let opened else { throw Self.error(status, message, path: path) }
    (self.path, self.file, self.mode, reader) = (path, file, mode, opened)
    let info = cffmpeg_reader_info(opened)
    self.info = info
    codecName = Self.text(info.codec_name)
    (hasVideo, duration) = (info.has_video, info.duration)
    let channels = Int(info.channels)
    format = AudioFormat(
      sampleRate: Int(info.sample_rate),
      layout: info.is_ambisonic ? .ambiX : ChannelLayout(channelCount: channels))
    clock = SoundClock(tolerance: Self.tolerance(info))
    let stored = StoredSound.format(codecName, info, format)
    guard mode == .packets else {
      storedFormat = stored
      return
    }
    guard var stored else {
      storedFormat = nil
      throw SafelightError(
        .unsupported, "The sound of \(path) (\(codecName)) cannot be stored unchanged",
        remedy: "decode it and compress it again")
    }
    // Only the first packet says how much of it is not part of the sound.
    let packet = try Self.readPacket(opened, path: path, damage: &damageCount)
    if let packet { stored.priming = max(stored.priming, Int(packet.skip_start)) }
    storedFormat = stored
    first = packet.map { place($0, stored) }
  }

  deinit { cffmpeg_reader_free(reader) }

  /// Returns the next packet, in ticks of one sample; nil at the end.
  ///
  /// - Throws: `SafelightError` if the file cannot be read.
  /// - Precondition: the mode is `packets`.
  public func nextPacket() throws -> EncodedPacket? {
    precondition(mode == .packets)
    if let first {
      self.first = nil
      return first
    }
    guard let storedFormat, let packet = try Self.readPacket(reader, path: path, damage: &damageCount) else {
      return nil
    }
    return place(packet, storedFormat)
  }

  /// Returns the next samples; nil at the end. What the file declares as padding is left out. A gap in the
  /// file is one in `position`; `time` is the position as time since the movie's start.
  ///
  /// - Throws: `SafelightError` if the file cannot be read, or changes its rate or channels.
  /// - Precondition: the mode is `samples`.
  public func nextBuffer() throws -> AudioBuffer? {
    precondition(mode == .samples)
    var block = cffmpeg_sound_block_data()
    while true {
      let event = cffmpeg_reader_block(reader, &block)
      guard event == CFFMPEG_SOUND_READY else {
        guard try Self.goesOn(after: event, reader, path: path, damage: &damageCount) else { return nil }
        continue
      }
      guard block.sample_rate == info.sample_rate, block.channels == info.channels else {
        throw SafelightError(
          .unsupported,
          "The sound of \(path) changes from \(info.sample_rate) Hz and \(info.channels) channels to "
            + "\(block.sample_rate) Hz and \(block.channels)",
          remedy: "convert it to one format, or cut it there")
      }
      let count = Int(block.count) * Int(block.channels)
      let stated = block.has_time ? position(atSeconds: block.time) : nil
      let position = clock.advance(to: stated, count: Int64(block.count))
      return AudioBuffer(
        format: format, samples: Array(UnsafeBufferPointer(start: block.samples, count: count)),
        time: Timestamp(nanoseconds: Int64(Double(position) / Double(format.sampleRate) * 1e9)),
        position: position)
    }
  }

  // MARK: Times

  /// Samples within which a time is taken for a rounded one: a tick and a half of the container's clock.
  private static func tolerance(_ info: cffmpeg_sound_info) -> Int64 {
    guard info.tick_denominator > 0 else { return 1 }
    let tick = Double(info.tick_numerator) / Double(info.tick_denominator) * Double(info.sample_rate)
    return 1 + Int64(max(0, min(1.5 * tick, Double(info.sample_rate))))
  }

  /// Returns the sample at a time on the file's clock; nil if no movie is that long.
  private func position(atSeconds seconds: Double) -> Int64? {
    let place = seconds - info.video_start
    let samples = place * Double(info.sample_rate)
    // So that neither samples nor nanoseconds overflow.
    return abs(place) < 1e9 && abs(samples) < 1e15 ? Int64(samples.rounded()) : nil
  }

  private func place(_ packet: cffmpeg_packet, _ format: EncodedAudioFormat) -> EncodedPacket {
    let bytes = UnsafeRawBufferPointer(start: packet.bytes, count: packet.count)
    let tick = Double(info.tick_numerator) / Double(max(1, info.tick_denominator))
    let stated = packet.presentation == .min ? nil : position(atSeconds: Double(packet.presentation) * tick)
    let rounded = Int64(max(0, min(Double(packet.duration) * tick * Double(info.sample_rate), 1e9)).rounded())
    let count = PacketDuration.samples(bytes, format) ?? rounded
    let position = clock.advance(to: stated, count: count)
    return EncodedPacket(
      bytes: [UInt8](bytes), presentation: position, duration: max(0, count - Int64(packet.skip_end)))
  }

  // MARK: Reading

  private static func readPacket(
    _ reader: OpaquePointer, path: String, damage: inout Int
  ) throws -> cffmpeg_packet? {
    var packet = cffmpeg_packet()
    while true {
      let event = cffmpeg_reader_packet(reader, &packet)
      if event == CFFMPEG_SOUND_READY, packet.count > 0 { return packet }
      if event == CFFMPEG_SOUND_READY { continue }
      guard try goesOn(after: event, reader, path: path, damage: &damage) else { return nil }
    }
  }

  /// Counts damage; returns false at the end.
  private static func goesOn(
    after event: cffmpeg_sound_event, _ reader: OpaquePointer, path: String, damage: inout Int
  ) throws -> Bool {
    switch event {
    case CFFMPEG_SOUND_DAMAGED:
      damage += 1
      return true
    case CFFMPEG_SOUND_FAILED:
      throw SafelightError(
        .file, "Cannot read \(path): \(errorText(cffmpeg_reader_errno(reader)))", remedy: "check the disk")
    default: return false
    }
  }
}
