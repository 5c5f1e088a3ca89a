import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Kinds of pictures")
struct FixtureTests {
  private func read(_ bytes: [UInt8], _ name: String = "picture") throws -> Photo {
    let scratch = try Scratch()
    return try Photo(contentsOf: scratch.write(bytes, to: name))
  }

  @Test("16-bit PNG keeps its samples and alpha")
  func deepPNG() throws {
    let photo = try read(Fixtures.deepPNG)
    #expect(photo.buffer.format == .rgba16)
    #expect(photo.buffer.alpha == .straight)
    #expect(samples16(photo.buffer) == [0, 1, 65_535, 65_535, 258, 32_768, 4_660, 1])
  }

  @Test("16-bit grey PNG becomes RGB")
  func deepGray() throws {
    let photo = try read(Fixtures.deepGrayPNG)
    #expect(photo.isGray)
    #expect(photo.buffer.alpha == .opaque)
    #expect(
      samples16(photo.buffer) == [0, 65_535, 12_345].flatMap { [$0, $0, $0, 65_535] as [UInt16] })
  }

  @Test("A palette is expanded")
  func palette() throws {
    let photo = try read(Fixtures.palettePNG)
    #expect(photo.buffer.alpha == .opaque)
    let row = [255, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255] as [UInt8]
    #expect(row8(photo.buffer, 0) == row)
  }

  @Test("One bit becomes black and white")
  func oneBit() throws {
    let png = try read(Fixtures.oneBitPNG)
    #expect(png.isGray)
    #expect(samples8(png.buffer).prefix(8).elementsEqual([0, 0, 0, 255, 255, 255, 255, 255]))
    let tiff = try read(Fixtures.oneBitTIFF)
    // White is zero in this file: a set bit is black.
    let expected: [UInt8] = [0, 255, 0, 0, 255, 255, 255, 255]
    #expect(samples8(tiff.buffer) == expected.flatMap { [$0, $0, $0, 255] })
  }

  @Test("Grey with alpha keeps its alpha")
  func grayAlpha() throws {
    let photo = try read(Fixtures.grayAlphaPNG)
    #expect(photo.isGray)
    #expect(photo.buffer.alpha == .straight)
    #expect(samples8(photo.buffer) == [0, 85, 170, 255].flatMap { [200, 200, 200, $0] as [UInt8] })
  }

  @Test("Grey JPEG becomes RGB")
  func grayJPEG() throws {
    let photo = try read(Fixtures.grayJPEG)
    #expect(photo.isGray)
    #expect(samples8(photo.buffer) == (0..<256).flatMap { _ in [77, 77, 77, 255] as [UInt8] })
  }

  @Test("Progressive JPEG is read")
  func progressive() throws {
    let photo = try read(Fixtures.progressiveJPEG)
    #expect(photo.warnings == [])
    // The gradient that Pillow was given: red 4x, green 4y, blue 255 − 2(x + y).
    let pixel = Array(row8(photo.buffer, 32)[4 * 16..<4 * 16 + 3])
    for (sample, expected) in zip(pixel, [64, 128, 159]) { #expect(abs(Int(sample) - expected) <= 8) }
  }

  @Test("16-bit TIFF keeps its samples")
  func deepTIFF() throws {
    let photo = try read(Fixtures.deepTIFF)
    #expect(photo.buffer.alpha == .opaque)
    #expect(samples16(photo.buffer) == [0, 1, 65_535, 65_535, 258, 32_768, 4_660, 65_535])
  }

  @Test("Floating point becomes linear 16 bits, clipped, with a warning")
  func floatTIFF() throws {
    let photo = try read(Fixtures.floatTIFF)
    #expect(samples16(photo.buffer) == [0, 32_768, 65_535, 65_535, 0, 65_535, 16_384, 65_535])
    #expect(photo.buffer.tags == ColorTags(primaries: .bt709, transfer: .linear))
    #expect(photo.warnings.contains { $0.contains("floating point") })
  }

  @Test("Associated alpha is made straight")
  func premultiplied() throws {
    let photo = try read(Fixtures.premultipliedTIFF)
    #expect(photo.buffer.alpha == .straight)
    // 100 · 255/128 = 199.2, 50 · 255/128 = 99.6; Pillow reads 199 and 99.
    let samples = samples8(photo.buffer)
    #expect(samples[3] == 128)
    #expect((199...200).contains(samples[0]) && (99...100).contains(samples[1]) && samples[2] == 0)
    #expect(samples[4...7].elementsEqual([255, 255, 255, 255]))
  }

  @Test("TIFF's orientation is read, its pixels stay as stored")
  func turned() throws {
    let photo = try read(Fixtures.turnedTIFF)
    #expect(photo.orientation == .right)
    #expect(photo.buffer.size == PixelSize(width: 2, height: 1))
    #expect(samples8(photo.buffer) == [1, 2, 3, 255, 4, 5, 6, 255])
  }

  @Test("Of an animation the first frame is read, with a warning")
  func animation() throws {
    let photo = try read(Fixtures.animatedGIF)
    #expect(photo.fileFormat == nil)
    #expect(photo.formatName == "GIF")
    #expect(photo.buffer.size == PixelSize(width: 2, height: 2))
    #expect(samples8(photo.buffer).prefix(4).elementsEqual([255, 0, 0, 255]))
    #expect(photo.warnings == ["Only the first of 2 pictures in the file is read"])
  }

  @Test(
    "CMYK without a profile is converted by the plain formula, with a warning",
    arguments: [Fixtures.cmykJPEG, Fixtures.cmykTIFF])
  func cmyk(bytes: [UInt8]) throws {
    let photo = try read(bytes)
    #expect(photo.warnings == ["The picture is CMYK without a colour profile; its colours are approximate"])
    let row = row8(photo.buffer, 0)
    // C0 M100 Y100 K0 is pure red; K 128/255 is grey 127.
    for (sample, expected) in zip(row.prefix(4), [255, 0, 0, 255]) {
      #expect(abs(Int(sample) - expected) <= 1)
    }
    for (sample, expected) in zip(row.suffix(4), [127, 127, 127, 255]) {
      #expect(abs(Int(sample) - expected) <= 1)
    }
    #expect(photo.buffer.tags == .sRGB)
  }
}
