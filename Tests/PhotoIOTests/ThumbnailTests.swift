import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

/// What the unedited picture may hide in: none of it may be in an edited file.
@Suite("Pictures before the edit", .everyFormatIsWritable)
struct ThumbnailTests {
  private static let secret = Array("SECRET PREVIEW".utf8)
  /// The start of a JPEG, a segment that itself holds an end marker, coded data, and the end.
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 0xFF, 0xD9, 1, 2, 0xFF, 0xDA, 0, 4, 0, 0] + secret + [0xFF, 0xD9]

  /// The fixture with a preview in its maker note, which keeps its length.
  private static func exif(_ order: ByteOrder) -> [UInt8] {
    var bytes = EXIFFixture(order).bytes
    let note = EXIFFixture.makerNote
    let at = bytes.indices.first { bytes[$0...].starts(with: note) } ?? 0
    bytes.replaceSubrange(at..<at + jpeg.count, with: jpeg)
    return bytes
  }

  private static let xmp = Array(
    """
    <x:xmpmeta><rdf:Description xmpGImg:image="SECRET PREVIEW" GImage:Data='SECRET PREVIEW' xmp:Rating="5">
    <xmp:Thumbnails a="b"><rdf:Alt>SECRET PREVIEW</rdf:Alt></xmp:Thumbnails>
    <xap:Thumbnails><rdf:Alt>SECRET PREVIEW</rdf:Alt></xap:Thumbnails>
    </rdf:Description></x:xmpmeta>
    """.utf8)

  @Test("No format carries a thumbnail, a preview or a second picture", arguments: PhotoFileFormat.allCases)
  func noFormat(format: PhotoFileFormat) throws {
    for order in [ByteOrder.littleEndian, .bigEndian] {
      let scratch = try Scratch()
      let buffer = try makeGradient(48, 32)
      // The source has all of it, in JPEG's markers; and an MPF index, Photoshop's thumbnails and a second picture.
      let path = scratch("source.jpg")
      let metadata = PhotoMetadata(
        exif: Self.exif(order), xmp: Self.xmp, iptc: [0x1C, 2, 5, 0, 3] + Array("cat".utf8))
      try write(buffer, with: PhotoWriter(to: path, size: buffer.size, metadata: metadata))
      var bytes = try scratch.read("source.jpg")
      func marker(_ code: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xFF, code] + BigEndian.bytes(payload.count + 2, 2) + payload
      }
      func resource(_ number: Int) -> [UInt8] {
        Array("8BIM".utf8) + BigEndian.bytes(number, 2) + [0, 0] + BigEndian.bytes(Self.jpeg.count, 4)
          + Self.jpeg
          + (Self.jpeg.count % 2 == 1 ? [0] : [])
      }
      bytes.insert(
        contentsOf: marker(0xE2, Array("MPF\0".utf8) + Self.secret)
          + marker(0xED, Array("Photoshop 3.0\0".utf8) + resource(1033) + resource(1036)), at: 2)
      bytes += Self.jpeg
      try scratch.write(bytes, to: "source.jpg")
      #expect(contains(bytes, Self.secret))

      let photo = try Photo(contentsOf: path)
      let edited = photo.metadata.edited(size: buffer.size, colorSpace: .sRGB).signed(software: "Safelight")
      let result = scratch("result.\(format.pathExtensions[0])")
      try write(photo.buffer, with: PhotoWriter(to: result, size: buffer.size, metadata: edited))
      let written = try scratch.read("result.\(format.pathExtensions[0])")
      #expect(!contains(written, Self.secret))
      #expect(!contains(written, Array("unedited".utf8)))
      #expect(!contains(written, Array("MPF\0".utf8)))
      // What is no picture stays.
      #expect(contains(written, EXIFFixture.make))
      #expect(contains(written, Array("xmp:Rating=\"5\"".utf8)))
    }
  }

  @Test("A preview that a maker note keeps elsewhere in the block goes, and nothing else does")
  func stray() throws {
    for order in [ByteOrder.littleEndian, .bigEndian] {
      let block = EXIFFixture(order).bytes
      let minolta = [2] + Self.jpeg.dropFirst()
      let bytes = block + [1, 2, 3] + Self.jpeg + [4, 5, 6] + minolta + [7, 8, 9]
      func edited(_ bytes: [UInt8]) -> [UInt8]? {
        PhotoMetadata(exif: bytes).edited(size: PixelSize(width: 30, height: 20), colorSpace: .sRGB).exif
      }
      let blank = [UInt8](repeating: 0, count: Self.jpeg.count)
      let expected = try #require(edited(block)) + [1, 2, 3] + blank + [4, 5, 6] + blank + [7, 8, 9]
      #expect(edited(bytes) == expected)
    }
  }

  @Test("A value that only looks like a picture stays")
  func valueLikePicture() throws {
    let text: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 65, 0]
    // One field in the first directory, ASCII, whose values follow the directory; then a preview.
    let head: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x0E, 0, 2, 0, 0, 0, 8, 0, 0, 0, 26, 0, 0, 0, 0,
    ]
    let metadata = PhotoMetadata(exif: head + text + Self.jpeg)
    #expect(
      metadata.edited(size: PixelSize(width: 1, height: 1), colorSpace: .sRGB).exif
        == head + text + [UInt8](repeating: 0, count: Self.jpeg.count))
  }

  @Test("Pictures among other bytes are found from their start to their end")
  func embedded() {
    let head = Array("note".utf8)
    let bytes = head + Self.jpeg + [1, 2, 3] + Self.jpeg.dropLast(2)
    let second = head.count + Self.jpeg.count + 3
    #expect(EmbeddedJPEG.ranges(in: bytes[...]) == [4..<4 + Self.jpeg.count, second..<bytes.count])
    for chance: [UInt8] in [[0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0x12, 9], [0xFF], []] {
      #expect(EmbeddedJPEG.ranges(in: chance[...]).isEmpty)
    }
  }

  @Test("Extended XMP goes where it holds a picture, also one that is split between its parts")
  func extendedXMP() throws {
    func parts(_ text: String) -> [[UInt8]] {
      let bytes = Array(text.utf8)
      let guid = Array(String(repeating: "A", count: 32).utf8)
      return stride(from: 0, to: bytes.count, by: 7).map { offset in
        guid + BigEndian.bytes(bytes.count, 4) + BigEndian.bytes(offset, 4)
          + bytes[offset..<min(offset + 7, bytes.count)]
      }
    }
    let main = Array(#"<x xmpNote:HasExtendedXMP="AAAA" a="b"/>"#.utf8)
    let size = PixelSize(width: 1, height: 1)
    let picture = PhotoMetadata(xmp: main, extendedXMP: parts(#"<y GDepth:Data="SECRET"/>"#).reversed())
      .edited(size: size, colorSpace: .sRGB)
    #expect(picture.extendedXMP.isEmpty)
    #expect(picture.xmp.map { String(decoding: $0, as: UTF8.self) } == #"<x  a="b"/>"#)
    let settings = PhotoMetadata(xmp: main, extendedXMP: parts(#"<y crs:Exposure2012="+1.5"/>"#))
    #expect(settings.edited(size: size, colorSpace: .sRGB).extendedXMP.isEmpty)
    let history = PhotoMetadata(xmp: main, extendedXMP: parts("<photoshop:History>long</photoshop:History>"))
    #expect(history.edited(size: size, colorSpace: .sRGB) == history)
  }
}
