import Foundation
import FrameCore
import Testing

@testable import Safelight

@Suite("Pictures as luma and colour differences")
struct YCbCrConversionTests {
  /// ITU-R BT.601-7 §2.5 and BT.709-6 §3.2…3.4, in floating point.
  private func codes(_ color: [Double], kr: Double, kb: Double, limited: Bool) -> [Double] {
    let y = kr * color[0] + (1 - kr - kb) * color[1] + kb * color[2]
    let cb = (color[2] - y) / (2 * (1 - kb))
    let cr = (color[0] - y) / (2 * (1 - kr))
    return limited
      ? [16 + 219 * y, 128 + 224 * cb, 128 + 224 * cr] : [255 * y, 128 + 255 * cb, 128 + 255 * cr]
  }

  private static let corners: [(UInt8, UInt8, UInt8)] = [
    (0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (0, 255, 255),
    (255, 0, 255),
  ]

  @Test(
    "have the codes of the standard, in every format",
    arguments: [PixelFormat.yuyv422, .nv12, .i420],
    [(ColorTags.Matrix.bt601, 0.299, 0.114), (.bt709, 0.2126, 0.0722)])
  func standard(format: PixelFormat, matrix: (ColorTags.Matrix, Double, Double)) throws {
    var random = SystemRandomNumberGenerator()
    let colors =
      Self.corners
      + (0..<500).map { _ in
        (
          UInt8.random(in: 0...255, using: &random), .random(in: 0...255, using: &random),
          .random(in: 0...255, using: &random)
        )
      }
    for range in [ColorTags.Range.limited, .full] {
      let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: matrix.0, range: range)
      let conversion = try YCbCrConversion(tags)
      let buffer = try PixelBuffer(size: PixelSize(width: 6, height: 4), format: format, tags: tags)
      for color in colors {
        conversion.convert(try livePicture(6, 4) { _, _ in color }, into: buffer)
        let expected = codes(
          [color.0, color.1, color.2].map { Double($0) / 255 }, kr: matrix.1, kb: matrix.2,
          limited: range == .limited)
        for y in 0..<4 {
          for x in 0..<6 {
            for (found, wanted) in zip(sample(buffer, x, y), expected) {
              // Half a code of rounding; full range's 255.5 is clipped.
              #expect(
                abs(Double(found) - min(wanted, 255)) <= 0.501,
                "\(color) at \(x), \(y): \(found), not \(wanted)")
            }
          }
        }
      }
    }
  }

  @Test("have their chroma on the left column of a pair, filtered by ¼ ½ ¼")
  func siting() throws {
    // A grey picture with one blue column: its difference spreads over what the filter reaches.
    let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .full)
    let buffer = try PixelBuffer(size: PixelSize(width: 8, height: 2), format: .i420, tags: tags)
    func blue(at column: Int) throws -> [Int] {
      try YCbCrConversion(tags).convert(
        livePicture(8, 2) { x, _ in x == column ? (0, 0, 200) : (0, 0, 0) }, into: buffer)
      return buffer.row(0, of: 1, as: UInt8.self).map { Int($0) - 128 }
    }
    // Cb of 200 blue is 100.
    #expect(try blue(at: 2) == [0, 50, 0, 0])
    #expect(try blue(at: 3) == [0, 25, 25, 0])
    // Edges are repeated.
    #expect(try blue(at: 0) == [75, 0, 0, 0])
    #expect(try blue(at: 7) == [0, 0, 0, 25])
  }

  @Test("of odd sizes have all their samples written", arguments: [PixelFormat.yuyv422, .nv12, .i420])
  func odd(format: PixelFormat) throws {
    for size in [
      PixelSize(width: 1, height: 1), PixelSize(width: 5, height: 3), PixelSize(width: 2, height: 7),
    ] {
      let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)
      let buffer = try PixelBuffer(size: size, format: format, tags: tags)
      for plane in buffer.planes { memset(plane.base, 7, plane.rowBytes * plane.rows) }
      try YCbCrConversion(tags).convert(
        livePicture(size.width, size.height) { _, _ in (255, 255, 255) }, into: buffer)
      for (index, plane) in buffer.planes.enumerated() {
        for y in 0..<plane.rows {
          for byte in buffer.row(y, of: index, as: UInt8.self) { #expect(byte == 235 || byte == 128) }
        }
      }
    }
  }

  @Test("are refused for matrices that they are not made for")
  func unsupported() {
    #expect {
      try YCbCrConversion(ColorTags(primaries: .bt2020, transfer: .sRGB, matrix: .bt2020NonConstant))
    } throws: {
      "\($0)" == "Pictures are not converted to the matrix bt2020NonConstant; use BT.601 or BT.709."
    }
  }

  private func sample(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
    func row(_ y: Int, _ plane: Int = 0) -> UnsafeMutableBufferPointer<UInt8> { buffer.row(y, of: plane) }
    switch buffer.format {
    case .yuyv422: return [row(y)[2 * x], row(y)[x / 2 * 4 + 1], row(y)[x / 2 * 4 + 3]]
    case .nv12: return [row(y)[x], row(y / 2, 1)[x / 2 * 2], row(y / 2, 1)[x / 2 * 2 + 1]]
    default: return [row(y)[x], row(y / 2, 1)[x / 2], row(y / 2, 2)[x / 2]]
    }
  }
}
