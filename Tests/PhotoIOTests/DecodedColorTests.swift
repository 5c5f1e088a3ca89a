import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO
import Libc

@Suite("Colours of files")
struct DecodedColorTests {
  /// A JPEG file with markers put in after its first two bytes.
  private func jpeg(_ bytes: [UInt8], icc: [UInt8]? = nil, exif: [UInt8]? = nil) -> [UInt8] {
    let (markers, _) = JPEGMetadata.markers(for: PhotoMetadata(exif: exif), iccProfile: icc)
    let added = markers.flatMap { marker in
      let length = marker.payload.count + 2
      return [0xFF, UInt8(marker.code), UInt8(length >> 8), UInt8(length & 0xFF)] + marker.payload
    }
    return Array(bytes[..<2]) + added + bytes[2...]
  }

  private func read(_ bytes: [UInt8]) throws -> Photo {
    let scratch = try Scratch()
    return try Photo(contentsOf: scratch.write(bytes, to: "a.jpg"))
  }

  private func expectGray(_ photo: Photo, column: Int, light: Double) {
    // Adobe RGB (1998): encoded = light ^ (256/563).
    let expected = pow(light, 256.0 / 563) * 65_535
    let pixel = Array(row16(photo.buffer, 0)[4 * column..<4 * column + 4])
    for sample in pixel[0..<3] {
      #expect(abs(Double(sample) - expected) < 500, "\(pixel) where \(expected) is expected")
    }
    #expect(pixel[3] == 65_535)
  }

  /// CIE 15:2004: the luminance of a lightness L* of more than 8.
  private func luminance(_ lightness: Double) -> Double { pow((lightness + 16) / 116, 3) }

  @Test("CMYK goes through its profile to Adobe RGB with 16 bits")
  func cmyk() throws {
    let photo = try read(jpeg(Fixtures.cmykJPEG, icc: ICCFixture.cmykTable))
    #expect(photo.buffer.format == .rgba16)
    #expect(photo.buffer.tags == .icc(try ColorSpace.adobeRGB.iccProfile().bytes))
    #expect(
      photo.warnings
        == ["The colours were converted from the profile \"P3\" to Adobe RGB (1998) with 16 bits"])
    // M and Y full: L* = 100 / 3. K = 128/255: L* = 100 · 127/255.
    expectGray(photo, column: 0, light: luminance(100.0 / 3))
    expectGray(photo, column: 15, light: luminance(100 * 127.0 / 255))
  }

  @Test("Grey goes through its profile")
  func gray() throws {
    let photo = try read(jpeg(Fixtures.grayJPEG, icc: ICCFixture.linearGray))
    #expect(photo.isGray)
    #expect(photo.buffer.format == .rgba16)
    expectGray(photo, column: 7, light: 77.0 / 255)
  }

  @Test("An RGB profile with tables is converted, one with a matrix stays")
  func rgbTable() throws {
    let gradient = try read(jpeg(Fixtures.progressiveJPEG, icc: ICCFixture.rgbTable))
    #expect(gradient.buffer.format == .rgba16)
    #expect(gradient.warnings.count == 1)
    let matrix = try read(jpeg(Fixtures.progressiveJPEG, icc: ICCFixture.displayP3))
    #expect(matrix.buffer.format == .rgba8)
    #expect(matrix.buffer.tags == .icc(ICCFixture.displayP3))
    #expect(matrix.warnings == [])
    #expect(samples8(matrix.buffer) == samples8(try read(Fixtures.progressiveJPEG).buffer))
  }

  @Test("A profile for another model, or none at all, is left out with a warning")
  func wrongProfile() throws {
    let wrong = try read(jpeg(Fixtures.progressiveJPEG, icc: ICCFixture.cmykTable))
    #expect(wrong.buffer.tags == .sRGB)
    #expect(
      wrong.warnings == [
        "The ICC profile \"P3\" is for CMYK and the picture is RGB; the profile was left out"
      ])
    let damaged = try read(jpeg(Fixtures.progressiveJPEG, icc: [1, 2, 3]))
    #expect(damaged.buffer.tags == .sRGB)
    #expect(damaged.warnings.count == 1)
    #expect(damaged.warnings[0].hasPrefix("The ICC profile cannot be used and was left out: "))
  }

  @Test("EXIF's R03 makes an untagged photo Adobe RGB, a profile wins over it")
  func declaredAdobeRGB() throws {
    let exif = EXIFFixture(.bigEndian).bytes
    let declared = try read(jpeg(Fixtures.progressiveJPEG, exif: exif))
    #expect(declared.buffer.tags == .icc(try ColorSpace.adobeRGB.iccProfile().bytes))
    #expect(declared.buffer.format == .rgba8)
    let profiled = try read(jpeg(Fixtures.progressiveJPEG, icc: ICCFixture.displayP3, exif: exif))
    #expect(profiled.buffer.tags == .icc(ICCFixture.displayP3))
  }

  @Test("Code points other than sRGB's are written as a profile that reads back as their space")
  func codePoints() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(16, 16, tags: .displayP3)
    try write(buffer, with: PhotoWriter(to: scratch("p3.png"), size: buffer.size, tags: .displayP3))
    let tags = try Photo(contentsOf: scratch("p3.png")).buffer.tags
    #expect(try ColorSpace(tags: tags).primaries.red.x == 0.680)
    try write(buffer, with: PhotoWriter(to: scratch("srgb.png"), size: buffer.size, tags: .sRGB))
    #expect(try Photo(contentsOf: scratch("srgb.png")).buffer.tags.iccProfile == nil)
  }

  @Test("CMYK TIFF goes through its profile too")
  func cmykTIFF() throws {
    let layout = SampleLayout(samples: .uint16, model: .cmyk(inverted: false), bands: 5)
    let color = try DecodedColor(
      layout, isGray: false, profile: ICCFixture.cmykTable, declaresAdobeRGB: false)
    // 16-bit inks with alpha: no ink, then half of black.
    let row: [UInt16] = [0, 0, 0, 0, 1_234, 0, 0, 0, 32_896, 65_535]
    var out = [UInt16](repeating: 0, count: 8)
    row.withUnsafeBytes { from in
      out.withUnsafeMutableBytes { to in
        guard let from = from.baseAddress, let to = to.baseAddress else { return }
        color.convert(from, to: to, width: 2, hasAlpha: true)
      }
    }
    #expect(out[3] == 1_234 && out[7] == 65_535)
    #expect(out[0] > 65_000)
    let expected = pow(luminance(100 * 127.0 / 255), 256.0 / 563) * 65_535
    #expect(abs(Double(out[4]) - expected) < 500)
  }
}
