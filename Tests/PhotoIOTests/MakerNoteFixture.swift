@testable import PhotoIO

/// EXIF blocks with the maker notes of cameras that know their tilt, assembled byte by byte after ExifTool's
/// description of them, independent of the code under test.
struct MakerNoteFixture {
  var order = ByteOrder.bigEndian
  var orientation = 1
  var lens = "iPhone 6 back camera 4.15mm f/2.2"
  var note: [UInt8]

  /// Apple's note: big-endian, whatever the block's order is. `vector` is in g.
  static func apple(_ vector: [Double], denominator: Int = 10_000) -> [UInt8] {
    // The directory at 14 has two entries, 30 bytes with the next offset; the rationals follow at 44.
    var note = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
    note += number(2, 2)
    note += entry(0x0001, 9, 1, number(4, 4), .bigEndian)
    note += entry(0x0008, 10, vector.count, number(44, 4), .bigEndian)
    note += number(0, 4)
    for value in vector {
      note += number(Int((value * Double(denominator)).rounded()), 4) + number(denominator, 4)
    }
    return note
  }

  /// Panasonic's note; angles in tenths of a degree, as stored.
  static func panasonic(roll: Int, pitch: Int, acceleration: [Int]?, _ order: ByteOrder) -> [UInt8] {
    var fields = (acceleration ?? []).enumerated().map { (0x8C + $0.offset, $0.element) }
    fields += [(0x90, roll), (0x91, pitch)]
    var note = Array("Panasonic\0\0\0".utf8) + number(fields.count, 2, order)
    for (tag, value) in fields { note += entry(tag, 3, 1, number(value, 2, order), order) }
    return note + number(0, 4, order)
  }

  var bytes: [UInt8] {
    func short(_ value: Int) -> [UInt8] { Self.number(value, 2, order) }
    func long(_ value: Int) -> [UInt8] { Self.number(value, 4, order) }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      Self.entry(tag, type, count, value, order)
    }
    // IFD0 at 8 has two entries, 30 bytes; the Exif directory follows at 38 with two, then the lens and the note.
    let lensBytes = Array(lens.utf8) + [0]
    var block = order == .littleEndian ? Array("II".utf8) : Array("MM".utf8)
    block += short(42) + long(8) + short(2)
    block += entry(0x0112, 3, 1, short(orientation)) + entry(0x8769, 4, 1, long(38)) + long(0)
    block += short(2)
    block += entry(0x927C, 7, note.count, long(68 + lensBytes.count))
    block += entry(0xA434, 2, lensBytes.count, long(68)) + long(0)
    return block + lensBytes + note
  }

  private static func number(_ value: Int, _ count: Int, _ order: ByteOrder = .bigEndian) -> [UInt8] {
    order.encoded(value, count)
  }

  private static func entry(
    _ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8], _ order: ByteOrder
  ) -> [UInt8] {
    number(tag, 2, order) + number(type, 2, order) + number(count, 4, order) + value
      + [UInt8](repeating: 0, count: 4 - value.count)
  }
}
