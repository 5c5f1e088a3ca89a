import Testing

@testable import PhotoIO

@Suite struct MetadataPolicyTests {
  private static let orders: [ByteOrder] = [.littleEndian, .bigEndian]

  /// A block with a GPS directory: latitude at an offset of its own, a reference in the entry.
  private func located(_ order: ByteOrder) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return order == .littleEndian ? bytes : bytes.reversed()
    }
    var block = order == .littleEndian ? Array("II".utf8) : Array("MM".utf8)
    block += number(42, 2) + number(8, 4)
    // Two entries: 30 bytes, so GPS at 38 and the latitude's rationals at 38 + 30 = 68.
    block += number(2, 2)
    block += number(0x0112, 2) + number(3, 2) + number(1, 4) + number(6, 2) + [0, 0]
    block += number(0x8825, 2) + number(4, 2) + number(1, 4) + number(38, 4)
    block += number(0, 4)
    block += number(2, 2)
    block += number(1, 2) + number(2, 2) + number(2, 4) + Array("N\0\0\0".utf8)
    block += number(2, 2) + number(5, 2) + number(3, 4) + number(68, 4)
    block += number(0, 4)
    for value in [48, 1, 51, 1, 2977, 100] { block += number(value, 4) }
    return block
  }

  @Test("Software and copyright are set, and everything else stays where it was", arguments: orders)
  func signing(order: ByteOrder) throws {
    let original = EXIFFixture(order).bytes
    let signed = PhotoMetadata(exif: original).signed(software: "Safelight 1.0", copyright: "© Ada Lovelace")
    let bytes = try #require(signed.exif)
    let structure = try TIFFStructure(bytes)
    let directory = try structure.directory(at: structure.firstDirectory)
    func text(_ tag: UInt16) -> String? {
      directory[tag].flatMap { structure.rawValue(of: $0) }.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(text(0x0131) == "Safelight 1.0\0")
    #expect(text(0x8298) == "© Ada Lovelace\0")
    #expect(text(0x010F) == String(decoding: EXIFFixture.make, as: UTF8.self))
    #expect(directory.entries.map(\.tag) == directory.entries.map(\.tag).sorted())
    // Maker notes and all that lies behind the first directory have not moved.
    let rest = 86..<original.count
    #expect(Array(bytes[rest]) == Array(original[rest]))
    #expect(try EXIFBlock(bytes).orientation == EXIFBlock(original).orientation)
    // A second signature replaces the first.
    let again = try #require(signed.signed(software: "Other").exif)
    let second = try TIFFStructure(again)
    let names = try second.directory(at: second.firstDirectory).entries.filter { $0.tag == 0x0131 }
    #expect(names.count == 1)
  }

  @Test("A photo without EXIF gets a block that says just this")
  func signingNothing() throws {
    let bytes = try #require(PhotoMetadata().signed(software: "S", copyright: nil).exif)
    let structure = try TIFFStructure(bytes)
    let directory = try structure.directory(at: structure.firstDirectory)
    #expect(directory.entries.map(\.tag) == [0x0131])
    #expect(directory.next == 0)
  }

  @Test("The place goes with every byte of it, and the rest stays", arguments: orders)
  func location(order: ByteOrder) throws {
    let metadata = PhotoMetadata(exif: located(order)).withoutLocation
    let bytes = try #require(metadata.exif)
    #expect(bytes[38..<92].allSatisfy { $0 == 0 })
    let structure = try TIFFStructure(bytes)
    #expect(try structure.directory(at: structure.firstDirectory).entries.map(\.tag) == [0x0112])
    #expect(try EXIFBlock(bytes).orientation == .right)
  }

  @Test("XMP loses its place and nothing else, as attributes and as elements")
  func xmpLocation() {
    let packet = """
      <rdf:Description exif:GPSLatitude="48,51.4962N" xmp:Rating="5"
        exif:GPSLongitude='2,17.6667E'>
      <exif:GPSAltitude>35/1</exif:GPSAltitude><exif:GPSTimeStamp/><dc:title>exif:GPS is a name</dc:title>
      </rdf:Description>
      """
    let text = PhotoMetadata(xmp: Array(packet.utf8)).withoutLocation.xmp.map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(
      text == """
        <rdf:Description  xmp:Rating="5"
          >
        <dc:title>exif:GPS is a name</dc:title>
        </rdf:Description>
        """)
  }

  @Test("Rights that would contradict the copyright go from XMP and IPTC")
  func rights() {
    let iptc: [UInt8] = [0x1C, 2, 116, 0, 3, 65, 66, 67, 0x1C, 2, 5, 0, 1, 84]
    let xmp = "<x><dc:rights><rdf:Alt><rdf:li>Old</rdf:li></rdf:Alt></dc:rights><a/></x>"
    let metadata = PhotoMetadata(xmp: Array(xmp.utf8), iptc: iptc).signed(software: "S", copyright: "New")
    #expect(metadata.iptc == [0x1C, 2, 5, 0, 1, 84])
    #expect(metadata.xmp.map { String(decoding: $0, as: UTF8.self) } == "<x><a/></x>")
    let kept = PhotoMetadata(xmp: Array(xmp.utf8), iptc: iptc).signed(software: "S")
    #expect(kept.iptc == iptc && kept.xmp == Array(xmp.utf8))
  }

  @Test("Blocks of random bytes never crash and never keep a place")
  func fuzz() throws {
    for order in Self.orders {
      let good = located(order)
      for position in good.indices {
        for value: UInt8 in [0, 1, 0x7F, 0xFF] {
          var bytes = good
          bytes[position] = value
          let metadata = PhotoMetadata(exif: bytes, xmp: bytes, iptc: bytes)
          _ = metadata.signed(software: "S", copyright: "C").withoutLocation.under(.strip)
          _ = metadata.withoutLocation.signed(software: "S")
        }
      }
    }
  }
}
