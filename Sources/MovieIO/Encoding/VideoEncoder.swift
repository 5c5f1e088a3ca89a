import CFFmpeg
import FrameCore

/// Compresses pictures. One thread at a time.
///
/// Pictures are not copied if the encoder takes their layout: they stay in use until it has read them.
/// Packets come in the order of decoding, without reordering, a few pictures after the one that was sent
/// (`delay`).
public final class VideoEncoder {
  public let settings: VideoEncoderSettings
  /// FFmpeg's name of what encodes.
  public let encoderName: String
  public let isHardware: Bool
  public let format: EncodedVideoFormat
  /// The size of the encoded pictures. Codecs with subsampled colour take even edges only, so the last column
  /// or row of an odd picture is left out (FFV1 keeps it).
  public var size: PixelSize { format.size }
  /// One sentence for each thing that was done differently from what the settings say.
  public let notes: [String]
  /// The preset of the pictures that are sent.
  public private(set) var preset: EncoderPreset
  /// The pictures that were sent and have not come out.
  public private(set) var pendingCount = 0
  /// The largest `pendingCount` after a picture was taken.
  public private(set) var delay = 0

  private let known: KnownEncoder
  private let stream: EncodedStream
  private var encoder: EncoderHandle
  /// Takes over at the next key frame.
  private var next: (encoder: EncoderHandle, preset: EncoderPreset)?
  private var schedule: KeyFrameSchedule
  private var lastTick: Int64?
  private var sentCount = 0
  private var hasFinished = false

  func isAfterLast(_ tick: Int64) -> Bool { lastTick.map { tick > $0 } ?? true }

  /// Opens an encoder.
  ///
  /// - Throws: `SafelightError` with the package to install if the encoder or FFmpeg is missing, or with
  ///   what the encoder refuses.
  public init(_ settings: VideoEncoderSettings) throws {
    try Self.validate(settings)
    let size = Self.encodedSize(settings)
    let (known, encoder) = try Self.open(settings, size: size)
    let stream = EncodedStream(codec: settings.codec)
    let header = try Self.header(encoder, known, settings, size: size)
    self.settings = settings
    (self.known, self.encoder, self.stream) = (known, encoder, stream)
    (encoderName, isHardware, preset) = (known.name, known.kind.isHardware, settings.preset)
    format = EncodedVideoFormat(
      codec: settings.codec, size: size,
      configuration: try stream.configuration(header: header, encoder: known.name),
      fourCC: stream.fourCC(settings.proResProfile), tags: settings.tags,
      sampleAspect: settings.sampleAspect, orientation: settings.orientation)
    let ticks = Double(EncodedVideoFormat.timeScale)
    schedule = KeyFrameSchedule(
      interval: Int64((settings.keyFrameInterval * ticks).rounded()),
      tolerance: Int64((ticks / settings.framesPerSecond / 2).rounded()))
    notes =
      size == settings.size
      ? [] : ["\(settings.codec.title) takes even sizes only, so \(settings.size) is cut to \(size)"]
  }

  /// The layouts that the encoders of a codec in software take, the best first.
  public static func pixelFormats(for codec: VideoCodec) -> [PixelFormat] {
    let order: [PixelFormat] = [.i420, .nv12, .nv21, .i422, .nv16, .yuyv422, .uyvy422, .i444, .gray8]
    let software = KnownEncoder.candidates(for: codec, .software).prefix(1)
    return order.filter { format in software.contains { $0.storedFormat(for: format) != nil } }
  }

  /// Compresses a picture that is shown from `tick` on, in 1/90000 s; see `TickClock`.
  ///
  /// - Parameter isKey: asks for a key frame; otherwise one comes after `keyFrameInterval`.
  /// - Returns: the packets that are ready: none, or some of earlier pictures.
  /// - Throws: `SafelightError` if the picture differs from the settings, if its time does not increase, or
  ///   if the encoder fails.
  public func encode(_ buffer: PixelBuffer, at tick: Int64, isKey: Bool = false) throws -> [EncodedPacket] {
    try validate(buffer, at: tick)
    lastTick = tick
    let isKey = schedule.isKey(at: tick, isForced: isKey)
    var packets: [EncodedPacket] = []
    if isKey, sentCount > 0 {
      if next == nil, known.kind.restartsAtKeys { next = (try reopened(preset), preset) }
      if let next {
        packets = try drain()
        (encoder, preset) = next
        self.next = nil
      }
    }
    try encoder.send(buffer, at: tick, isKey: isKey)
    sentCount += 1
    pendingCount += 1
    packets += try receive()
    delay = max(delay, pendingCount)
    return packets
  }

  /// Ends the stream and returns the packets of the pictures that were still in the encoder.
  public func finish() throws -> [EncodedPacket] {
    guard !hasFinished else { return [] }
    hasFinished = true
    next = nil
    return try drain()
  }

  /// Whether `changePreset` can succeed.
  public var hasPresets: Bool { known.kind.hasPresets }

  /// Changes the preset from the next key frame on.
  ///
  /// FFmpeg passes no change of a preset to a running encoder. A second one, which is opened here, therefore
  /// takes over at a key frame; players see one stream, because both have the same parameter sets byte for
  /// byte.
  ///
  /// - Parameter preset: the settings' preset or a faster one.
  /// - Throws: `SafelightError(.unsupported)`, and nothing changes, if the encoder has no presets or the
  ///   parameter sets would differ.
  public func changePreset(to preset: EncoderPreset) throws {
    guard preset != (next?.preset ?? self.preset), !hasFinished else { return }
    guard preset != self.preset else {
      next = nil
      return
    }
    guard hasPresets else {
      throw SafelightError(
        .unsupported, refusal(of: preset), remedy: "lower the frame rate or the size")
    }
    next = (try reopened(preset), preset)
  }

  /// Opens a second encoder, whose parameter sets must be those of the first.
  private func reopened(_ preset: EncoderPreset) throws -> EncoderHandle {
    let opened: EncoderHandle
    do {
      opened = try EncoderHandle(known, settings, size: size, preset: preset)
    } catch let failure as EncoderHandle.Refusal {
      throw failure.error
    }
    guard try stream.configuration(header: opened.header, encoder: encoderName) == format.configuration else {
      throw SafelightError(
        .unsupported, "\(refusal(of: preset)): its parameter sets differ",
        remedy: "use it from the start of the next file")
    }
    return opened
  }

  private func refusal(of preset: EncoderPreset) -> String {
    "The encoder \(encoderName) cannot change to the preset \(preset.rawValue) within a movie"
  }

  // MARK: Packets

  private func drain() throws -> [EncodedPacket] {
    try encoder.end()
    return try receive()
  }

  private func receive() throws -> [EncodedPacket] {
    var packets: [EncodedPacket] = []
    try encoder.receive { packet in
      pendingCount -= 1
      let bytes = try stream.sample(UnsafeRawBufferPointer(start: packet.bytes, count: packet.count))
      // Nothing is reordered, so pictures are decoded in the order in which they are shown.
      packets.append(
        EncodedPacket(
          bytes: bytes, presentation: packet.presentation,
          isKey: packet.is_key || !settings.codec.hasPrediction))
    }
    return packets
  }
}
