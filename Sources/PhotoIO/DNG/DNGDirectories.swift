import ColorScience
import FrameCore

/// The directories of a DNG: the preview's, which is the file's first, and below it the mosaic's and the Exif
/// directory.
///
/// Source: DNG 1.4, chapters 2 (a preview comes first, the raw picture is below it) and 4 (tags); TIFF 6.0;
/// TIFF/EP (ISO 12234-2) for the mosaic's pattern.
struct DNGDirectories {
  var size: PixelSize
  var format: BayerFormat
  var sensor: SensorColor
  var neutral: SIMD3<Double>
  var facts: CaptureFacts
  var previewSize: PixelSize
  /// The length of the preview's JPEG in bytes.
  var previewBytes: Int
  /// The fields of EXIF.
  var exif: EXIFWriter
  var xmp: [UInt8]?

  /// The bytes of the mosaic.
  var mosaicBytes: Int { 2 * size.pixelCount }

  /// Returns the beginning of the file, up to the preview's data, which the mosaic's follow at `mosaic`.
  func header() -> (bytes: [UInt8], mosaic: Int) {
    // The length does not depend on the offsets.
    let length = 8 + tree(preview: 0, mosaic: 0).bytes(at: 8).count
    let mosaic = (length + previewBytes + 15) / 16 * 16
    let mark: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    return (mark + tree(preview: length, mosaic: mosaic).bytes(at: 8), mosaic)
  }

  private func tree(preview: Int, mosaic: Int) -> TIFFDirectoryTree {
    var first = TIFFDirectoryTree(order: .littleEndian)
    first.fields = previewFields(at: preview) + cameraFields + exif.fields(of: .image)
    if let xmp { first.fields.append(bytes(700, xmp)) }
    var raw = TIFFDirectoryTree(order: .littleEndian)
    raw.fields = mosaicFields(at: mosaic)
    var photo = TIFFDirectoryTree(order: .littleEndian)
    photo.fields = exif.fields(of: .photo)
    first.fields.append(.init(tag: 330, type: 4, count: 1, value: [0, 0, 0, 0], child: raw))
    first.fields.append(.init(tag: 34_665, type: 4, count: 1, value: [0, 0, 0, 0], child: photo))
    return first
  }

  /// A baseline JPEG of Y, Cb and Cr at half resolution.
  private func previewFields(at offset: Int) -> [TIFFDirectoryTree.Field] {
    [
      longs(254, [1]), longs(256, [previewSize.width]), longs(257, [previewSize.height]),
      shorts(258, [8, 8, 8]), shorts(259, [7]), shorts(262, [6]), longs(273, [offset]), shorts(277, [3]),
      longs(278, [previewSize.height]), longs(279, [previewBytes]), shorts(284, [1]), shorts(530, [2, 2]),
      shorts(531, [1]),
      // PreviewApplicationName, PreviewApplicationVersion, PreviewColorSpace: sRGB.
      text(50_966, "Safelight"), text(50_967, SafelightVersion.current), longs(50_970, [2]),
    ]
  }

  private var cameraFields: [TIFFDirectoryTree.Field] {
    let scaled = neutral / neutral.max()
    var fields = [
      // DNGVersion, and the oldest version whose readers understand all that counts.
      bytes(50_706, [1, 4, 0, 0]), bytes(50_707, [1, 1, 0, 0]), text(50_708, uniqueCameraModel),
      // ColorMatrix1, AsShotNeutral, BaselineExposure, CalibrationIlluminant1: D65.
      rationals(50_721, sensor.colorMatrix.rows.flatMap { [$0.x, $0.y, $0.z] }, isSigned: true),
      rationals(50_728, [scaled.x, scaled.y, scaled.z], isSigned: false),
      rationals(50_730, [sensor.baselineExposure], isSigned: true), shorts(50_778, [21]),
    ]
    if let serialNumber = facts.serialNumber, !serialNumber.isEmpty {
      fields.append(text(50_735, serialNumber))
    }
    if let id = rawDataUniqueID { fields.append(bytes(50_781, id)) }
    return fields
  }

  private func mosaicFields(at offset: Int) -> [TIFFDirectoryTree.Field] {
    let (width, height) = (size.width, size.height)
    return [
      longs(254, [0]), longs(256, [width]), longs(257, [height]), shorts(258, [16]), shorts(259, [1]),
      shorts(262, [32_803]), longs(273, [offset]), shorts(277, [1]), longs(278, [height]),
      longs(279, [mosaicBytes]), shorts(284, [1]),
      // CFARepeatPatternDim, CFAPattern, CFAPlaneColor, CFALayout: rectangular.
      shorts(33_421, [2, 2]), bytes(33_422, format.pattern.channels), bytes(50_710, [0, 1, 2]),
      shorts(50_711, [1]),
      // BlackLevelRepeatDim, BlackLevel, WhiteLevel, DefaultScale, DefaultCropOrigin and -Size: all of it.
      shorts(50_713, [1, 1]), longs(50_714, [linearization == nil ? sensor.blackLevel : 0]),
      longs(50_717, [linearization == nil ? sensor.whiteLevel ?? format.maximum : 65_535]),
      rationals(50_718, [1, 1], isSigned: false),
      longs(50_719, [0, 0]), longs(50_720, [width, height]),
      // ActiveArea: top, left, bottom, right.
      longs(50_829, [0, 0, height, width]),
    ] + (linearization.map { [shorts(50_712, $0)] } ?? [])
  }

  /// LinearizationTable: the light that each sample counts, 65535 at the white level; nil if samples are linear.
  private var linearization: [Int]? {
    guard sensor.transfer != .linear else { return nil }
    return sensor.lightBySample(of: format).map { Int((min(max($0, 0), 1) * 65_535).rounded()) }
  }

  /// Make and model; one of them if the other begins with it.
  private var uniqueCameraModel: String {
    let (make, model) = (facts.make ?? "", facts.camera ?? "")
    guard !model.isEmpty else { return make.isEmpty ? "Unknown camera" : make }
    return make.isEmpty || model.hasPrefix(make) ? model : "\(make) \(model)"
  }

  /// The 16 bytes of the photo's unique id.
  private var rawDataUniqueID: [UInt8]? {
    guard let digits = facts.uniqueID.map({ Array($0.utf8) }), digits.count == 32 else { return nil }
    let bytes = stride(from: 0, to: 32, by: 2).compactMap { place in
      UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
    }
    return bytes.count == 16 ? bytes : nil
  }

  // MARK: Fields

  private func bytes(_ tag: UInt16, _ values: [UInt8]) -> TIFFDirectoryTree.Field {
    .init(tag: tag, type: 1, count: values.count, value: values)
  }

  private func text(_ tag: UInt16, _ text: String) -> TIFFDirectoryTree.Field {
    let value = Array(text.utf8.filter { $0 != 0 }) + [0]
    return .init(tag: tag, type: 2, count: value.count, value: value)
  }

  private func shorts(_ tag: UInt16, _ values: [Int]) -> TIFFDirectoryTree.Field {
    .init(
      tag: tag, type: 3, count: values.count, value: values.flatMap { ByteOrder.littleEndian.bytes($0, 2) })
  }

  private func longs(_ tag: UInt16, _ values: [Int]) -> TIFFDirectoryTree.Field {
    .init(
      tag: tag, type: 4, count: values.count, value: values.flatMap { ByteOrder.littleEndian.bytes($0, 4) })
  }

  /// To a millionth.
  private func rationals(_ tag: UInt16, _ values: [Double], isSigned: Bool) -> TIFFDirectoryTree.Field {
    let bytes = values.flatMap { (value: Double) -> [UInt8] in
      ByteOrder.littleEndian.bytes(Int((value * 1_000_000).rounded()), 4)
        + ByteOrder.littleEndian.bytes(1_000_000, 4)
    }
    return .init(tag: tag, type: isSigned ? 10 : 5, count: values.count, value: bytes)
  }
}
