@testable import Files
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Metadata in TIFF")
struct TIFFMetadataTests {
  static let orders: [ByteOrder] = [.littleEndian, .bigEndian]
  private static let iptc: [UInt8] = [0x1C, 2, 0, 0, 2, 0, 4, 0x1C, 2, 5, 0, 3] + Array("cat".utf8)

  /// How Nikon's maker notes begin, whose offsets count from their own beginning.
  private static let movableNote = Array("Nikon\0\u{2}".utf8)

  /// The fixture with such a note; its own is of no known maker.
  private static func noted(_ order: ByteOrder) -> [UInt8] {
    var bytes = EXIFFixture(order).bytes
    let at = bytes.indices.first { bytes[$0...].starts(with: EXIFFixture.makerNote) } ?? 0
    bytes.replaceSubrange(at..<at + movableNote.count, with: movableNote)
    return bytes
  }

  @Test(
    "A maker note whose offsets count from the file's beginning is left out with a warning", arguments: orders
  )
  func fixedNote(order: ByteOrder) throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(5, 3)
    let writer = try PhotoWriter(
      to: scratch("a.tif"), size: buffer.size, metadata: PhotoMetadata(exif: EXIFFixture(order).bytes))
    try write(buffer, with: writer)
    #expect(
      writer.warnings == [
        "The maker note was left out: it holds offsets into the file that it was made for, which is not this one"
      ])
    #expect(!contains(try scratch.read("a.tif"), EXIFFixture.makerNote))
    #expect(contains(try scratch.read("a.tif"), EXIFFixture.make))
  }

  private func value(_ tag: UInt16, _ directory: TIFFDirectory?, _ structure: TIFFStructure)
    -> [UInt8]?
  {
    directory?[tag].flatMap { structure.rawValue(of: $0) }.map(Array.init)
  }

  @Test("EXIF, XMP and IPTC go into a TIFF and come back", arguments: orders, [8, 16])
  func roundTrip(order: ByteOrder, bits: Int) throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(31, 17, format: bits == 8 ? .rgba8 : .rgba16)
    let metadata = PhotoMetadata(
      exif: Self.noted(order), xmp: Array("<x:xmpmeta/>".utf8), iptc: Self.iptc)
    let writer = try PhotoWriter(
      to: scratch("a.tif"), size: buffer.size, bitsPerSample: bits, metadata: metadata)
    try write(buffer, with: writer)
    #expect(writer.warnings == [])
    let photo = try Photo(contentsOf: scratch("a.tif"))
    if bits == 8 {
      #expect(samples8(photo.buffer) == samples8(buffer))
    } else {
      #expect(samples16(photo.buffer) == samples16(buffer))
    }
    #expect(photo.orientation == .up)
    #expect(photo.metadata.xmp == metadata.xmp)
    #expect(photo.metadata.iptc == Self.iptc)
    let structure = try TIFFStructure(try #require(photo.metadata.exif))
    let first = try structure.directory(at: structure.firstDirectory)
    #expect(value(0x010F, first, structure) == EXIFFixture.make)
    let pointer = try #require(first[0x8769].flatMap(structure.integers)?.first)
    let exif = try structure.directory(at: pointer)
    #expect(value(0x927C, exif, structure)?.starts(with: Self.movableNote) ?? false)
    #expect(exif[0xA002].flatMap(structure.integers) == [4000])
    #expect(exif[0xA001].flatMap(structure.integers) == [0xFFFF])
    let interoperability = try #require(exif[0xA005].flatMap(structure.integers)?.first)
    #expect(value(1, try structure.directory(at: interoperability), structure) == Array("R03\0".utf8))
    // The thumbnail's directory is no part of the picture's.
    #expect(first.next == 0)
    #expect(!contains(try scratch.read("a.tif"), Array("unedited".utf8)))
  }

  @Test("Fields are in ascending order, values on even offsets, and the last directory says so")
  func structure() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(5, 3)
    let metadata = PhotoMetadata(exif: EXIFFixture(.bigEndian).bytes, xmp: [65, 66, 67, 68, 69])
    try write(buffer, with: PhotoWriter(to: scratch("a.tif"), size: buffer.size, metadata: metadata))
    let file = try TIFFStructure(scratch.read("a.tif"))
    let first = try file.directory(at: file.firstDirectory)
    #expect(file.firstDirectory % 2 == 0)
    #expect(first.next == 0)
    #expect(first.entries.map(\.tag) == first.entries.map(\.tag).sorted())
    #expect(Set(first.entries.map(\.tag)).count == first.entries.count)
    for entry in first.entries where entry.values.count > 4 { #expect(entry.values.lowerBound % 2 == 0) }
  }

  /// A TIFF of one white pixel whose first directory also has the entries given; the values lie behind it.
  private func tiff(_ order: ByteOrder, _ more: [(tag: Int, type: Int, count: Int, value: [UInt8])])
    -> [UInt8]
  {
    func number(_ value: Int, _ count: Int) -> [UInt8] { order.encoded(value, count) }
    let baseline: [(tag: Int, type: Int, count: Int, value: [UInt8])] = [
      (256, 3, 1, number(1, 2)), (257, 3, 1, number(1, 2)), (258, 3, 1, number(8, 2)),
      (259, 3, 1, number(1, 2)),
      (262, 3, 1, number(1, 2)), (273, 4, 1, number(8, 4)), (277, 3, 1, number(1, 2)),
      (278, 3, 1, number(1, 2)),
      (279, 4, 1, number(1, 4)),
    ]
    let all = (baseline + more).sorted { $0.tag < $1.tag }
    var table = number(all.count, 2)
    var values: [UInt8] = []
    let start = 10 + 2 + 12 * all.count + 4
    for field in all {
      table += number(field.tag, 2) + number(field.type, 2) + number(field.count, 4)
      if field.value.count <= 4 {
        table += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      } else {
        table += number(start + values.count, 4)
        values += field.value + (field.value.count % 2 == 1 ? [0] : [])
      }
    }
    let mark = order == .bigEndian ? Array("MM".utf8) : Array("II".utf8)
    return mark + number(42, 2) + number(10, 4) + [255, 0] + table + number(0, 4) + values
  }

  @Test("Fields of cameras and programs are read in both byte orders", arguments: orders)
  func reading(order: ByteOrder) throws {
    let scratch = try Scratch()
    let model = Array("Example 1\0".utf8)
    let path = try scratch.write(
      tiff(order, [(0x0110, 2, model.count, model), (33_723, 7, 15, Self.iptc)]), to: "a.tif")
    let photo = try Photo(contentsOf: path)
    #expect(photo.metadata.captureFacts.camera == "Example 1")
    #expect(photo.metadata.iptc == Self.iptc)
    #expect(photo.warnings == [])
    // Nothing is made up for files without such fields.
    let bare = try Photo(contentsOf: scratch.write(tiff(order, []), to: "b.tif"))
    #expect(bare.metadata.isEmpty)
  }

  @Test("IPTC that is called numbers of four bytes, padded or swapped, and IPTC in Photoshop's resources")
  func iptcForms() throws {
    let scratch = try Scratch()
    func iptc(_ fields: [(tag: Int, type: Int, count: Int, value: [UInt8])]) throws -> [UInt8]? {
      try PhotoHeader.read(scratch.write(tiff(.littleEndian, fields), to: "a.tif")).metadata.iptc
    }
    let padded = Self.iptc + [0]
    #expect(try iptc([(33_723, 4, 4, padded)]) == Self.iptc)
    let swapped = stride(from: 0, to: 16, by: 4).flatMap { padded[$0..<$0 + 4].reversed() }
    #expect(try iptc([(33_723, 4, 4, swapped)]) == Self.iptc)
    let resources =
      Array("8BIM".utf8) + [0x04, 0x0C, 0, 0, 0, 0, 0, 2, 1, 2] + Array("8BIM".utf8)
      + [0x04, 0x04, 0, 0, 0, 0, 0, 15] + padded
    #expect(try iptc([(34_377, 7, resources.count, resources)]) == Self.iptc)
    #expect(try iptc([(33_723, 7, 3, [1, 2, 3])]) == nil)
  }

  @Test("Five thousand mutated directories neither crash nor read on for ever")
  func mutations() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(5, 3)
    let metadata = PhotoMetadata(
      exif: EXIFFixture(.bigEndian).bytes, xmp: [65, 66, 67, 68, 69], iptc: Self.iptc)
    try write(buffer, with: PhotoWriter(to: scratch("a.tif"), size: buffer.size, metadata: metadata))
    let seed = try scratch.read("a.tif")
    let tail = try TIFFStructure(seed).firstDirectory
    var random = SeededRandom(seed: 11)
    var kept = 0
    for _ in 0..<5_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        bytes[Int.random(in: tail..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<20, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 1..<bytes.count - 8, using: &random))
      }
      let file = try InputFile(path: scratch.write(bytes, to: "m.tif"))
      let read = try TIFFMetadata.metadata(of: file).metadata
      // What is read can be edited, or is told to be damaged.
      var examined = read
      _ = examined.examineEXIF()
      if examined.exif != nil { kept += 1 }
      // And goes into a TIFF again, or is refused.
      _ = try? seed.withUnsafeBytes { whole in
        let output = try OutputFile(path: scratch("o.tif"), overwrite: true)
        try TIFFMetadata.write(whole, adding: examined, to: output)
      }
    }
    #expect(kept > 1_000)
  }
}
