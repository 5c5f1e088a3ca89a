import TestSupport
import Testing

@testable import PhotoIO

@Suite struct MetadataPolicyTests {
  private static let orders: [ByteOrder] = [.littleEndian, .bigEndian]

  /// A block with a GPS directory: latitude at an offset of its own, a reference in the entry.
  private func located(_ order: ByteOrder) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { order.encoded(value, count) }
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

  @Test("Where a part of the GPS data cannot be found, the whole block goes", arguments: orders)
  func damagedLocation(order: ByteOrder) {
    let good = located(order)
    // Of the pointer its type, how many it is and where it points; of the directory how many fields it has, the type of
    // each, and how many values the second has and where they are.
    for (place, length) in [(24, 2), (26, 4), (30, 4), (38, 2), (42, 2), (54, 2), (56, 4), (60, 4)] {
      var bytes = good
      for index in place..<place + length { bytes[index] = 0x63 }
      #expect(PhotoMetadata(exif: bytes).withoutLocation.exif == nil, "\(place)")
    }
    // A second pointer, to who knows what.
    var bytes = good
    bytes.replaceSubrange(10..<12, with: good[22..<24])
    #expect(PhotoMetadata(exif: bytes).withoutLocation.exif == nil)
  }

  @Test("What cannot be searched for a place is left out with a warning")
  func losses() {
    var bytes = located(.littleEndian)
    bytes[38] = 0x63
    let metadata = PhotoMetadata(exif: bytes, xmp: [0x3C, 0xFF, 0xFE])
    let sentences = ["EXIF", "XMP"].map {
      "The \($0) data were left out entirely, because the location in them cannot be separated from the rest"
    }
    #expect(metadata.losses(under: .stripLocation) == sentences)
    #expect(metadata.losses(under: .keep) == [] && metadata.losses(under: .strip) == [])
    #expect(PhotoMetadata(exif: located(.littleEndian)).losses(under: .stripLocation) == [])
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

  @Test("Properties without a prefix lose their place too")
  func defaultNamespace() throws {
    let packet = """
      <rdf:Description><GPSLatitude xmlns="http://ns.adobe.com/exif/1.0/">53,20N</GPSLatitude>
      <Rating xmlns="http://ns.adobe.com/xap/1.0/">5</Rating></rdf:Description>
      """
    let xmp = try #require(PhotoMetadata(xmp: Array(packet.utf8)).withoutLocation.xmp)
    #expect(
      String(decoding: xmp, as: UTF8.self) == """
        <rdf:Description>
        <Rating xmlns="http://ns.adobe.com/xap/1.0/">5</Rating></rdf:Description>
        """)
  }

  /// A packet in the forms that programs write: properties of a description as attributes and as elements, locations as
  /// bags of structures, of which one is empty, prefixes of the writer's own.
  private static let placed = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
     xmlns:ps='http://ns.adobe.com/photoshop/1.0/' xmlns:core="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
     xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
     xmlns:drone-dji="http://www.dji.com/drone-dji/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
     photoshop:City="PLACE 1" ps:State = 'PLACE 2' photoshop:Headline="Harbour" core:CountryCode="PLACE 3"
     exif:GPSLatitude="PLACE 4" drone-dji:GpsLongtitude="PLACE 5" drone-dji:GimbalRollDegree="+1.50"
     xmp:Rating="5">
    <ps:Country>PLACE 6</ps:Country><core:Location>PLACE 7</core:Location>
    <Iptc4xmpExt:LocationCreated rdf:parseType="Resource"><Iptc4xmpExt:City>PLACE 8</Iptc4xmpExt:City>
    </Iptc4xmpExt:LocationCreated><Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:Sublocation="PLACE 9">
    <Iptc4xmpExt:LocationShown/></rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown>
    <City xmlns="http://ns.adobe.com/photoshop/1.0/">PLACE 10</City><dc:coverage><rdf:Alt/></dc:coverage>
    <dc:title><rdf:Alt><rdf:li xml:lang="x-default">City = “here”, photoshop:City too</rdf:li></rdf:Alt></dc:title>
    <xmpNote:HasExtendedXMP>0123456789ABCDEF0123456789ABCDEF</xmpNote:HasExtendedXMP>
    </rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>
    """

  @Test("Named places go from XMP in every form and under every prefix, and nothing else does")
  func xmpPlaces() throws {
    let metadata = PhotoMetadata(xmp: Array(Self.placed.utf8), extendedXMP: [[1]]).under(.stripLocation)
    let text = String(decoding: try #require(metadata.xmp), as: UTF8.self)
    for gone in [
      "PLACE", "City>", "City=\"", "Location", "Country", ":State", "Gps", "GPS", "coverage",
      "HasExtendedXMP",
    ] { #expect(!text.contains(gone), "\(gone) in \(text)") }
    for kept in [
      "photoshop:Headline=\"Harbour\"", "drone-dji:GimbalRollDegree=\"+1.50\"", "xmp:Rating=\"5\"",
      "City = “here”, photoshop:City too</rdf:li>", "<?xpacket end=\"w\"?>",
    ] { #expect(text.contains(kept), "\(kept) in \(text)") }
    #expect(metadata.extendedXMP.isEmpty)
    // What holds no place stays byte for byte.
    #expect(PhotoMetadata(xmp: Array(text.utf8)).withoutLocation.xmp == Array(text.utf8))
  }

  @Test(
    "A packet that cannot be searched is left out whole",
    arguments: [
      "<photoshop:City>Lyon", "<x photoshop:City=\"Lyon/>", "\u{0}photoshop:City",
      "<exif:GPSLatitude>1</exif:GPSLat>",
    ])
  func unsearchable(text: String) {
    #expect(PhotoMetadata(xmp: Array(text.utf8)).withoutLocation.xmp == nil)
    #expect(PhotoMetadata(xmp: [0x3C, 0xFF, 0xFE]).withoutLocation.xmp == nil)
  }

  @Test("Three thousand mutated packets lose what tells a place, or go as a whole")
  func mutations() {
    var random = SeededRandom(seed: 15)
    let marks = Array("<>/='\" \n:xC".utf8)
    var kept = 0
    for _ in 0..<3000 {
      var bytes = Array(Self.placed.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeLast(place / 2)
        case 1:
          bytes.insert(contentsOf: bytes[place...].prefix(300), at: Int.random(in: 0...place, using: &random))
        default: bytes[place] = marks[Int.random(in: 0..<marks.count, using: &random)]
        }
      }
      let once = PhotoMetadata(xmp: bytes).withoutLocation
      #expect(once.withoutLocation == once)
      if once.xmp != nil { kept += 1 }
    }
    // The mutations must reach both what can be searched and what cannot.
    #expect(kept > 300 && kept < 2900, "\(kept)")
  }

  @Test("A hundred thousand elements without ends are searched in no time, whatever they are called")
  func manyUnclosed() {
    let bytes = (0..<100_000).flatMap { Array("<a:gps\($0)>".utf8) }
    let isGone = PhotoMetadata(xmp: bytes).withoutLocation.xmp == nil
    #expect(isGone)
  }

  @Test("Named places go from IPTC, also behind other records, and what cannot be read goes with them")
  func iptcPlaces() {
    func record(_ dataSet: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, dataSet, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    let places: [UInt8] = [26, 27, 90, 92, 95, 100, 101]
    let kept = record(5, "Title") + record(25, "keyword") + record(116, "Ann")
    let iptc =
      places.flatMap { record($0, "Lyon") } + record(5, "Title")
      + places.flatMap { record($0, "Lyon") } + record(25, "keyword") + record(116, "Ann")
    #expect(PhotoMetadata(iptc: iptc).withoutLocation.iptc == kept)
    // A length of lengths, with a city in it.
    let long: [UInt8] = [0x1C, 2, 90, 0x80, 4, 0, 0, 0, 4] + Array("Lyon".utf8)
    #expect(PhotoMetadata(iptc: kept + long).withoutLocation.iptc == kept)
  }

  @Test("strip-gps is the former name of strip-location, and does the same")
  func formerName() {
    #expect(MetadataPolicy(name: "strip-gps") == .stripLocation)
    #expect(MetadataPolicy(name: "strip-location") == .stripLocation)
    #expect(MetadataPolicy(name: "strip-places") == nil)
    let metadata = PhotoMetadata(xmp: Array(Self.placed.utf8))
    #expect(metadata.under(.stripGPS) == metadata.withoutLocation)
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
