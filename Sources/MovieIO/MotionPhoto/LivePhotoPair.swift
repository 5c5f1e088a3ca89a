import FrameCore

/// Apple's way of a picture with its movie: a JPEG and a .mov that share an identifier.
///
/// The movie is written with `MP4Writer.Options.contentIdentifier` and `stillImageTime`; `tagged` puts the
/// identifier into the picture.
///
/// Sources: ExifTool, Apple.pm (maker note, tag 0x0011); QuickTime File Format specification (metadata
/// `com.apple.quicktime.content.identifier`, timed metadata `com.apple.quicktime.still-image-time`).
public enum LivePhotoPair {
  /// Returns a new identifier: a random UUID (RFC 4122, version 4) in capitals.
  public static func makeIdentifier() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.enumerated().reduce(into: "") { text, byte in
      if [4, 6, 8, 10].contains(byte.offset) { text += "-" }
      let digits = String(byte.element, radix: 16, uppercase: true)
      text += digits.count == 1 ? "0" + digits : digits
    }
  }

  /// Returns a JPEG whose EXIF data hold Apple's maker note with an identifier; all else stays.
  ///
  /// - Parameter identifier: 1…255 ASCII characters, those of the movie.
  /// - Throws: `SafelightError`: `.corruptData` if the picture is no JPEG or its EXIF data are damaged,
  ///   `.unsupported` if it has a maker note already, `.tooLarge` if the EXIF data grow too long for a JPEG.
  public static func tagged(jpeg: [UInt8], identifier: String) throws -> [UInt8] {
    guard (1...255).contains(identifier.utf8.count),
      identifier.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw SafelightError(.invalidValue, "\"\(identifier)\" is no identifier of a Live Photo") }
    let head = try JPEGHead(jpeg)
    let note = makerNote(identifier)
    let exif: [UInt8]
    if let old = head.content(JPEGHead.exifSignature) {
      exif = try EXIFAddition.adding(makerNote: note, to: old)
    } else {
      exif = EXIFAddition.block(makerNote: note)
    }
    return try head.replacing(JPEGHead.exifSignature, by: exif, name: "EXIF")
  }

  /// Big-endian, with offsets from its own start.
  private static func makerNote(_ identifier: String) -> [UInt8] {
    let text = Array(identifier.utf8) + [0]
    var note = MP4Bytes()
    note.text("Apple iOS\0")
    note.u16(1)
    note.text("MM")
    // The note's version, and the identifier; its text follows the directory of two entries at 14.
    note.u16(2)
    note.u16(0x0001)
    note.u16(9)
    note.u32(1)
    note.u32(1)
    note.u16(0x0011)
    note.u16(2)
    note.u32(text.count)
    if text.count <= 4 {
      note.raw(text + [UInt8](repeating: 0, count: 4 - text.count))
      note.u32(0)
    } else {
      note.u32(14 + 2 + 2 * 12 + 4)
      note.u32(0)
      note.raw(text)
    }
    return note.bytes
  }
}

/// Adds a maker note to EXIF data without moving anything in them: what is new is appended, and one offset
/// changed.
///
/// Source: TIFF 6.0, section 2; EXIF 2.32, section 4.6.
enum EXIFAddition {
  private static let exifDirectory = 0x8769
  private static let makerNoteTag = 0x927C

  /// Returns EXIF data with nothing but a maker note.
  static func block(makerNote: [UInt8]) -> [UInt8] {
    var block = TIFFBytes(Array("MM".utf8) + [0, 42, 0, 0, 0, 8], isLittle: false)
    // At 8 the first directory with one entry, at 26 that of EXIF with the version and the note.
    block.append(1, 2)
    block.append(entry: exifDirectory, type: 4, count: 1, value: 26)
    block.append(0, 4)
    block.append(2, 2)
    block.append(entry: 0x9000, type: 7, count: 4, value: 0x3032_3332)
    block.append(entry: makerNoteTag, type: 7, count: makerNote.count, value: 56)
    block.append(0, 4)
    return block.bytes + makerNote
  }

  static func adding(makerNote: [UInt8], to exif: [UInt8]) throws -> [UInt8] {
    let damaged = SafelightError(
      .corruptData, "The EXIF data of the picture are damaged", remedy: "remove them first")
    let isLittle = exif.starts(with: Array("II".utf8))
    guard isLittle || exif.starts(with: Array("MM".utf8)) else { throw damaged }
    var block = TIFFBytes(exif, isLittle: isLittle)
    guard block.number(2, 2) == 42, let first = block.number(4, 4), let main = block.directory(first) else {
      throw damaged
    }
    if block.bytes.count % 2 == 1 { block.append(0, 1) }
    let pointer = main.entries.first { block.number($0, 2) == exifDirectory }
    var inner: (entries: [Int], next: Int) = ([], 0)
    if let pointer {
      guard let place = block.number(pointer + 8, 4), let found = block.directory(place) else {
        throw damaged
      }
      inner = found
    }
    guard !inner.entries.contains(where: { block.number($0, 2) == makerNoteTag }) else {
      throw SafelightError(
        .unsupported, "The picture has a maker note already",
        remedy: "remove it with the picture's other metadata")
    }
    let note = block.bytes.count
    block.append(makerNote + (makerNote.count % 2 == 1 ? [0] : []))
    let place = block.appendDirectory(
      inner, adding: makerNoteTag, type: 7, count: makerNote.count, value: note)
    if let pointer {
      block.set(place, 4, at: pointer + 8)
    } else {
      let whole = block.appendDirectory(main, adding: exifDirectory, type: 4, count: 1, value: place)
      block.set(whole, 4, at: 4)
    }
    return block.bytes
  }
}

/// The bytes of a TIFF structure in either order.
struct TIFFBytes {
  private(set) var bytes: [UInt8]
  private let isLittle: Bool

  init(_ bytes: [UInt8], isLittle: Bool) { (self.bytes, self.isLittle) = (bytes, isLittle) }

  /// Nil beyond the end.
  func number(_ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    let part = bytes[place..<place + count]
    return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The places of a directory's entries, and what its link to the next one says.
  func directory(_ place: Int) -> (entries: [Int], next: Int)? {
    guard place >= 8, let count = number(place, 2), let next = number(place + 2 + 12 * count, 4) else {
      return nil
    }
    return ((0..<count).map { place + 2 + 12 * $0 }, next)
  }

  mutating func append(_ more: [UInt8]) { bytes += more }
  mutating func append(_ value: Int, _ count: Int) { bytes += encoded(value, count) }
  mutating func append(entry tag: Int, type: Int, count: Int, value: Int) {
    append(tag, 2)
    append(type, 2)
    append(count, 4)
    append(value, 4)
  }
  mutating func set(_ value: Int, _ count: Int, at place: Int) {
    bytes.replaceSubrange(place..<place + count, with: encoded(value, count))
  }

  /// Appends a copy of a directory with one more entry, in the order of tags, and returns its place.
  mutating func appendDirectory(
    _ old: (entries: [Int], next: Int), adding tag: Int, type: Int, count: Int, value: Int
  ) -> Int {
    let place = bytes.count
    append(old.entries.count + 1, 2)
    var isAdded = false
    for entry in old.entries {
      if !isAdded, (number(entry, 2) ?? 0) > tag {
        append(entry: tag, type: type, count: count, value: value)
        isAdded = true
      }
      append(Array(bytes[entry..<entry + 12]))
    }
    if !isAdded { append(entry: tag, type: type, count: count, value: value) }
    append(old.next, 4)
    return place
  }

  private func encoded(_ value: Int, _ count: Int) -> [UInt8] {
    let big = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    return isLittle ? big.reversed() : big
  }
}
