import Files
import FrameCore

/// Writes a sensor's mosaic as a digital negative.
///
/// The file has the samples as they are, in 16 bits without compression (two bytes a pixel: 4 MB for 1080p,
/// 24 MB for 12 MP), with a table of the light that they count if they are not linear, and a preview of half
/// the size, at most 1024 pixels an edge, as a JPEG in sRGB. Besides these, writing needs a band of rows in
/// memory and the small picture that the preview is made of, together 21 MB at most.
///
/// Source: DNG 1.4.
public enum DNGWriter {
  /// The long edge of the preview, in pixels: what browsers of photos show large enough.
  private static let previewEdge = 1024

  /// Writes a file, which appears only when it is complete.
  ///
  /// - Parameters:
  ///   - path: with the extension `dng`.
  ///   - sensor: what the samples mean.
  ///   - orientation: how the picture must be turned for display; the samples stay as they are.
  ///   - durable: as for `PhotoWriter.finish`.
  /// - Returns: what could not be kept or had to be guessed, one sentence each.
  /// - Throws: `SafelightError`: `.invalidValue` for another extension or values of `sensor` without a
  ///   meaning, otherwise as `PhotoWriter`. No file is left behind.
  @discardableResult
  public static func write(
    _ picture: BayerPicture, to path: String, _ facts: CaptureFacts, sensor: SensorColor = SensorColor(),
    orientation: Orientation = .up, overwrite: Bool = false, durable: Bool = true
  ) throws -> [String] {
    guard CameraRaw.pathExtension(of: path) == "dng" else {
      throw SafelightError(
        .invalidValue, "Cannot write \(path): a sensor's mosaic becomes a digital negative",
        remedy: "use .dng")
    }
    try sensor.validate(for: picture.format)
    let proxy = MosaicProxy(picture, sensor, maximumEdge: previewEdge)
    var warnings: [String] = []
    let neutral: SIMD3<Double>
    if let known = sensor.neutral ?? proxy.greyWorld {
      neutral = known
    } else {
      neutral = SIMD3(1, 1, 1)
      warnings.append("The picture is too dark or too bright to estimate its white balance; none is applied")
    }
    var exif = EXIFWriter(order: .littleEndian)
    warnings += exif.set(
      facts, size: picture.size, orientation: orientation, isSRGB: false, samples: .tiff)

    let output = try OutputFile(path: path, overwrite: overwrite)
    let preview = try proxy.develop(sensor, neutral: neutral)
    try JPEGFrameEncoder(quality: 85).encode(preview) { jpeg in
      let (header, mosaic) = DNGDirectories(
        size: picture.size, format: picture.format, sensor: sensor, neutral: neutral, facts: facts,
        previewSize: preview.size, previewBytes: jpeg.count, exif: exif, xmp: CaptureXMP.packet(facts)
      ).header()
      try output.write(header)
      try output.write(jpeg)
      try output.write([UInt8](repeating: 0, count: mosaic - header.count - jpeg.count))
    }
    try write(picture, to: output)
    try output.commit(durable: durable)
    return output.warnings + warnings
  }

  /// Writes the samples, least significant byte first.
  private static func write(_ picture: BayerPicture, to output: OutputFile) throws {
    let width = picture.size.width
    var band = [UInt16](repeating: 0, count: width * Bands.rows(of: picture.size))
    for rows in Bands.of(picture.size) {
      try band.withUnsafeMutableBufferPointer { band in
        for (index, y) in rows.enumerated() {
          let row = UnsafeMutableBufferPointer(rebasing: band[index * width..<(index + 1) * width])
          picture.unpack(row: y, into: row)
          for x in 0..<width { row[x] = row[x].littleEndian }
        }
        try output.write(
          UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(band)[..<(2 * width * rows.count)]))
      }
    }
  }
}
