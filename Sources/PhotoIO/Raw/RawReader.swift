import Files
import CLibRaw
import ColorScience
import FrameCore

/// A camera raw developed by LibRaw: the sensor's data with the camera's white balance at the time of capture,
/// interpolated, in 16-bit linear light.
///
/// - The samples are linear Rec. 2020, the engine's working space, so renderers use them unconverted. 1.0 is the
///   white level stated by the camera; brighter values are clipped there, which makes overexposed areas white.
///   Colours outside the space are clipped per channel.
/// - White is balanced in the sensor's own colours, then LibRaw's daylight matrix is applied: DNG's model for a
///   ForwardMatrix (DNG 1.4, chapter 6). For the matrix's own illuminant, this gives exactly ColorMatrix's colour.
/// - Bayer sensors are interpolated with AHD, X-Trans with three passes of Markesteijn's method.
/// - DNG's BaselineExposure is applied as DNG requires of a rendering: as a gain, which clips more at white. No
///   other tone curve is applied: the picture is what the sensor saw.
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
  private var picture: clibraw_picture?
  private var columns: [SIMD4<Float>] = []
  private let exposure: BaselineExposure
  /// The picture's origin in LibRaw's output.
  private let origin: (x: Int, y: Int)

  /// Reads the headers.
  ///
  /// - Parameters:
  ///   - kind: the name of the format for messages, such as `DNG`.
  ///   - longEdge: allows four of the sensor's pixels to be combined into one, with a long edge no shorter than
  ///     this, which needs no interpolation and takes a fraction of the time.
  /// - Throws: `SafelightError`: `.unsupported` without LibRaw or for raws it does not support, `.tooLarge` beyond
  ///   `PixelBuffer`'s limits, `.corruptData`.
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
    let hasOpcodes = pictures.contains { picture in
      TIFFFile.Tag.opcodeLists.contains { (picture[$0]?.byteCount ?? 0) > 4 }
    }
    warnings =
      Self.headerWarnings(info, missingBytes: missing, hasOpcodes: hasOpcodes) + metadataWarnings
    exposure = BaselineExposure(stops: Self.isSensible(info.baseline_exposure) ? info.baseline_exposure : 0)
    // Validate here, where `deinit` already frees the photo.
    try PixelBuffer.validate(PixelSize(width: Int(info.raw_width), height: Int(info.raw_height)))
    try PixelBuffer.validate(PixelSize(width: Int(info.width), height: Int(info.height)))
    try PixelBuffer.validate(size)
  }

  deinit { clibraw_free(photo) }

  /// Delivers the next `count` rows as 16-bit R G B A in linear Rec. 2020.
  ///
  /// - Throws: `SafelightError(.corruptData)` if the data are damaged or truncated.
  func read(_ count: Int, into base: UnsafeMutableRawPointer, rowBytes: Int) throws {
    precondition(position + count <= size.height, "rows beyond the picture's last")
    let picture = try self.picture ?? develop()
    guard let pixels = picture.pixels else {
      throw Self.error(CLIBRAW_DAMAGED, "there are no pixels", path: path, kind: kind)
    }
    let stride = 4 * Int(info.width)
    for y in 0..<count {
      let row = pixels + (origin.y + position + y) * stride + 4 * origin.x
      convert(row, to: (base + y * rowBytes).assumingMemoryBound(to: UInt16.self))
    }
    position += count
  }

  private static func headerWarnings(
    _ info: clibraw_info, missingBytes: Int, hasOpcodes: Bool
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
    if hasOpcodes {
      warnings.append(
        "The file asks for corrections, such as for lens distortion and shading (opcode lists), which are not applied"
      )
    }
    return warnings
  }

  /// Cameras use -1 to 3 EV.
  private static func isSensible(_ stops: Float) -> Bool { abs(stops) <= 8 }

  private func develop() throws -> clibraw_picture {
    var developed = clibraw_picture()
    let (status, message) = withMessage(CLIBRAW_MESSAGE_BYTES) {
      clibraw_develop(photo, Int32(clamping: threads ?? 0), &developed, $0)
    }
    guard status == CLIBRAW_OK else { throw Self.error(status, message, path: path, kind: kind) }
    if developed.is_daylight {
      developingWarnings.append(
        "The file does not state the camera's white balance; that of daylight is used")
    }
    if !developed.has_matrix, info.colors == 3 {
      developingWarnings.append(
        "LibRaw has no colour matrix for this camera; its colours are treated as sRGB")
    }
    columns = try Self.columns(of: developed, colors: Int(info.colors), path: path, kind: kind)
      .map { $0 * exposure.gain }
    picture = developed
    return developed
  }

  /// Returns the matrix from the sensor's colours to linear Rec. 2020, by columns; the fourth row is 0.
  private static func columns(of picture: clibraw_picture, colors: Int, path: String, kind: String) throws
    -> [SIMD4<Float>]
  {
    // A sensor without colour filters records grey in its only channel.
    guard colors > 1 else { return [SIMD4(1, 1, 1, 0), .zero, .zero, .zero] }
    let toWorking = ColorSpace.linearSRGB.matrix(to: .linearRec2020)
    let rows = picture.srgb_from_camera
    let camera = (0..<4).map { channel in
      let column = SIMD3(
        Double(element(rows.0, channel)), Double(element(rows.1, channel)), Double(element(rows.2, channel)))
      let working = toWorking * column
      return SIMD4(Float(working.x), Float(working.y), Float(working.z), 0)
    }
    guard camera.allSatisfy({ ($0 * 65_536).sum().isFinite }) else {
      throw error(CLIBRAW_DAMAGED, "the colour matrix is not a number", path: path, kind: kind)
    }
    return colors == 4 ? camera : camera[..<3] + [.zero]
  }

  private static func element(_ row: (Float, Float, Float, Float), _ index: Int) -> Float {
    [row.0, row.1, row.2, row.3][index]
  }

  private func convert(_ row: UnsafePointer<UInt16>, to rgba: UnsafeMutablePointer<UInt16>) {
    let (first, second, third, fourth) = (columns[0], columns[1], columns[2], columns[3])
    let white = SIMD4<Float>(repeating: 65_535)
    let half = SIMD4<Float>(repeating: 0.5)
    let curve = exposure.curve
    row.withMemoryRebound(to: SIMD4<UInt16>.self, capacity: size.width) { row in
      rgba.withMemoryRebound(to: SIMD4<UInt16>.self, capacity: size.width) { rgba in
        for x in 0..<size.width {
          let camera = SIMD4<Float>(row[x])
          var linear = first * camera.x
          linear += second * camera.y
          linear += third * camera.z
          linear += fourth * camera.w
          linear = pointwiseMin(pointwiseMax(linear, .zero), white)
          if let curve { linear = curve(linear) }
          let code = linear + half
          var pixel = SIMD4<UInt16>(truncatingIfNeeded: SIMD4<Int32>(code, rounding: .towardZero))
          pixel.w = .max
          rgba[x] = pixel
        }
      }
    }
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
        .unsupported, "Cannot read \(path): it is a \(name), and LibRaw cannot be loaded (\(message))",
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
