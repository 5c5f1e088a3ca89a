import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("HEIF's boxes", .everyFormatIsWritable)
struct HEIFContainerTests {
  private func encoded(
    _ format: PhotoFileFormat, width: Int = 64, alpha: AlphaMode = .opaque, tags: ColorTags = .sRGB,
    metadata: PhotoMetadata = PhotoMetadata()
  ) throws -> [UInt8] {
    let scratch = try Scratch()
    let buffer = try makeGradient(width, 65, alpha: alpha)
    try write(
      buffer,
      with: PhotoWriter(
        to: scratch("a"), format: format, size: buffer.size, tags: tags, metadata: metadata, alpha: alpha))
    return try scratch.read("a")
  }

  private func items(_ bytes: [UInt8]) throws -> HEIFItems {
    let meta = try #require(try ISOBox.boxes(in: bytes, 0..<bytes.count).first { $0.type == "meta" })
    return try HEIFItems(Array(bytes[meta.content]))
  }

  @Test(
    "Pictures say that they are sRGB, or have a profile, and how they are stored",
    arguments: [PhotoFileFormat.heic, .avif], [AlphaMode.opaque, .straight])
  func color(format: PhotoFileFormat, alpha: AlphaMode) throws {
    // Odd sizes make libheif cut the picture out of a larger one.
    for width in [64, 33] {
      let plain = try items(encoded(format, width: width, alpha: alpha))
      let colr = plain.properties.filter { $0[4..<8].elementsEqual("colr".utf8) }
      // H.273: primaries 1 (BT.709), transfer 13 (sRGB), matrix 6 (BT.601), full range.
      #expect(colr == [[0, 0, 0, 19] + Array("colrnclx".utf8) + [0, 1, 0, 13, 0, 6, 0x80]])
      let number = try #require(plain.properties.firstIndex(of: colr[0])) + 1
      let primary = try #require(plain.associations.first { $0.id == plain.primary })
      #expect(primary.properties.filter { $0.number == number }.count == 1)

      let profiled = try items(encoded(format, width: width, alpha: alpha, tags: .icc(ICCFixture.displayP3)))
      let kinds = profiled.properties.filter { $0[4..<8].elementsEqual("colr".utf8) }.map {
        String(decoding: $0[8..<12], as: UTF8.self)
      }
      #expect(kinds.sorted() == ["nclx", "prof"])
    }
  }

  @Test(
    "Nothing turns the picture, and no thumbnail is in the file", arguments: [PhotoFileFormat.heic, .avif])
  func plain(format: PhotoFileFormat) throws {
    let items = try items(encoded(format, metadata: PhotoMetadata(exif: EXIFFixture(.bigEndian).bytes)))
    let kinds = Set(items.properties.map { String(decoding: $0[4..<8], as: UTF8.self) })
    #expect(kinds.isDisjoint(with: ["irot", "imir"]))
    #expect(!items.references.contains { $0.type == "thmb" })
    #expect(items.items.filter { $0.type == "Exif" }.count == 1)
  }

  @Test("A box that is taken apart and put together says the same")
  func roundTrip() throws {
    let metadata = PhotoMetadata(exif: EXIFFixture(.bigEndian).bytes, xmp: Array("<x/>".utf8))
    for format in [PhotoFileFormat.heic, .avif] {
      let bytes = try encoded(format, width: 33, alpha: .straight, metadata: metadata)
      let items = try items(bytes)
      let box = try items.box()
      let again = try HEIFItems(Array(box[8...]))
      #expect(again.primary == items.primary)
      #expect(again.items.map(\.box) == items.items.map(\.box))
      #expect(again.properties == items.properties)
      #expect(again.locations.map(\.id) == items.locations.map(\.id))
      #expect(try again.box() == box)
    }
  }

  @Test("The codec tells HEIC from AVIF where the first brand does not")
  func brands() {
    func signature(_ brands: String) -> FileSignature { FileSignature([0, 0, 0, 28] + Array(brands.utf8)) }
    #expect(signature("ftypmif1\0\0\0\0mif1avifmiaf") == .photo(.avif))
    #expect(signature("ftypmif1\0\0\0\0mif1heic") == .photo(.heic))
    #expect(signature("ftypmif1") == .photo(.heic))
    // What follows the box is no brand.
    #expect(signature("ftypmif1\0\0\0\0mif1heic\0\0\0\u{8}avif") == .photo(.heic))
    #expect(signature("ftypavis\0\0\0\0msf1") == .photo(.avif))
    #expect(signature("ftypmsf1\0\0\0\0avisavif") == .photo(.avif))
    #expect(signature("ftyp") == .other("a video"))
    #expect(signature("ftypisom\0\0\0\0avif") == .other("a video"))
  }

  @Test("Code points of other programs' files are taken for what they are")
  func codePoints() throws {
    let scratch = try Scratch()
    let marker = Array("nclx".utf8)
    func photo(primaries: UInt8, transfer: UInt8) throws -> PhotoHeader {
      var bytes = try encoded(.avif)
      let at = try #require(bytes.indices.first { bytes[$0...].starts(with: marker) })
      (bytes[at + 5], bytes[at + 7]) = (primaries, transfer)
      return try PhotoHeader.read(scratch.write(bytes, to: "a.avif"))
    }
    let wide = try photo(primaries: 12, transfer: 13)
    #expect(wide.tags == .displayP3)
    #expect(wide.warnings == [])
    #expect(try photo(primaries: 2, transfer: 2).tags == .sRGB)
    // 5 is a gamma of 2.8, 7 that of SMPTE 240M, which nobody uses any more.
    #expect(try photo(primaries: 1, transfer: 5).tags.transfer == .gamma28)
    let old = try photo(primaries: 1, transfer: 7)
    #expect(old.tags == .sRGB)
    #expect(
      old.warnings == [
        "The encoding of the colours (primaries 1, transfer 7 of H.273) is not supported; they are treated as sRGB"
      ])
  }

  @Test("A picture of high dynamic range is refused with what to do", arguments: [(16, "PQ"), (18, "HLG")])
  func highDynamicRange(transfer: UInt8, name: String) throws {
    let scratch = try Scratch()
    func expectRefusal(_ path: String) {
      let expected =
        "Cannot read \(path): it is a high-dynamic-range picture (\(name)); "
        + "export it with standard dynamic range (SDR) first."
      #expect(message { _ = try PhotoHeader.read(path) } == expected)
      #expect(message { _ = try Photo(contentsOf: path) } == expected)
    }
    let marker = Array("nclx".utf8)
    for format in [PhotoFileFormat.heic, .avif] {
      var bytes = try encoded(format)
      let at = try #require(bytes.indices.first { bytes[$0...].starts(with: marker) })
      (bytes[at + 5], bytes[at + 7]) = (9, transfer)
      expectRefusal(try scratch.write(bytes, to: "a.\(format.rawValue)"))
    }
    var png = try encoded(.png, tags: .icc(ICCFixture.displayP3))
    png.insert(contentsOf: PNGChunks.chunk("cICP", [9, transfer, 0, 1]), at: 33)
    expectRefusal(try scratch.write(png, to: "a.png"))
  }

  @Test("A PNG's code points come before its profile, unless they are not known")
  func codePointsOfPNG() throws {
    let scratch = try Scratch()
    func tags(_ codePoints: [UInt8]) throws -> ColorTags {
      var png = try encoded(.png, tags: .icc(ICCFixture.displayP3))
      png.insert(contentsOf: PNGChunks.chunk("cICP", codePoints), at: 33)
      return try PhotoHeader.read(scratch.write(png, to: "a.png")).tags
    }
    #expect(try tags([1, 13, 0, 1]) == .sRGB)
    #expect(try tags([1, 7, 0, 1]) == .icc(ICCFixture.displayP3))
  }

  @Test("A table of places that promises billions of numbers of no bytes is refused at once")
  func endlessExtents() {
    // iloc, version 0, all sizes 0, 65535 items of 65535 extents each.
    let item: [UInt8] = [0, 1, 0, 0, 0xFF, 0xFF]
    var table: [UInt8] = [0, 0, 0xFF, 0xFF]
    for _ in 0..<65_535 { table += item }
    #expect(throws: MetadataDamage("the iloc box ends early or is of an unknown kind")) {
      try HEIFItems([0, 0, 0, 0] + ISOBox.make("iloc", version: 0, table))
    }
  }

  @Test("Ten thousand mutated meta boxes neither crash nor run on")
  func mutations() throws {
    let metadata = PhotoMetadata(exif: EXIFFixture(.bigEndian).bytes, xmp: Array("<x/>".utf8))
    var random = SeededRandom(seed: 5)
    var (good, bad) = (0, 0)
    for format in [PhotoFileFormat.heic, .avif] {
      let bytes = try encoded(format, width: 33, alpha: .straight, metadata: metadata)
      let meta = try #require(try ISOBox.boxes(in: bytes, 0..<bytes.count).first { $0.type == "meta" })
      let seed = Array(bytes[meta.content])
      for _ in 0..<5_000 {
        var content = seed
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          content[Int.random(in: 0..<content.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if Int.random(in: 0..<10, using: &random) == 0 {
          content.removeLast(Int.random(in: 0..<content.count, using: &random))
        }
        do {
          _ = try HEIFItems(content).box()
          good += 1
        } catch {
          #expect(error is MetadataDamage)
          bad += 1
        }
      }
    }
    #expect(good > 1_000 && bad > 1_000)
  }
}

@Suite("JPEG XL's boxes", .everyFormatIsWritable)
struct JXLContainerTests {
  private static let codestream: [UInt8] = [0xFF, 0x0A, 1, 2, 3]

  private func adding(_ metadata: PhotoMetadata, to bytes: [UInt8]) throws -> [UInt8] {
    try bytes.withUnsafeBytes { try JXLContainer.adding(metadata, to: $0) }
  }

  @Test("A bare codestream stays bare without metadata, and gets the boxes of ISO/IEC 18181-2 with it")
  func bare() throws {
    #expect(try adding(PhotoMetadata(), to: Self.codestream) == Self.codestream)
    let file = try adding(PhotoMetadata(exif: [9, 9], xmp: [8]), to: Self.codestream)
    let boxes = try ISOBox.boxes(in: file, 0..<file.count)
    #expect(boxes.map(\.type) == ["JXL ", "ftyp", "Exif", "xml ", "jxlc"])
    #expect(Array(file[boxes[2].content]) == [0, 0, 0, 0, 9, 9])
    #expect(Array(file[boxes[4].content]) == Self.codestream)
    // The signature as the standard prints it.
    #expect(Array(file[..<12]) == [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
  }

  @Test("Old metadata go, the level stays first, the codestream last")
  func replaced() throws {
    let head = Array(try adding(PhotoMetadata(exif: [1]), to: Self.codestream)[..<32])
    let old =
      head + ISOBox.make("jxll", [10])
      + ISOBox.make("brob", Array("Exif".utf8) + [1]) + ISOBox.make("Exif", [0, 0, 0, 0, 7])
      + ISOBox.make("jxlc", Self.codestream)
    let file = try adding(PhotoMetadata(xmp: [8]), to: old)
    #expect(
      try ISOBox.boxes(in: file, 0..<file.count).map(\.type) == ["JXL ", "ftyp", "jxll", "xml ", "jxlc"])
    #expect(throws: MetadataDamage.self) { try adding(PhotoMetadata(xmp: [8]), to: head) }
  }

  @Test("The header tells an animation from a picture, in every form of its size")
  func animation() {
    // Bits from the lowest on: the size (small: 1, height / 8 − 1, ratio 1), then all_default 0, extra_fields 1,
    // orientation 000, no intrinsic size, preview or animation.
    func header(_ bits: String) -> [UInt8] {
      let bits = Array(bits.filter { $0 != " " })
      return [0xFF, 0x0A]
        + stride(from: 0, to: bits.count, by: 8).map { start in
          (start..<min(start + 8, bits.count)).reduce(0) { $0 | (bits[$1] == "1" ? 1 << ($1 - start) : 0) }
        }
    }
    let sizes = [
      "1 00011 100", "1 00011 000 00011", "0 00 000000001 100",
      "0 01 " + String(repeating: "1", count: 18) + " 100",
      "0 11 " + String(repeating: "0", count: 30) + " 000 00 000000001",
    ]
    for size in sizes {
      #expect(JXLHeader.isAnimation(header(size + " 0 1 000 0 0 1")), "\(size)")
      #expect(!JXLHeader.isAnimation(header(size + " 0 1 000 0 0 0")), "\(size)")
      #expect(!JXLHeader.isAnimation(header(size + " 1")), "\(size)")
      #expect(!JXLHeader.isAnimation(header(size + " 0 0 11111")), "\(size)")
      // An intrinsic size and a preview between.
      #expect(JXLHeader.isAnimation(header(size + " 0 1 000 1 1 00011 100 1 1 01 00001 100 1")), "\(size)")
      for length in 0..<4 { #expect(!JXLHeader.isAnimation(Array(header(size).prefix(length)))) }
    }
  }

  @Test("Five thousand mutated containers neither crash nor run on")
  func mutations() throws {
    let scratch = try Scratch()
    let seed = try adding(
      PhotoMetadata(exif: EXIFFixture(.bigEndian).bytes, xmp: Array("<x/>".utf8)), to: Self.codestream)
    var random = SeededRandom(seed: 3)
    var kept = 0
    for _ in 0..<5_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Half of them where the boxes are.
        let end = Bool.random(using: &random) ? 60 : bytes.count
        bytes[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(
        Int.random(in: 0..<10, using: &random) == 0 ? Int.random(in: 0..<60, using: &random) : 0)
      let file = try InputFile(path: scratch.write(bytes, to: "m.jxl"))
      _ = try JXLContainer.isAnimation(file)
      var metadata = try JXLContainer.metadata(of: file).metadata
      _ = metadata.examineEXIF()
      if metadata.exif != nil { kept += 1 }
      _ = try? adding(metadata, to: bytes)
    }
    #expect(kept > 500 && kept < 4_900)
  }

  @Test("EXIF that begins later, compressed metadata, and lengths that lie")
  func reading() throws {
    let scratch = try Scratch()
    func metadata(_ boxes: [UInt8]) throws -> (metadata: PhotoMetadata, warnings: [String]) {
      let head = Array(try adding(PhotoMetadata(exif: [1]), to: Self.codestream)[..<32])
      return try JXLContainer.metadata(of: InputFile(path: scratch.write(head + boxes, to: "a.jxl")))
    }
    #expect(try metadata(ISOBox.make("Exif", [0, 0, 0, 2, 5, 5, 7])).metadata.exif == [7])
    #expect(
      try metadata(ISOBox.make("Exif", [0, 0, 0, 9, 5])).warnings
        == ["The EXIF data are damaged and were left out: they begin beyond their end"])
    #expect(
      try metadata(ISOBox.make("brob", Array("xml ".utf8) + [1])).warnings
        == ["The XMP data are compressed (Brotli), which is not supported; they were left out"])
    #expect(try metadata([0xFF, 0xFF, 0xFF, 0xFF] + Array("xml ".utf8)).metadata.isEmpty)
    #expect(
      try metadata([0, 0, 0, 1] + Array("xml ".utf8) + [UInt8](repeating: 0xFF, count: 8)).metadata.isEmpty)
    #expect(try metadata([0, 0, 0, 0] + Array("xml ".utf8) + [3]).metadata.xmp == [3])
  }
}
