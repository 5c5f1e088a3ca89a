import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite struct PictureShrinkerTests {
  @Test(
    "A picture that is shrunk in bands has the means of its areas, rounded to nearest",
    arguments: [PixelFormat.rgba8, .rgba16], [1, 2, 3, 7, 50])
  func opaque(format: PixelFormat, factor: Int) throws { try shrink(format, .opaque, factor) }

  @Test(
    "Where it has alpha, colours are means weighted by it", arguments: [PixelFormat.rgba8, .rgba16],
    [1, 2, 3, 7, 50])
  func straight(format: PixelFormat, factor: Int) throws { try shrink(format, .straight, factor) }

  @Test("Sums of the largest samples of 16 bits do not overflow")
  func largest() throws {
    let size = PixelSize(width: 256, height: 256)
    var shrinker = try PictureShrinker(
      size: size, format: .rgba16, tags: .sRGB, alpha: .straight, factor: 256)
    let row = try PixelBuffer(size: PixelSize(width: 256, height: 1), format: .rgba16)
    for x in 0..<1024 { row.row(0, as: UInt16.self)[x] = 65_535 }
    for _ in 0..<256 { shrinker.add(1, of: row) }
    #expect(shrinker.output.row(0, as: UInt16.self).prefix(4).allSatisfy { $0 == 65_535 })
  }

  private func shrink(_ format: PixelFormat, _ alpha: AlphaMode, _ factor: Int) throws {
    let size = PixelSize(width: 45, height: 31)
    var random = SeededRandom(seed: UInt64(factor))
    let most = format == .rgba8 ? 255 : 65_535
    let codes = (0..<size.height).map { _ in
      (0..<4 * size.width).map { index in
        // Much is invisible, and some areas as a whole.
        if index % 4 == 3, Int.random(in: 0...1, using: &random) == 0 { return 0 }
        return Int.random(in: 0...3, using: &random) == 0 ? most : Int.random(in: 0...most, using: &random)
      }
    }
    var shrinker = try PictureShrinker(
      size: size, format: format, tags: .sRGB, alpha: alpha, factor: factor)
    var first = 0
    for bandRows in [1, 4, 13, 2, 11] {
      let band = try PixelBuffer(size: PixelSize(width: size.width, height: bandRows + 1), format: format)
      for y in 0..<bandRows {
        for (x, code) in codes[first + y].enumerated() {
          if format == .rgba8 {
            band.row(y, as: UInt8.self)[x] = UInt8(code)
          } else {
            band.row(y, as: UInt16.self)[x] = UInt16(code)
          }
        }
      }
      shrinker.add(bandRows, of: band)
      first += bandRows
    }
    let output = shrinker.output
    #expect(output.width == (45 + factor - 1) / factor && output.height == (31 + factor - 1) / factor)
    for y in 0..<output.height {
      let rows = y * factor..<min((y + 1) * factor, size.height)
      for x in 0..<output.width {
        let columns = x * factor..<min((x + 1) * factor, size.width)
        for channel in 0..<4 {
          func total(_ value: (ArraySlice<Int>) -> Int) -> Int {
            rows.reduce(0) { sum, row in
              columns.reduce(sum) { $0 + value(codes[row][4 * $1..<4 * $1 + 4]) }
            }
          }
          let visible = total { $0.last ?? 0 }
          let isWeighted = alpha == .straight && channel < 3 && visible > 0
          let area = isWeighted ? visible : rows.count * columns.count
          let sum = total { pixel in
            pixel[pixel.startIndex + channel] * (isWeighted ? pixel.last ?? 0 : 1)
          }
          let found =
            format == .rgba8
            ? Int(output.row(y, as: UInt8.self)[4 * x + channel])
            : Int(output.row(y, as: UInt16.self)[4 * x + channel])
          #expect(found == (2 * sum + area) / (2 * area))
        }
      }
    }
  }

  @Test("Pictures of other formats are not shrunk")
  func otherFormats() {
    #expect(throws: SafelightError.self) {
      _ = try PictureShrinker(
        size: PixelSize(width: 4, height: 4), format: .rgbaF32, tags: .sRGB, alpha: .opaque, factor: 2
      ).output
    }
  }
}
