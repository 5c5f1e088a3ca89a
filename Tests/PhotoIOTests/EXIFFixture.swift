@testable import PhotoIO

/// An EXIF block assembled byte by byte after TIFF 6.0 and EXIF 2.32, independent of the code under test.
struct EXIFFixture {
  var order: ByteOrder
  var orientation = 6
  var colorSpace = 0xFFFF
  var interoperability = "R03\0"
  var dimensionsAreLong = true

  /// What must survive an edit as it is.
  static let makerNote = Array("MAKER NOTE with offsets of its own!!".utf8)
  static let make = Array("Safelight Works\0".utf8)
  /// A thumbnail that shows the photo before the edit.
  static let thumbnail: [UInt8] = [0xFF, 0xD8] + Array("the unedited picture".utf8) + [0xFF, 0xD9]

  init(_ order: ByteOrder) { self.order = order }

  var bytes: [UInt8] {
    var block = order == .littleEndian ? Array("II".utf8) : Array("MM".utf8)
    block += short(42) + long(8)
    // IFD0 at 8: six entries, 78 bytes with its next offset → 86.
    let makeAt = 86
    let photoAt = makeAt + Self.make.count  // 102
    // Exif IFD: five entries, 66 bytes.
    let makerNoteAt = photoAt + 66
    let interopAt = makerNoteAt + Self.makerNote.count
    // Interoperability IFD: one entry, 18 bytes.
    let thumbnailDirectoryAt = interopAt + 18
    // IFD1: three entries, 42 bytes.
    let thumbnailAt = thumbnailDirectoryAt + 42

    block += short(6)
    block += entry(0x0100, 4, 1, long(4000))
    block += entry(0x0101, 3, 1, short(3000))
    block += entry(0x010F, 2, Self.make.count, long(makeAt))
    block += entry(0x0112, 3, 1, short(orientation))
    block += entry(0x0213, 3, 1, short(1))
    block += entry(0x8769, 4, 1, long(photoAt))
    block += long(thumbnailDirectoryAt)
    block += Self.make

    block += short(5)
    block += entry(0x927C, 7, Self.makerNote.count, long(makerNoteAt))
    block += entry(0xA001, 3, 1, short(colorSpace))
    block += dimensionsAreLong ? entry(0xA002, 4, 1, long(4000)) : entry(0xA002, 3, 1, short(4000))
    block += dimensionsAreLong ? entry(0xA003, 4, 1, long(3000)) : entry(0xA003, 3, 1, short(3000))
    block += entry(0xA005, 4, 1, long(interopAt))
    block += long(0)
    block += Self.makerNote

    block += short(1)
    block += entry(0x0001, 2, 4, Array(interoperability.utf8))
    block += long(0)

    block += short(3)
    block += entry(0x0112, 3, 1, short(orientation))
    block += entry(0x0201, 4, 1, long(thumbnailAt))
    block += entry(0x0202, 4, 1, long(Self.thumbnail.count))
    block += long(0)
    return block + Self.thumbnail
  }

  func short(_ value: Int) -> [UInt8] { number(value, 2) }
  func long(_ value: Int) -> [UInt8] { number(value, 4) }

  private func number(_ value: Int, _ count: Int) -> [UInt8] { order.encoded(value, count) }

  private func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
    short(tag) + short(type) + long(count) + value + [UInt8](repeating: 0, count: 4 - value.count)
  }
}

extension ByteOrder {
  /// The lower `count` bytes of a number, by code of the tests' own.
  func encoded(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return self == .littleEndian ? bytes : bytes.reversed()
  }
}
