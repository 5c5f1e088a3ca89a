import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite struct PictureShrinkerTests {
  @Test(
    "A picture that is shrunk in bands has the means of its areas, rounded to nearest",
    arguments: [PixelFormat.rgba8, .rgba16], [1, 2, 3, 7, 50])
  func pictureShrinking(format: PixelFormat, factor: Int) throws {
    let size = PixelSize(width: 45, height: 31)
    var random = SeededRandom(seed: UInt64(factor))
    let most = format == .rgba8 ? 255 : 65_535
    let codes = (0..<size.height).map { _ in
      (0..<4 * size.width).map { _ in
        Int.random(in: 0...3, using: &random) == 0 ? most : Int.random(in: 0...most, using: &random)
      }
    }
    var shrinker = try PictureShrinker(
      size: size, format: format, tags: .sRGB, alpha: .straight, factor: factor)
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
          let sum = rows.reduce(0) { sum, row in
            columns.reduce(sum) { $0 + codes[row][4 * $1 + channel] }
          }
          let area = rows.count * columns.count
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
