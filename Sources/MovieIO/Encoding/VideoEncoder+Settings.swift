import FrameCore
import Libc

extension VideoEncoder {
  static func validate(_ settings: VideoEncoderSettings) throws {
    func refuse(_ problem: String, remedy: String) -> SafelightError {
      SafelightError(.invalidValue, problem, remedy: remedy)
    }
    let size = settings.size
    guard (2...16_384).contains(size.width), (2...16_384).contains(size.height) else {
      throw refuse("Movies of \(size) cannot be encoded", remedy: "use edges of 2…16384 pixels")
    }
    guard settings.framesPerSecond >= 0.01, settings.framesPerSecond <= 1000 else {
      throw refuse(
        "\(PlainNumber.text(settings.framesPerSecond)) frames per second cannot be encoded",
        remedy: "use 0.01…1000")
    }
    guard settings.keyFrameInterval >= 0.001, settings.keyFrameInterval <= 3600 else {
      throw refuse(
        "A key frame every \(PlainNumber.text(settings.keyFrameInterval)) s is impossible",
        remedy: "use 0.001…3600 s")
    }
    guard settings.sampleAspect.width > 0, settings.sampleAspect.height > 0,
      max(settings.sampleAspect.width, settings.sampleAspect.height) <= 65_535
    else {
      throw refuse(
        "The sample aspect \(settings.sampleAspect) is impossible", remedy: "use numbers of 1…65535")
    }
    switch settings.quality {
    case .constant(let value)?:
      guard value >= 0, value <= 51 else {
        throw refuse("The quality \(PlainNumber.text(value)) is out of range", remedy: "use 0 (best) … 51")
      }
    case .bitRate(let bits)?:
      guard (1000...2_000_000_000).contains(bits) else {
        throw refuse("\(bits) bits per second is out of range", remedy: "use 1000…2000000000")
      }
    case nil: break
    }
    if settings.quality != nil, settings.codec.defaultQuality == nil {
      throw refuse(
        "\(settings.codec.title) has neither a quality nor a bit rate to choose",
        remedy: settings.codec == .prores ? "choose its profile instead" : "leave them out")
    }
    if settings.codec == .prores, (settings.pixelFormat == .i444) != (settings.proResProfile == .p4444) {
      throw refuse(
        "ProRes \(settings.proResProfile.rawValue) takes no pictures in \(settings.pixelFormat.rawValue)",
        remedy: "use p4444 for i444, and the other profiles for what has less colour")
    }
    if settings.codec == .prores, settings.tags.range == .full {
      throw SafelightError(
        .unsupported, "ProRes cannot say that its samples have full range", remedy: "deliver limited range")
    }
    if settings.tags.isHighDynamicRange {
      throw SafelightError(
        .unsupported, "High dynamic range cannot be encoded from 8-bit samples", remedy: "use a look for SDR")
    }
  }

  /// The size without the columns and rows that a codec cannot store.
  static func encodedSize(_ settings: VideoEncoderSettings) -> PixelSize {
    let size = settings.size
    return settings.codec == .ffv1 ? size : PixelSize(width: size.width & ~1, height: size.height & ~1)
  }

  /// Opens the first encoder that can be opened.
  static func open(
    _ settings: VideoEncoderSettings, size: PixelSize
  ) throws -> (KnownEncoder, EncoderHandle) {
    let candidates = KnownEncoder.candidates(for: settings.codec, settings.choice)
    var refusals: [EncoderHandle.Refusal] = []
    for known in candidates {
      do {
        return (known, try EncoderHandle(known, settings, size: size, preset: settings.preset))
      } catch let refusal as EncoderHandle.Refusal {
        refusals.append(refusal)
        // Only what is not there is replaced by another encoder, unless hardware was only an offer.
        if !refusal.isMissing, !known.kind.isHardware { break }
      }
    }
    throw failure(settings, refusals)
  }

  /// The encoder's header. libaom has none before its first picture, so another one encodes a grey picture and
  /// gives the header in its packet.
  static func header(
    _ encoder: EncoderHandle, _ known: KnownEncoder, _ settings: VideoEncoderSettings, size: PixelSize
  ) throws -> [UInt8] {
    guard encoder.header.isEmpty, settings.codec == .av1 else { return encoder.header }
    let grey = try PixelBuffer(size: settings.size, format: settings.pixelFormat, tags: settings.tags)
    for plane in grey.planes { memset(plane.base, 128, plane.rowBytes * plane.rows) }
    let trial = try EncoderHandle(known, settings, size: size, preset: settings.preset)
    try trial.send(grey, at: 0, isKey: true)
    try trial.end()
    var header: [UInt8] = []
    try trial.receive { header += UnsafeRawBufferPointer(start: $0.bytes, count: $0.count) }
    return header
  }

  private static func failure(
    _ settings: VideoEncoderSettings, _ refusals: [EncoderHandle.Refusal]
  ) -> SafelightError {
    let title = settings.codec.title
    switch settings.choice {
    case .hardware:
      let reasons = refusals.map { "\($0.name): \($0.reason)" }.joined(separator: "; ")
      return SafelightError(
        .device, "No hardware encoder for \(title) opens here\(reasons.isEmpty ? "" : " (\(reasons))")",
        remedy: "use an encoder in software")
    case .software, .automatic, .named:
      // The first one of software is the one to install.
      let software = refusals.filter { refusal in
        KnownEncoder.all.contains { $0.name == refusal.name && !$0.kind.isHardware }
      }
      if let refusal = software.first(where: { !$0.isMissing }) ?? software.first ?? refusals.first {
        return refusal.error
      }
      return SafelightError(
        .invalidValue, "There is no such encoder for \(title)",
        remedy: "use one of "
          + KnownEncoder.all.filter { $0.codec == settings.codec }.map(\.name).joined(separator: ", "))
    }
  }

  func validate(_ buffer: PixelBuffer, at tick: Int64) throws {
    guard buffer.size == settings.size, buffer.format == settings.pixelFormat else {
      throw SafelightError(
        .invalidValue,
        "A picture of \(buffer.size) in \(buffer.format.rawValue) does not fit into a movie of "
          + "\(settings.size) in \(settings.pixelFormat.rawValue)",
        remedy: "start a new file when the source changes")
    }
    guard isAfterLast(tick) else {
      throw SafelightError(
        .invalidValue, "The time of a picture (\(tick)) is not after that of the last one",
        remedy: "use a TickClock")
    }
  }
}
