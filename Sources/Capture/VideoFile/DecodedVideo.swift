import CFFmpeg
import FrameCore

/// A video decoded by FFmpeg: the shim's functions with Swift's types.
final class DecodedVideo {
  let info: cffmpeg_info
  private let file: LocalFile
  private let video: OpaquePointer

  /// Opens the best video stream and decodes its first frame.
  ///
  /// - Throws: `SafelightError` with the reason if that fails.
  init(_ file: LocalFile, threads: Int32) throws {
    var status = CFFMPEG_OPENED
    let (video, message) = withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: Int(CFFMPEG_MESSAGE_BYTES)
    ) { buffer in
      buffer.initialize(repeating: 0)
      let video = cffmpeg_open(file.descriptor, threads, &status, buffer.baseAddress)
      return (video, String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
    guard let video else { throw Self.error(status, message, path: file.path) }
    self.file = file
    self.video = video
    info = cffmpeg_video_info(video)
  }

  deinit { cffmpeg_free(video) }

  private static func error(_ status: cffmpeg_status, _ message: String, path: String) -> SafelightError {
    switch status {
    case CFFMPEG_NO_LIBRARY:
      let version = cffmpeg_format_version()
      return SafelightError(
        .missingLibrary, "Cannot read \(path): FFmpeg's libraries cannot be loaded (\(message))",
        remedy: "install libavformat\(version) and libswscale, or the package ffmpeg")
    case CFFMPEG_NO_VIDEO:
      return SafelightError(
        .unsupported, "Cannot read \(path): it has no video", remedy: "choose a file that has video")
    case CFFMPEG_NO_DECODER:
      return SafelightError(
        .unsupported, "Cannot read \(path): there is no decoder for its video (\(message))",
        remedy: "convert it to H.264 or install an FFmpeg that decodes it")
    case CFFMPEG_NO_FRAME:
      return SafelightError(
        .corruptData, "Cannot read \(path): no frame of its video (\(message)) can be decoded",
        remedy: "copy the file again from its source")
    case CFFMPEG_NO_MEMORY:
      return SafelightError(
        .noMemory, "Cannot read \(path): there is not enough memory", remedy: "close other programs")
    default:
      return SafelightError(
        .corruptData, "Cannot read \(path): it is not a video file, or its beginning or its index is damaged",
        remedy: "check that it plays elsewhere, or copy it again from its source")
    }
  }

  // MARK: Frames

  func step() -> cffmpeg_event { cffmpeg_step(video) }
  func rewind() -> Bool { cffmpeg_rewind(video) }

  /// Goes to the last key frame that is not after a moment of the file's clock; false if the file cannot be sought in.
  func seek(toSeconds seconds: Double) -> Bool { cffmpeg_seek(video, seconds) }

  /// Of the file, in seconds; nil if it is not known.
  var duration: Double? {
    let seconds = cffmpeg_duration(video)
    return seconds > 0 ? seconds : nil
  }

  /// The presentation time of the current frame, in seconds on the file's clock.
  var frameSeconds: Double? {
    var seconds = 0.0
    return cffmpeg_frame_time(video, &seconds) ? seconds : nil
  }

  /// The duration of the current frame in seconds.
  var frameDuration: Double? {
    let seconds = cffmpeg_frame_duration(video)
    return seconds > 0 && seconds <= FileClock.longestInterval ? seconds : nil
  }

  var ending: cffmpeg_ending { cffmpeg_video_ending(video) }

  /// Writes the current frame into `buffer`, which has the video's size and format.
  func copy(into buffer: PixelBuffer) -> Bool {
    let planes = buffer.planes
    func base(_ index: Int) -> UnsafeMutableRawPointer? { index < planes.count ? planes[index].base : nil }
    func rowBytes(_ index: Int) -> Int32 { index < planes.count ? Int32(planes[index].rowBytes) : 0 }
    return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 3) { bases in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: 3) { strides in
        for index in 0..<3 {
          bases.initializeElement(at: index, to: base(index))
          strides.initializeElement(at: index, to: rowBytes(index))
        }
        return cffmpeg_copy(video, bases.baseAddress, strides.baseAddress)
      }
    }
  }

  // MARK: The file's properties

  var path: String { file.path }
  var descriptor: Int32 { file.descriptor }
  var size: PixelSize { PixelSize(width: Int(info.width), height: Int(info.height)) }

  var pixelFormat: PixelFormat {
    switch info.layout {
    case CFFMPEG_I422: .i422
    case CFFMPEG_I444: .i444
    case CFFMPEG_NV12: .nv12
    case CFFMPEG_NV21: .nv21
    case CFFMPEG_NV16: .nv16
    case CFFMPEG_YUYV422: .yuyv422
    case CFFMPEG_UYVY422: .uyvy422
    case CFFMPEG_GRAY8: .gray8
    case CFFMPEG_RGBA8: .rgba8
    default: .i420
    }
  }

  /// What is stored and how it is converted, if that differs.
  var notes: [String] {
    var notes: [String] = []
    if info.is_converted {
      notes.append("The video's \(Self.text(info.format_name)) is converted to 8-bit \(pixelFormat.rawValue)")
    }
    notes += unknownCodePoints.map {
      "The video's \($0.name) (code point \($0.code) of H.273) is not supported and is treated as unspecified"
    }
    return notes
  }

  /// Returns FFmpeg's text in an array of characters.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension DecodedVideo {
  private static let unspecified: Int32 = 2

  /// Code points in the file that `ColorTags` does not support. 0 and 3 are reserved by H.273 and carry no
  /// information.
  private var unknownCodePoints: [(name: String, code: Int32)] {
    func isUnknown(_ code: Int32, _ known: Bool) -> Bool { !known && code != 0 && code != 3 }
    var unknown: [(String, Int32)] = []
    if isUnknown(info.primaries, primaries != nil) { unknown.append(("set of primaries", info.primaries)) }
    if isUnknown(info.transfer, transfer != nil) { unknown.append(("transfer function", info.transfer)) }
    if !isRGB, isUnknown(info.matrix, matrix != nil) { unknown.append(("colour matrix", info.matrix)) }
    return unknown
  }

  private var isRGB: Bool { pixelFormat.isRGBA }

  private var primaries: ColorTags.Primaries? {
    // H.273 gives 6 and 7 the same chromaticities.
    UInt8(exactly: info.primaries == 7 ? 6 : info.primaries).flatMap(ColorTags.Primaries.init)
  }
  private var transfer: ColorTags.Transfer? {
    // 1, 6, 14 and 15 are the same function, at different depths.
    UInt8(exactly: info.transfer == 15 ? 14 : info.transfer).flatMap(ColorTags.Transfer.init)
  }
  private var matrix: ColorTags.Matrix? {
    // 5 and 6 are the same coefficients.
    UInt8(exactly: info.matrix == 5 ? 6 : info.matrix).flatMap(ColorTags.Matrix.init)
  }

  private var siting: ColorTags.ChromaSiting {
    switch info.chroma_location {
    case 1: .left
    case 2: .center
    case 3: .topLeft
    default: .unspecified
    }
  }

  /// The stream's own tags; anything it leaves open stays unspecified. A stream that does not state its range has
  /// limited range, following H.273 for luma and chroma; grey alone then has full range, following FFmpeg.
  var tags: ColorTags {
    let isFull = isRGB || info.is_full_range || pixelFormat == .gray8 && !info.states_range
    return ColorTags(
      primaries: primaries ?? .unspecified, transfer: transfer ?? .unspecified,
      matrix: isRGB ? .identity : matrix ?? .unspecified, range: isFull ? .full : .limited,
      chromaSiting: pixelFormat.isYCbCr ? siting : .unspecified)
  }

  /// Square unless the file states otherwise.
  var sampleAspect: SampleAspect {
    guard info.sample_width > 0, info.sample_height > 0 else { return .square }
    return SampleAspect(width: Int(info.sample_width), height: Int(info.sample_height))
  }

  var fieldOrder: FieldOrder {
    switch info.fields {
    case CFFMPEG_TOP_FIELD_FIRST: .topFirst
    case CFFMPEG_BOTTOM_FIELD_FIRST: .bottomFirst
    default: .progressive
    }
  }

  /// The rotation in the display matrix, rounded to quarter turns.
  var orientation: Orientation {
    let (a, b, c, d) = (Int64(info.a), Int64(info.b), Int64(info.c), Int64(info.d))
    if abs(a) + abs(d) >= abs(b) + abs(c) {
      return d >= 0 ? (a >= 0 ? .up : .upMirrored) : (a >= 0 ? .downMirrored : .down)
    }
    return b >= 0 ? (c >= 0 ? .leftMirrored : .right) : (c >= 0 ? .left : .rightMirrored)
  }
}
