import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("EXIF")
struct EXIFBlockTests {
  static let orders: [ByteOrder] = [.littleEndian, .bigEndian]

  @Test("An edit changes exactly the fields that it makes wrong", arguments: orders, [true, false])
  func editsInPlace(order: ByteOrder, long: Bool) throws {
    var before = EXIFFixture(order)
    before.dimensionsAreLong = long
    var block = try EXIFBlock(before.bytes)
    try block.adapt(to: PixelSize(width: 1200, height: 900), colorSpace: .sRGB)

    // The expected block is the fixture with other values, zeros for the thumbnail and for the link to it.
    var after = before
    after.orientation = 1
    after.colorSpace = 1
    after.interoperability = "R98\0"
    var expected = after.bytes
    func put(_ bytes: [UInt8], at offset: Int) {
      expected.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    put(after.long(1200), at: 10 + 8)
    put(after.short(900), at: 22 + 8)
    put(after.long(0), at: 10 + 6 * 12)
    put(long ? after.long(1200) : after.short(1200), at: 102 + 2 + 24 + 8)
    put(long ? after.long(900) : after.short(900), at: 102 + 2 + 36 + 8)
    let thumbnailAt = expected.count - EXIFFixture.thumbnail.count
    put([UInt8](repeating: 0, count: EXIFFixture.thumbnail.count), at: thumbnailAt)
    // The unlinked directory keeps its orientation: nobody can reach it any more.
    put(after.short(6), at: thumbnailAt - 42 + 2 + 8)
    #expect(block.bytes == expected)
  }

  @Test("Maker notes stay, thumbnails go", arguments: orders)
  func keepsMakerNotes(order: ByteOrder) throws {
    let metadata = PhotoMetadata(exif: EXIFFixture(order).bytes)
    let edited = metadata.edited(size: PixelSize(width: 10, height: 20), colorSpace: .other)
    let bytes = try #require(edited.exif)
    #expect(contains(bytes, EXIFFixture.makerNote))
    #expect(contains(bytes, EXIFFixture.make))
    #expect(!contains(bytes, Array("unedited".utf8)))
    #expect(contains(EXIFFixture(order).bytes, Array("unedited".utf8)))
  }

  @Test("All eight orientations are read by their EXIF numbers", arguments: orders)
  func orientations(order: ByteOrder) throws {
    for number in 1...8 {
      var fixture = EXIFFixture(order)
      fixture.orientation = number
      #expect(try EXIFBlock(fixture.bytes).orientation?.rawValue == UInt8(number))
    }
    for number in [0, 9, 256, 0xFFFF] {
      var fixture = EXIFFixture(order)
      fixture.orientation = number
      #expect(try EXIFBlock(fixture.bytes).orientation == nil)
    }
  }

  @Test("R03 with an uncalibrated colour space declares Adobe RGB", arguments: orders)
  func adobeRGB(order: ByteOrder) throws {
    var fixture = EXIFFixture(order)
    #expect(try EXIFBlock(fixture.bytes).declaresAdobeRGB)
    fixture.colorSpace = 1
    #expect(try !EXIFBlock(fixture.bytes).declaresAdobeRGB)
    fixture.colorSpace = 0xFFFF
    fixture.interoperability = "R98\0"
    #expect(try !EXIFBlock(fixture.bytes).declaresAdobeRGB)
  }

  @Test("An edit to Adobe RGB says so, and twice the same edit changes nothing more")
  func idempotent() throws {
    let size = PixelSize(width: 77, height: 88)
    let once = PhotoMetadata(exif: EXIFFixture(.bigEndian).bytes).edited(size: size, colorSpace: .adobeRGB)
    #expect(try EXIFBlock(#require(once.exif)).declaresAdobeRGB)
    #expect(once.edited(size: size, colorSpace: .adobeRGB) == once)
  }

  @Test("A thumbnail that overlaps a directory makes the block unusable, not wrong")
  func overlappingThumbnail() throws {
    var fixture = EXIFFixture(.littleEndian).bytes
    let lengthValue = fixture.count - EXIFFixture.thumbnail.count - 4 - 4
    let offsetValue = lengthValue - 12
    fixture.replaceSubrange(offsetValue..<offsetValue + 4, with: [0, 0, 0, 0])
    var metadata = PhotoMetadata(exif: fixture)
    #expect(
      metadata.examineEXIF().warning
        == "The EXIF data are damaged and were left out: the thumbnail overlaps a directory")
    #expect(metadata.exif == nil)
    #expect(
      PhotoMetadata(exif: fixture).edited(size: PixelSize(width: 1, height: 1), colorSpace: .sRGB).exif == nil
    )
  }

  @Test(
    "Damaged blocks are named and left out",
    arguments: [
      ([], "it is 0 bytes long"),
      (Array("II*\0".utf8), "it is 4 bytes long"),
      (Array("XX*\0\u{8}\0\0\0".utf8), "it has no byte order mark"),
      (Array("II+\0\u{8}\0\0\0".utf8), "it has no TIFF header"),
      (Array("II*\0\u{8}\0\0\0".utf8), "a directory lies outside, at 8 of 8 bytes"),
      (Array("MM\0*\u{7F}\u{7F}\u{7F}\u{7F}".utf8), "a directory lies outside, at 2139062143 of 8 bytes"),
      (Array("II*\0\u{8}\0\0\0\u{9}\0".utf8), "a directory of 9 entries at 8 goes beyond 10 bytes"),
    ])
  func damage(bytes: [UInt8], reason: String) {
    var metadata = PhotoMetadata(exif: bytes)
    #expect(metadata.examineEXIF().warning == "The EXIF data are damaged and were left out: \(reason)")
  }

  @Test("Ten thousand mutated blocks neither crash nor change their length", arguments: orders)
  func mutations(order: ByteOrder) {
    var generator = SeededRandom(seed: 20_260_101)
    let original = EXIFFixture(order).bytes
    var accepted = 0
    for _ in 0..<5_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let interesting: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = interesting[Int.random(in: 0..<interesting.count, using: &generator)]
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
      }
      let size = PixelSize(width: 65_535, height: 65_535)
      let edited = PhotoMetadata(exif: bytes).edited(size: size, colorSpace: .sRGB).exif
      if let edited {
        accepted += 1
        #expect(edited.count == bytes.count)
        // What was accepted stays acceptable, upright, and without a thumbnail.
        let block = try? EXIFBlock(edited)
        #expect(block != nil)
        if let orientation = block?.orientation { #expect(orientation == .up) }
      }
    }
    // The mutations must reach both the patcher and its refusals.
    #expect(accepted > 1_000 && accepted < 4_900)
  }
}
