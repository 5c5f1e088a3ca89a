import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Metadata in files", .everyFormatIsWritable)
struct MetadataRoundTripTests {
  private static let xmp = Array(
    #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><x tiff:Orientation="6"/></x:xmpmeta>"#.utf8)
  private static let iptc: [UInt8] = [0x1C, 2, 0, 0, 2, 0, 4, 0x1C, 2, 5, 0, 3] + Array("cat".utf8)
  private static let metadata = PhotoMetadata(exif: EXIFFixture(.bigEndian).bytes, xmp: xmp, iptc: iptc)

  private func roundTrip(_ format: PhotoFileFormat, _ metadata: PhotoMetadata, alpha: AlphaMode = .opaque)
    throws
    -> (photo: Photo, warnings: [String])
  {
    let scratch = try Scratch()
    let buffer = try makeGradient(24, 16, alpha: alpha)
    let path = scratch("picture.\(format.rawValue)")
    let writer = try PhotoWriter(
      to: path, format: format, size: buffer.size, metadata: metadata, alpha: alpha)
    try write(buffer, with: writer)
    let photo = try Photo(contentsOf: path)
    #expect(try PhotoHeader.read(path).metadata == photo.metadata)
    return (photo, writer.warnings)
  }

  @Test("JPEG keeps EXIF, XMP and IPTC to the byte")
  func jpeg() throws {
    let (photo, warnings) = try roundTrip(.jpeg, Self.metadata)
    #expect(photo.metadata == Self.metadata)
    #expect(photo.orientation == .right)
    #expect(warnings == [])
  }

  @Test(
    "All formats but JPEG and TIFF keep EXIF and XMP to the byte",
    arguments: [PhotoFileFormat.png, .webp, .heic, .avif, .jxl],
    [AlphaMode.opaque, .straight])
  func exifAndXMP(format: PhotoFileFormat, alpha: AlphaMode) throws {
    let (photo, warnings) = try roundTrip(format, Self.metadata, alpha: alpha)
    #expect(photo.metadata == PhotoMetadata(exif: Self.metadata.exif, xmp: Self.metadata.xmp))
    // HEIF and JPEG XL say in a place of their own how a picture is turned; EXIF does not count there.
    let isTurnedByEXIF = format == .png || format == .webp
    #expect(photo.orientation == (isTurnedByEXIF ? .right : .up))
    #expect(photo.buffer.alpha == alpha)
    #expect(warnings == ["\(format.name) files keep no IPTC data here; they were left out"])
  }

  @Test("Nothing is made up where there is nothing", arguments: PhotoFileFormat.allCases)
  func nothing(format: PhotoFileFormat) throws {
    #expect(try roundTrip(format, PhotoMetadata()).photo.metadata.isEmpty)
  }

  @Test(
    "Odd lengths are padded and come back odd",
    arguments: [PhotoFileFormat.jpeg, .png, .webp, .heic, .avif, .jxl])
  func oddLengths(format: PhotoFileFormat) throws {
    let odd = PhotoMetadata(exif: EXIFFixture(.littleEndian).bytes + [7], xmp: Self.xmp + [0x20, 0x20])
    #expect(try roundTrip(format, odd).photo.metadata == odd)
  }

  @Test("A long ICC profile is split over several JPEG markers and joined again")
  func longProfile() throws {
    let (markers, warnings) = JPEGMetadata.markers(for: PhotoMetadata(), iccProfile: ICCFixture.long)
    #expect(markers.count == 3)
    #expect(warnings == [])
    // They may come in any order (ICC.1:2010, annex B.4).
    #expect(JPEGMetadata.parse(markers.reversed()).iccProfile == ICCFixture.long)
    let incomplete = JPEGMetadata.parse(Array(markers.dropFirst()))
    #expect(incomplete.iccProfile == nil)
    #expect(
      incomplete.warnings == [
        "The ICC profile is incomplete and was left out; the colours are treated as sRGB"
      ]
    )
  }

  @Test("What is too long for a JPEG marker is left out with a warning")
  func tooLong() throws {
    let (photo, warnings) = try roundTrip(
      .jpeg, PhotoMetadata(xmp: [UInt8](repeating: 0x20, count: 65_505)))
    #expect(photo.metadata.isEmpty)
    #expect(warnings == ["The XMP data (65505 bytes) do not fit a JPEG file and were left out"])
    let fitting = PhotoMetadata(xmp: [UInt8](repeating: 0x20, count: 65_504))
    #expect(try roundTrip(.jpeg, fitting).photo.metadata == fitting)
  }

  @Test("Extended XMP is kept in JPEG")
  func extendedXMP() throws {
    let parts = [[UInt8](repeating: 0x41, count: 60_000), [UInt8](repeating: 0x42, count: 100)]
    let metadata = PhotoMetadata(xmp: Self.xmp, extendedXMP: parts)
    #expect(try roundTrip(.jpeg, metadata).photo.metadata == metadata)
  }

  @Test("Damaged EXIF is left out of the photo with a warning, the picture is read")
  func damaged() throws {
    let (photo, _) = try roundTrip(.jpeg, PhotoMetadata(exif: Array("II*\0\u{FF}".utf8) + [9, 9, 9]))
    #expect(photo.metadata.isEmpty)
    #expect(photo.orientation == .up)
    #expect(photo.warnings.count == 1)
    #expect(photo.warnings[0].hasPrefix("The EXIF data are damaged and were left out: "))
  }

  @Test("CRC-32 is the PNG specification's: an empty IEND chunk has AE 42 60 82")
  func crc() {
    #expect(PNGChunks.chunk("IEND", []) == [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
  }
}
