import CLibRaw
import FrameCore
import Libc

/// The metadata of a camera raw as a separate EXIF block: a raw's directories are spread over the file, among tags
/// that are meaningless in an edited photo.
///
/// Fields of TIFF-like raws are copied. What is missing there, and everything for other raws, comes from LibRaw. A
/// maker note whose offsets count from the start of the file keeps its offset.
enum RawMetadata {
  private enum Tag {
    static let make: UInt16 = 0x010F
    static let model: UInt16 = 0x0110
    static let orientation: UInt16 = 0x0112
    static let artist: UInt16 = 0x013B
    static let exposureTime: UInt16 = 0x829A
    static let aperture: UInt16 = 0x829D
    static let iso: UInt16 = 0x8827
    static let date: UInt16 = 0x9003
    static let focalLength: UInt16 = 0x920A
    static let makerNote: UInt16 = 0x927C
    static let colorSpace: UInt16 = 0xA001
    static let width: UInt16 = 0xA002
    static let height: UInt16 = 0xA003
    static let interoperability: UInt16 = 0xA005
    static let lens: UInt16 = 0xA434
  }

  /// Longer fields are binary data rather than text.
  private static let longestField = 8192
  /// JPEG holds blocks of up to 65,527 bytes; this leaves room for the directories.
  private static let makerNoteEnd = 56 << 10

  /// - Parameters:
  ///   - photo: a newly opened raw.
  ///   - tiff: the file, if it is a TIFF.
  /// - Returns: the metadata and what had to be omitted, one sentence each.
  static func read(
    _ photo: OpaquePointer, _ info: clibraw_info, _ tiff: TIFFFile?, size: PixelSize, orientation: Orientation
  ) -> (metadata: PhotoMetadata, warnings: [String]) {
    var exif = EXIFWriter(order: tiff?.order ?? .littleEndian)
    var iptc: [UInt8]?
    var warnings: [String] = []
    if let tiff, let first = tiff.directory(at: tiff.firstDirectory) {
      let tags = TIFFMetadata.descriptiveTags.union(TIFFMetadata.resolutionTags)
      for tag in tags { copy(first, tag, tiff, to: .image, &exif) }
      if let directory = tiff.directory(first[.exifDirectory]) {
        for tag in directory.entries.keys where tag != .makerNote {
          copy(directory, tag.rawValue, tiff, to: .photo, &exif)
        }
        if let warning = directory[.makerNote].flatMap({ copyMakerNote($0, tiff, &exif) }) {
          warnings.append(warning)
        }
      }
      if let directory = tiff.directory(first[.gpsDirectory]) {
        for tag in directory.entries.keys { copy(directory, tag.rawValue, tiff, to: .location, &exif) }
      }
      iptc = first[.iptc].flatMap { tiff.bytes(of: $0) }
    }
    addLibRawFields(photo, info, &exif)
    // Describe the picture as delivered. The interoperability directory would promise a colour space.
    exif[.photo, Tag.interoperability] = nil
    exif[.image, Tag.orientation] = exif.short(Int(orientation.rawValue))
    exif[.photo, Tag.colorSpace] = exif.short(0xFFFF)
    exif[.photo, Tag.width] = exif.long(size.width)
    exif[.photo, Tag.height] = exif.long(size.height)

    var length: UInt32 = 0
    let xmp = clibraw_photo_xmp(photo, &length).map {
      Array(UnsafeRawBufferPointer(start: $0, count: Int(length)).prefix { $0 != 0 })
    }
    let metadata = PhotoMetadata(exif: exif.block(), xmp: xmp.flatMap { $0.isEmpty ? nil : $0 }, iptc: iptc)
    return (metadata, warnings)
  }

  private static func copy(
    _ source: TIFFFile.Directory, _ tag: UInt16, _ tiff: TIFFFile, to directory: EXIFWriter.Directory,
    _ exif: inout EXIFWriter
  ) {
    guard let entry = source[TIFFFile.Tag(rawValue: tag)],
      let bytes = tiff.bytes(of: entry, limit: longestField)
    else { return }
    exif[directory, tag] = EXIFWriter.Field(type: entry.type, count: entry.count, bytes: bytes)
  }

  /// - Returns: why the note could not be kept; nil if it was.
  private static func copyMakerNote(
    _ entry: TIFFDirectory.Entry, _ tiff: TIFFFile, _ exif: inout EXIFWriter
  ) -> String? {
    guard let bytes = tiff.bytes(of: entry, limit: makerNoteEnd) else {
      return "The maker note (\(entry.byteCount) bytes) is longer than EXIF data may be and was left out"
    }
    if MakerNote.isMovable(bytes) {
      exif.setMakerNote(bytes, offset: nil)
    } else if entry.values.lowerBound >= 8, entry.values.lowerBound + bytes.count <= makerNoteEnd {
      exif.setMakerNote(bytes, offset: entry.values.lowerBound)
    } else {
      return MakerNote.fixedWarning
    }
    return nil
  }

  private static func addLibRawFields(
    _ photo: OpaquePointer, _ info: clibraw_info, _ exif: inout EXIFWriter
  ) {
    func add(_ directory: EXIFWriter.Directory, _ tag: UInt16, _ field: EXIFWriter.Field?) {
      if let field, exif[directory, tag] == nil { exif[directory, tag] = field }
    }
    func text(_ text: clibraw_text) -> EXIFWriter.Field? {
      let text = String(cString: clibraw_photo_text(photo, text))
      return text.isEmpty ? nil : exif.text(text)
    }
    func rational(_ value: Float) -> EXIFWriter.Field? {
      value.isFinite && value > 0 ? exif.rationals([Double(value)]) : nil
    }
    add(.image, Tag.make, text(CLIBRAW_MAKE))
    add(.image, Tag.model, text(CLIBRAW_MODEL))
    add(.image, Tag.artist, text(CLIBRAW_ARTIST))
    add(.photo, Tag.lens, text(CLIBRAW_LENS))
    add(.photo, Tag.exposureTime, rational(info.exposure_time))
    add(.photo, Tag.aperture, rational(info.aperture))
    add(.photo, Tag.focalLength, rational(info.focal_length))
    if info.iso >= 1, info.iso <= 65_535 { add(.photo, Tag.iso, exif.short(Int(info.iso.rounded()))) }
    add(.photo, Tag.date, date(info.timestamp).map(exif.text))
    if info.latitude_reference != 0, info.longitude_reference != 0, exif[.location, 2] == nil {
      func degrees(_ value: (Float, Float, Float)) -> EXIFWriter.Field? {
        let parts = [value.0, value.1, value.2].map(Double.init)
        return parts.allSatisfy { $0.isFinite && $0 >= 0 } ? exif.rationals(parts) : nil
      }
      if let latitude = degrees(info.latitude), let longitude = degrees(info.longitude) {
        exif[.location, 0] = EXIFWriter.Field(type: 1, count: 4, bytes: [2, 3, 0, 0])
        exif[.location, 1] = exif.text(String(UnicodeScalar(UInt8(bitPattern: info.latitude_reference))))
        exif[.location, 2] = latitude
        exif[.location, 3] = exif.text(String(UnicodeScalar(UInt8(bitPattern: info.longitude_reference))))
        exif[.location, 4] = longitude
      }
    }
  }

  /// Formats the camera's clock for EXIF. LibRaw interprets it in this machine's time zone.
  private static func date(_ timestamp: Int64) -> String? {
    guard timestamp > 0 else { return nil }
    var seconds = time_t(timestamp)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return nil }
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts.tm_year + 1900):\(two(parts.tm_mon + 1)):\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }
}
