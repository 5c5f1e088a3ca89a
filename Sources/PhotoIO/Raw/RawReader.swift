import Files
import CLibRaw
import ColorScience
import FrameCore

/// A camera raw developed by LibRaw: the sensor's data with the camera's white balance at the time of capture,
/// interpolated, in 16-bit linear light.
///
/// - The samples are linear Rec. 2020, the engine's working space, so renderers use them unconverted: the light of a
///   scene, with `SceneLight` in the tags. 0.25 is where the first of the sensor's channels is full; what the others
///   saw of brighter light is above it (`HighlightRecovery`). Colours outside the space are clipped per channel.
/// - White is balanced in the sensor's own colours, then the file's own profile is applied (`CameraProfile`), or LibRaw's
///   daylight matrix in the same place: for the matrix's own illuminant, this gives exactly ColorMatrix's colour.
/// - Bayer sensors are interpolated with AHD, X-Trans with three passes of Markesteijn's method.
/// - DNG's BaselineExposure is part of the exposure in the tags, which plans apply ahead of the tone map, so that
///   nothing is clipped. No tone curve is applied: the picture is what the sensor saw.
final class RawReader {
  /// The size of the rows delivered.
  let size: PixelSize
  /// The size of the picture in the file.
  let photoSize: PixelSize
  let orientation: Orientation
  let info: clibraw_info
  let metadata: PhotoMetadata
  /// Warnings from the headers, one sentence each.
  let warnings: [String]
  /// What the file says of its lens, for plans; nil if nothing.
  let embeddedLens: EmbeddedLens?
  /// Warnings about guesses in development; complete once the first row is read.
  private(set) var developingWarnings: [String] = []
  /// Rows read so far.
  private(set) var position = 0
  /// The most threads for LibRaw, including the caller's; nil uses one per core. Set it before reading the first
  /// row. It does not affect the picture, and X-Trans is always interpolated by one thread.
  var threads: Int? = 1

  private let path: String
  private let kind: String
  private let descriptor: Descriptor
  private let photo: OpaquePointer
  private var developed: (picture: clibraw_picture, colors: RawColors)?
  private let profile: CameraProfile
  /// Linear Rec. 2020, with what is known of the scene.
  let tags: ColorTags
  /// The picture's origin in LibRaw's output.
  private let origin: (x: Int, y: Int)

  /// Reads the headers.
  ///
  /// - Parameters:
  ///   - kind: the name of the format for messages, such as `DNG`.
  ///   - longEdge: allows four of the sensor's pixels to be combined into one, with a long edge no shorter than
  ///     this, which needs no interpolation and takes a fraction of the time.
  /// - Throws: `SafelightError`: `.missingLibrary` without LibRaw, `.unsupported` for raws it does not support,
  ///   `.tooLarge` beyond `PixelBuffer`'s limits, `.corruptData`.
  init(_ file: InputFile, kind: String, scaledToLongEdge longEdge: Int? = nil) throws {
    path = file.path
    self.kind = kind
    descriptor = file.descriptor
    let tiff = TIFFFile(file)
    let pictures = tiff?.pictures ?? []
    // LibRaw would read missing values as 0 and guess the colours.
    guard !pictures.contains(where: { !$0.missing.isDisjoint(with: TIFFFile.Tag.essential) }) else {
      throw Self.error(CLIBRAW_DAMAGED, "the values of its tags are missing", path: path, kind: kind)
    }
    var opened = try Self.open(file, kind: kind, isHalfSize: false)
    let full = RawCrop(clibraw_photo_info(opened), tiff)
    photoSize = full.size
    let exposed = clibraw_photo_info(opened)
    var crop = full
    // LibRaw drops the last row or column of an odd size.
    if let longEdge, full.size.longEdge / 2 >= longEdge {
      clibraw_free(opened)
      opened = try Self.open(file, kind: kind, isHalfSize: true)
      crop = full.scaled(to: clibraw_photo_info(opened))
    }
    photo = opened
    info = clibraw_photo_info(opened)
    size = crop.size
    origin = crop.origin
    orientation = UInt8(exactly: info.orientation).flatMap(Orientation.init(rawValue:)) ?? .up
    let (metadata, metadataWarnings) = RawMetadata.read(
      photo, info, tiff, size: full.size, orientation: orientation)
    self.metadata = metadata
    let missing = tiff.map { tiff in pictures.reduce(0) { max($0, tiff.missingBytes(of: $1)) } } ?? 0
    profile = CameraProfile(info.is_dng ? pictures.first : nil, in: tiff)
    let corrections = RawCorrections(
      pictures, in: tiff, isBayer: info.has_mosaic && !info.is_x_trans && info.is_dng)
    embeddedLens = corrections.lens?.placed(
      in: PixelSize(width: Int(exposed.width), height: Int(exposed.height)), at: full.origin, size: full.size)
    warnings =
      Self.headerWarnings(info, missingBytes: missing)
      + [corrections.warning, profile.warning].compactMap { $0 } + metadataWarnings
    let asked = Self.isSensible(info.baseline_exposure) ? info.baseline_exposure : 0
    tags = .linearRec2020(
      SceneLight(
        exposure: asked + Self.reserve, asked: asked, white: Self.white, toneCurve: profile.toneCurve,
        iso: info.iso > 0 ? info.iso : nil))
    // Here, where `deinit` already frees the photo.
    guard corrections.install(in: photo) else {
      throw Self.error(CLIBRAW_TOO_LARGE, "out of memory", path: path, kind: kind)
    }
    try PixelBuffer.validate(PixelSize(width: Int(info.raw_width), height: Int(info.raw_height)))
    try PixelBuffer.validate(PixelSize(width: Int(info.width), height: Int(info.height)))
    try PixelBuffer.validate(size)
  }

  deinit { clibraw_free(photo) }

  /// The sample of the light that fills the first channel. What is above it holds recovered highlights and colours that
  /// the matrix makes brighter than white.
  static let white: Float = 0.25

  /// How much darker than a picture for a display sensors record middle grey, in EV: half a stop is the headroom of
  /// saturation-based speed (ISO 12232:2019: grey at 12.7 % of the light that fills the sensor), and makers keep some more
  /// for highlights.
  static let reserve: Float = 0.7

  /// Delivers the next `count` rows as 16-bit R G B A in linear Rec. 2020.
  ///
  /// - Throws: `SafelightError(.corruptData)` if the data are damaged or truncated.
  func read(_ count: Int, into base: UnsafeMutableRawPointer, rowBytes: Int) throws {
    precondition(position + count <= size.height, "rows beyond the picture's last")
    let (picture, colors) = try developed ?? develop()
    guard let pixels = picture.pixels else {
      throw Self.error(CLIBRAW_DAMAGED, "there are no pixels", path: path, kind: kind)
    }
    let stride = 4 * Int(info.width)
    for y in 0..<count {
      let line = origin.y + position + y
      colors.convert(
        pixels + line * stride + 4 * origin.x, count: size.width, x: origin.x, y: line,
        to: (base + y * rowBytes).assumingMemoryBound(to: UInt16.self))
    }
    position += count
  }

  private static func headerWarnings(
    _ info: clibraw_info, missingBytes: Int
  ) -> [String] {
    var warnings: [String] = []
    if missingBytes > 0 {
      warnings.append(
        "The file seems to end early, by \(missingBytes) bytes; parts of the picture may be missing")
    }
    if info.frames > 1 {
      warnings.append("Only the first of \(info.frames) pictures in the file is read")
    }
    if !isSensible(info.baseline_exposure) {
      warnings.append(
        "The file asks to be shown brighter by \(info.baseline_exposure) EV (BaselineExposure), which is implausible "
          + "and is ignored")
    }
    return warnings
  }

  /// Cameras use -1 to 3 EV.
  private static func isSensible(_ stops: Float) -> Bool { abs(stops) <= 8 }

  private func develop() throws -> (clibraw_picture, RawColors) {
    var picture = clibraw_picture()
    let (status, message) = withMessage(CLIBRAW_MESSAGE_BYTES) {
      clibraw_develop(photo, Int32(clamping: threads ?? 0), &picture, $0)
    }
    guard status == CLIBRAW_OK else { throw Self.error(status, message, path: path, kind: kind) }
    if picture.is_daylight {
      developingWarnings.append(
        "The file does not state the camera's white balance; that of daylight is used")
    }
    guard let colors = RawColors(picture, info, profile: profile, white: Self.white) else {
      throw Self.error(CLIBRAW_DAMAGED, "the colour matrix is not a number", path: path, kind: kind)
    }
    if !colors.isCalibrated, info.colors == 3 {
      developingWarnings.append(
        "LibRaw has no colour matrix for this camera; its colours are treated as sRGB")
    }
    developed = (picture, colors)
    return (picture, colors)
  }

  private static func open(_ file: InputFile, kind: String, isHalfSize: Bool) throws -> OpaquePointer {
    var photo: OpaquePointer?
    // Open the very file that was examined, even if the path now leads to another.
    let (status, message) = withMessage(CLIBRAW_MESSAGE_BYTES) {
      clibraw_open("/proc/self/fd/\(file.descriptor.number)", isHalfSize, &photo, $0)
    }
    guard status == CLIBRAW_OK, let photo else {
      throw error(status, message, path: file.path, kind: kind)
    }
    return photo
  }

  private static func error(_ status: clibraw_status, _ message: String, path: String, kind: String)
    -> SafelightError
  {
    let name = kind == "camera raw" ? kind : "\(kind) camera raw"
    let library = String(cString: clibraw_library())
    return switch status {
    case CLIBRAW_MISSING:
      SafelightError(
        .missingLibrary, "Cannot read \(path): it is a \(name), and LibRaw cannot be loaded (\(message))",
        remedy: "install LibRaw (\(library)), or develop the photo to a TIFF first")
    case CLIBRAW_UNKNOWN:
      SafelightError(
        .unsupported,
        "Cannot read \(path): it looks like a \(name), but LibRaw does not know its kind, or its header is damaged",
        remedy: "copy the file again from its source, or develop it to a TIFF first")
    case CLIBRAW_TOO_LARGE:
      SafelightError(
        .tooLarge, "Cannot read \(path): the \(name) is too large for LibRaw or for the memory (\(message))",
        remedy: "close other programs, or develop the photo to a TIFF first")
    default:
      SafelightError(
        .corruptData, "Cannot read \(path): the \(name) data are damaged or end early (\(message))",
        remedy: "copy the file again from its source")
    }
  }
}
