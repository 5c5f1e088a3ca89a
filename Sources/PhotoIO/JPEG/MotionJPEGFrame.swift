import CJPEG
import Files
import FrameCore

/// A frame of Motion JPEG as the camera sent it, which becomes a photo file without being decoded and encoded
/// again: every sample of the photo is the camera's.
///
/// What a file needs and a frame may lack is added: the standard Huffman tables, the end marker, and EXIF,
/// which says that the samples are sRGB as luma and colour differences (EXIF 2.32, section 4.5.2; without
/// EXIF, JFIF would). What does not belong to the picture is left out: bytes behind its end, the header of
/// AVI files, the H.264 stream that some webcams hide in application segments, previews. JFIF and Adobe
/// headers and ICC profiles are kept, since they decide what the samples mean.
///
/// Source of the frames: ITU-T T.81; USB Device Class Definition for Video Devices, Motion-JPEG payload 1.5,
/// section 3, by which Huffman tables are optional.
public struct MotionJPEGFrame: Sendable {
  public let size: PixelSize
  /// What was left out although it is no padding, one sentence each.
  public let warnings: [String]
  /// A whole JPEG without metadata.
  private let picture: [UInt8]
  /// Where metadata belong in it.
  private let metadataPlace: Int
  private let isGray: Bool

  /// Copies a frame and decodes it once, as a test: of a damaged frame no file is made.
  ///
  /// - Parameter expected: the stream's size; nil accepts any. Some cameras add rows at the bottom to
  ///   complete blocks, such as 1088 for 1080; the file then says that its picture ends before them (see
  ///   `JPEGCrop`).
  /// - Throws: `SafelightError`: `.corruptData` for a frame that is damaged or not whole, `.unsupported` for
  ///   another kind of JPEG than cameras send (8 bits, grey or YCbCr, not interlaced), `.tooLarge`,
  ///   `.noMemory`.
  public init(_ bytes: UnsafeRawBufferPointer, expecting expected: PixelSize? = nil) throws {
    let segments: JPEGSegments
    do {
      segments = try JPEGSegments(bytes)
    } catch let damage as MetadataDamage {
      throw Self.damaged(damage.reason)
    }
    var header: [UInt8] = [0xFF, JPEGSegments.Marker.start]
    var rest: [UInt8] = []
    rest.reserveCapacity(bytes.count)
    var warnings: [String] = []
    for segment in segments.segments {
      let payload = bytes[segment.payload]
      if segment.marker == JPEGSegments.Marker.app0, payload.starts(with: "AVI1".utf8),
        payload.dropFirst(4).first ?? 0 != 0
      {
        throw SafelightError(
          .unsupported, "The camera sends each picture as two fields (interlaced)",
          remedy: "choose a progressive format, or one that is not Motion JPEG")
      }
      let marked = Self.marked(segment, of: bytes)
      switch JPEGRole(segment.marker, payload) {
      // JFIF wants to be first (JFIF 1.02, page 5), and it must not come twice.
      case .jfif: if header.count == 2 { header += marked }
      case .picture: rest += marked
      case .camerasEXIF: warnings = ["The camera's own EXIF data were replaced"]
      case .other: break
      }
    }
    if segments.needsStandardTables(bytes) {
      rest =
        [UInt8](unsafeUninitializedCapacity: Int(JPEG_STANDARD_TABLES_BYTES)) { tables, count in
          if let base = tables.baseAddress { jpeg_write_standard_tables(base) }
          count = Int(JPEG_STANDARD_TABLES_BYTES)
        } + rest
    }
    var picture = header + rest + [0xFF, JPEGSegments.Marker.end]
    if let expected {
      let crop = try JPEGCrop(picture)
      if crop.size != expected {
        guard crop.end(before: expected, in: &picture) else {
          throw Self.damaged("it is \(crop.size), and the camera was asked for \(expected)")
        }
      }
    }
    (size, isGray) = try Self.decodeOnce(picture)
    self.picture = picture
    metadataPlace = header.count
    self.warnings = warnings
  }

  public init(_ bytes: [UInt8], expecting expected: PixelSize? = nil) throws {
    self = try bytes.withUnsafeBytes { try MotionJPEGFrame($0, expecting: expected) }
  }

  /// Returns the photo as a JPEG file, and the facts that could not be kept, one sentence each.
  public func file(_ facts: CaptureFacts, orientation: Orientation = .up) -> (
    bytes: [UInt8], warnings: [String]
  ) {
    let (markers, dropped) = markers(facts, orientation)
    return (picture[..<metadataPlace] + markers + picture[metadataPlace...], dropped)
  }

  /// Writes the photo as a JPEG file, which appears only when it is complete.
  ///
  /// - Parameters:
  ///   - orientation: how the stored pixels must be turned for display.
  ///   - durable: as for `PhotoWriter.finish`.
  /// - Returns: what could not be kept, one sentence each; includes `warnings`.
  /// - Throws: `SafelightError`, `.invalidValue` if the path's extension is not JPEG's. No file is left
  ///   behind.
  @discardableResult
  public func write(
    to path: String, _ facts: CaptureFacts, orientation: Orientation = .up, overwrite: Bool = false,
    durable: Bool = true
  ) throws -> [String] {
    guard try PhotoFileFormat(forWritingTo: path) == .jpeg else {
      throw SafelightError(
        .invalidValue, "Cannot write \(path): a frame of Motion JPEG becomes a JPEG file",
        remedy: "use .jpg, or decode the frame first")
    }
    let output = try OutputFile(path: path, overwrite: overwrite)
    let (markers, dropped) = markers(facts, orientation)
    try picture.withUnsafeBytes { picture in
      try output.write(UnsafeRawBufferPointer(rebasing: picture[..<metadataPlace]))
      try output.write(markers)
      try output.write(UnsafeRawBufferPointer(rebasing: picture[metadataPlace...]))
    }
    try output.commit(durable: durable)
    return warnings + output.warnings + dropped
  }

  private func markers(_ facts: CaptureFacts, _ orientation: Orientation) -> ([UInt8], warnings: [String]) {
    var exif = EXIFWriter(order: .littleEndian)
    let omitted = exif.set(
      facts, size: size, orientation: orientation, isSRGB: true, samples: isGray ? .luma : .yCbCr)
    let metadata = PhotoMetadata(exif: exif.block(), xmp: CaptureXMP.packet(facts))
    let (markers, dropped) = JPEGMetadata.markers(for: metadata, iccProfile: nil)
    var bytes: [UInt8] = []
    for marker in markers {
      bytes += [0xFF, UInt8(truncatingIfNeeded: marker.code)]
      bytes += BigEndian.bytes(marker.payload.count + 2, 2) + marker.payload
    }
    return (bytes, omitted + dropped)
  }

  /// Returns a segment with its marker, its length and its scan.
  private static func marked(_ segment: JPEGSegments.Segment, of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let end = segment.scan.isEmpty ? segment.payload.upperBound : segment.scan.upperBound
    return [0xFF, segment.marker] + bytes[segment.payload.lowerBound - 2..<end]
  }

  private static func damaged(_ reason: String) -> SafelightError {
    SafelightError(
      .corruptData, "The camera's frame is damaged: \(reason)", remedy: "take the photo again")
  }

  /// Decodes a picture without keeping its samples.
  private static func decodeOnce(_ picture: [UInt8]) throws -> (size: PixelSize, isGray: Bool) {
    guard let decoder = jpeg_frame_decoder_new() else { throw outOfMemory }
    defer { jpeg_frame_decoder_free(decoder) }
    var header = jpeg_frame_header()
    func check(_ status: cjpeg_status) throws {
      switch status {
      case CJPEG_OK: return
      case CJPEG_OUT_OF_MEMORY: throw outOfMemory
      case CJPEG_UNSUPPORTED:
        throw SafelightError(
          .unsupported,
          "The camera's frame is an unusual JPEG (\(String(cString: jpeg_frame_decoder_message(decoder))))",
          remedy: "choose another format of the camera")
      default: throw damaged(String(cString: jpeg_frame_decoder_message(decoder)))
      }
    }
    return try picture.withUnsafeBufferPointer { bytes in
      try check(jpeg_frame_decoder_begin(decoder, bytes.baseAddress, bytes.count, &header))
      let size = PixelSize(width: Int(header.width), height: Int(header.height))
      try PixelBuffer.validate(size)
      let isGray = header.sampling == JPEG_FRAME_GRAY
      // The decoder drops rows that a plane has no room for; here these are all.
      var nowhere: UInt8 = 0
      try withUnsafeMutablePointer(to: &nowhere) { nowhere in
        let plane = jpeg_frame_plane(base: nowhere, row_bytes: .max, rows: 0)
        try check(jpeg_frame_decoder_finish(decoder, [plane, plane, plane], isGray ? 1 : 3))
      }
      return (size, isGray)
    }
  }

  private static let outOfMemory = SafelightError(
    .noMemory, "Not enough memory to check the camera's frame", remedy: "close other programs")
}

/// What a segment of a camera's frame is for.
private enum JPEGRole {
  case jfif
  /// What the samples or their meaning depend on.
  case picture
  case camerasEXIF
  case other

  init(_ marker: UInt8, _ payload: Slice<UnsafeRawBufferPointer>) {
    switch marker {
    case JPEGSegments.Marker.app0: self = payload.starts(with: "JFIF\0".utf8) ? .jfif : .other
    case JPEGSegments.Marker.app1: self = payload.starts(with: "Exif\0".utf8) ? .camerasEXIF : .other
    case JPEGSegments.Marker.app2: self = payload.starts(with: "ICC_PROFILE\0".utf8) ? .picture : .other
    case JPEGSegments.Marker.app14: self = payload.starts(with: "Adobe".utf8) ? .picture : .other
    case JPEGSegments.Marker.applications: self = .other
    default: self = .picture
    }
  }
}

extension JPEGSegments {
  /// Whether a scan uses a Huffman table that no segment before it defines.
  ///
  /// Source: ITU-T T.81, annexes B.2.3 and B.2.4.2.
  func needsStandardTables(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The class in the upper half, 0 for DC and 1 for AC, the number in the lower.
    var defined: Set<UInt8> = []
    for segment in segments {
      let payload = bytes[segment.payload]
      if segment.marker == Marker.huffmanTables {
        var position = payload.startIndex
        while position + 17 <= payload.endIndex {
          defined.insert(bytes[position])
          let values = bytes[position + 1..<position + 17].reduce(0) { (sum: Int, count: UInt8) -> Int in
            sum + Int(count)
          }
          position += 17 + values
        }
      } else if segment.marker == Marker.scan, let count = payload.first, payload.count >= 4 + 2 * Int(count)
      {
        let spectrum = payload.startIndex + 1 + 2 * Int(count)
        for component in 0..<Int(count) {
          let tables = bytes[payload.startIndex + 2 + 2 * component]
          // A scan begins with DC if its spectrum begins at 0, and has AC if it goes beyond.
          if bytes[spectrum] == 0, !defined.contains(tables >> 4) { return true }
          if bytes[spectrum + 1] > 0, !defined.contains(0x10 | tables & 0xF) { return true }
        }
      }
    }
    return false
  }
}
