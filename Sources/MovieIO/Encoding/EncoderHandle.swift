import CFFmpeg
import FrameCore
import Libc

/// An open encoder of the shim.
final class EncoderHandle {
  /// Why an encoder does not open.
  struct Refusal: Error {
    let name: String
    /// Whether this libavcodec was built without it.
    let isMissing: Bool
    let error: SafelightError
    /// A few words, such as for a list.
    let reason: String
  }

  let header: [UInt8]
  private let name: String
  private let pointer: OpaquePointer

  /// - Throws: `Refusal`.
  init(
    _ known: KnownEncoder, _ settings: VideoEncoderSettings, size: PixelSize, preset: EncoderPreset
  ) throws {
    guard let stored = known.storedFormat(for: settings.pixelFormat) else {
      throw Refusal(
        name: known.name, isMissing: false,
        error: SafelightError(
          .unsupported, "\(known.name) takes no pictures in \(settings.pixelFormat.rawValue)",
          remedy: "deliver them in \(Self.accepted(known))"),
        reason: "takes no \(settings.pixelFormat.rawValue)")
    }
    if let reason = known.kind.missingHardware { throw Self.refused(known, reason) }
    let options = known.options(settings, preset: preset, first: settings.preset).joined(separator: "\n")
    var status = CFFMPEG_ENCODER_OPENED
    let (opened, message) = FFmpegVersion.explaining { message in
      known.name.withCString { name in
        options.withCString { options in
          stored.withCString { stored in
            var filled = Self.shimSettings(known, settings, size: size)
            (filled.name, filled.options, filled.stored_format) = (name, options, stored)
            return cffmpeg_encoder_open(&filled, &status, message)
          }
        }
      }
    }
    guard let opened else { throw Self.refusal(known, status, message) }
    (name, pointer) = (known.name, opened)
    var count = 0
    let bytes = cffmpeg_encoder_header(opened, &count)
    header = Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  deinit { cffmpeg_encoder_free(pointer) }

  private static func accepted(_ known: KnownEncoder) -> String {
    PixelFormat.allCases.filter { known.storedFormat(for: $0) != nil }.map(\.rawValue)
      .joined(separator: ", ")
  }

  private static func shimSettings(
    _ known: KnownEncoder, _ settings: VideoEncoderSettings, size: PixelSize
  ) -> cffmpeg_encoder_settings {
    let tags = settings.tags
    var shim = cffmpeg_encoder_settings()
    (shim.width, shim.height) = (Int32(size.width), Int32(size.height))
    shim.layout = settings.pixelFormat.shimLayout
    (shim.primaries, shim.transfer) = (Int32(tags.primaries.rawValue), Int32(tags.transfer.rawValue))
    (shim.matrix, shim.is_full_range) = (Int32(tags.matrix.rawValue), tags.range == .full)
    shim.chroma_location = tags.chromaSiting.shimLocation
    shim.sample_width = Int32(settings.sampleAspect.width)
    shim.sample_height = Int32(settings.sampleAspect.height)
    shim.time_scale = Int32(EncodedVideoFormat.timeScale)
    (shim.rate_numerator, shim.rate_denominator) = (Int32((settings.framesPerSecond * 1000).rounded()), 1000)
    shim.bit_rate = known.bitRate(settings)
    // Key frames are asked for by time; this only has to be further apart than any two of them.
    shim.longest_group = known.codec.hasPrediction ? 1 << 20 : 1
    // x265 takes this as the number of pictures at a time; its threads are among the options.
    shim.threads = known.kind == .x265 ? 1 : Int32(settings.threadCount)
    shim.has_slice_threads = true
    shim.profile = known.kind == .proRes ? settings.proResProfile.number : -99
    shim.uses_vaapi = known.kind == .vaapi
    return shim
  }

  private static func refused(_ known: KnownEncoder, _ reason: String) -> Refusal {
    Refusal(
      name: known.name, isMissing: false,
      error: SafelightError(
        .device, "The encoder \(known.name) does not open: \(reason)", remedy: "use an encoder in software"),
      reason: reason)
  }

  private static func refusal(
    _ known: KnownEncoder, _ status: cffmpeg_encoder_status, _ message: String
  ) -> Refusal {
    switch status {
    case CFFMPEG_ENCODER_NO_LIBRARY:
      return Refusal(
        name: known.name, isMissing: true, error: FFmpegVersion.missing("encode video", message),
        reason: message)
    case CFFMPEG_ENCODER_NO_MEMORY:
      return Refusal(
        name: known.name, isMissing: false,
        error: SafelightError(
          .noMemory, "There is not enough memory for the encoder \(known.name)",
          remedy: "close other programs or record smaller pictures"),
        reason: "not enough memory")
    case CFFMPEG_ENCODER_MISSING:
      return Refusal(
        name: known.name, isMissing: true,
        error: SafelightError(
          .missingLibrary, "This FFmpeg (libavcodec\(FFmpegVersion.codec)) has no encoder \(known.name)",
          remedy: known.missingRemedy),
        reason: "libavcodec\(FFmpegVersion.codec) was built without it")
    default:
      guard known.kind.isHardware else {
        return Refusal(
          name: known.name, isMissing: false,
          error: SafelightError(
            .unsupported, "The encoder \(known.name) refuses the settings: \(message)",
            remedy: "choose another size, rate or quality"),
          reason: message)
      }
      return refused(known, message)
    }
  }

  /// Sends a picture, which stays alive as long as the encoder needs it.
  func send(_ buffer: PixelBuffer, at tick: Int64, isKey: Bool) throws {
    var picture = cffmpeg_picture()
    let planes = buffer.planes
    picture.planes.0 = UnsafeRawPointer(planes[0].base)
    picture.row_bytes.0 = Int32(planes[0].rowBytes)
    if planes.count > 1 {
      picture.planes.1 = UnsafeRawPointer(planes[1].base)
      picture.row_bytes.1 = Int32(planes[1].rowBytes)
    }
    if planes.count > 2 {
      picture.planes.2 = UnsafeRawPointer(planes[2].base)
      picture.row_bytes.2 = Int32(planes[2].rowBytes)
    }
    (picture.time, picture.is_key) = (tick, isKey)
    picture.owner = Unmanaged.passRetained(buffer).toOpaque()
    picture.release = { owner, _ in
      if let owner { Unmanaged<PixelBuffer>.fromOpaque(owner).release() }
    }
    try check(cffmpeg_encoder_send(pointer, &picture))
  }

  /// Tells that no more pictures come.
  func end() throws { try check(cffmpeg_encoder_end(pointer)) }

  /// Calls `body` with every packet that is ready.
  func receive(_ body: (cffmpeg_packet) throws -> Void) throws {
    var packet = cffmpeg_packet()
    while true {
      let got = cffmpeg_encoder_receive(pointer, &packet)
      try check(min(got, 0))
      guard got > 0 else { return }
      try body(packet)
    }
  }

  private func check(_ result: Int32) throws {
    guard result < 0 else { return }
    throw SafelightError(
      result == -ENOMEM ? .noMemory : .device,
      "The encoder \(name) failed: \(FFmpegVersion.text(result))", remedy: "start a new recording")
  }
}

extension PixelFormat {
  var shimLayout: cffmpeg_layout {
    switch self {
    case .i420: CFFMPEG_I420
    case .i422: CFFMPEG_I422
    case .i444: CFFMPEG_I444
    case .nv12: CFFMPEG_NV12
    case .nv21: CFFMPEG_NV21
    case .nv16: CFFMPEG_NV16
    case .yuyv422: CFFMPEG_YUYV422
    case .uyvy422: CFFMPEG_UYVY422
    case .gray8: CFFMPEG_GRAY8
    case .rgba8, .rgba16, .rgbaF32: CFFMPEG_RGBA8
    }
  }
}

extension ColorTags.ChromaSiting {
  /// ChromaLocType of H.273 plus 1.
  var shimLocation: Int32 {
    switch self {
    case .unspecified: 0
    case .left: 1
    case .center: 2
    case .topLeft: 3
    }
  }
}
