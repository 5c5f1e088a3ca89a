import FrameCore
import Libc
import Testing

@testable import Vision

@Suite("Luma, the right way up")
struct UprightLumaTests {
  private func luma(_ buffer: PixelBuffer, _ orientation: Orientation = .up, factor: Int = 1) -> (
    PixelSize, [UInt8]
  ) {
    var luma = UprightLuma(of: buffer.size, orientation: orientation, factor: factor)
    var samples = [UInt8](repeating: 7, count: luma.size.pixelCount)
    samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      luma.add(buffer.height, of: buffer, to: UprightLuma.Target(base: base, rowBytes: luma.size.width))
    }
    return (luma.size, samples)
  }

  @Test("Each orientation puts samples where EXIF says")
  func orientations() throws {
    // EXIF 2.32, tag 0x0112, on the stored rows 1 2 3 / 4 5 6.
    let displayed: [Orientation: [UInt8]] = [
      .up: [1, 2, 3, 4, 5, 6], .upMirrored: [3, 2, 1, 6, 5, 4], .down: [6, 5, 4, 3, 2, 1],
      .downMirrored: [4, 5, 6, 1, 2, 3], .leftMirrored: [1, 4, 2, 5, 3, 6], .right: [4, 1, 5, 2, 6, 3],
      .rightMirrored: [6, 3, 5, 2, 4, 1], .left: [3, 6, 2, 5, 1, 4],
    ]
    let buffer = try Vision.gray(3, 2) { x, y in UInt8(1 + x + 3 * y) }
    for orientation in Orientation.allCases {
      let (size, samples) = luma(buffer, orientation)
      #expect(
        size == orientation.applied(to: buffer.size) && samples == displayed[orientation], "\(orientation)")
    }
  }

  @Test("Every format's luma is found", arguments: PixelFormat.allCases)
  func formats(format: PixelFormat) throws {
    let buffer = try PixelBuffer(size: PixelSize(width: 4, height: 2), format: format)
    for plane in buffer.planes { for y in 0..<plane.rows { memset(plane.row(y), 0x55, plane.rowBytes) } }
    for y in 0..<2 {
      let row = buffer.planes[0].row(y)
      for x in 0..<4 {
        let value = 50 * x + 10 * y
        switch format {
        case .rgba8:
          for channel in 0..<3 {
            row.storeBytes(of: UInt8(value), toByteOffset: 4 * x + channel, as: UInt8.self)
          }
        case .rgba16:
          for channel in 0..<3 {
            row.storeBytes(of: UInt16(value * 257), toByteOffset: 8 * x + 2 * channel, as: UInt16.self)
          }
        case .rgbaF32:
          for channel in 0..<3 {
            row.storeBytes(of: (Float(value) + 0.1) / 255, toByteOffset: 16 * x + 4 * channel, as: Float.self)
          }
        case .yuyv422: row.storeBytes(of: UInt8(value), toByteOffset: 2 * x, as: UInt8.self)
        case .uyvy422: row.storeBytes(of: UInt8(value), toByteOffset: 2 * x + 1, as: UInt8.self)
        default: row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
        }
      }
    }
    #expect(luma(buffer).1 == [0, 50, 100, 150, 10, 60, 110, 160])
  }

  @Test("Colours weigh as in BT.709")
  func colours() throws {
    let buffer = try PixelBuffer(size: PixelSize(width: 3, height: 1), format: .rgba8)
    let row = buffer.row(0, as: UInt8.self)
    for x in 0..<3 { for channel in 0..<4 { row[4 * x + channel] = channel == x || channel == 3 ? 255 : 0 } }
    for (sample, weight) in zip(luma(buffer).1, [0.2126, 0.7152, 0.0722]) {
      #expect(abs(Double(sample) - 255 * weight) <= 1)
    }
  }

  @Test("Smaller pictures are means of whole blocks; what remains at the edges is left out")
  func smaller() throws {
    let buffer = try Vision.gray(5, 5) { x, y in UInt8(10 * x + y) }
    let (size, samples) = luma(buffer, factor: 2)
    #expect(size == PixelSize(width: 2, height: 2))
    // (0 + 10 + 1 + 11) / 4 = 5.5, rounded up; 20 to the right, 2 below.
    #expect(samples == [6, 26, 8, 28])
    #expect(luma(try Vision.gray(9, 1) { x, _ in UInt8(x) }, factor: 3).1 == [1, 4, 7])
  }

  @Test("A factor makes a picture fit")
  func factors() {
    #expect(UprightLuma.factor(for: PixelSize(width: 960, height: 1), longEdge: 960) == 1)
    #expect(UprightLuma.factor(for: PixelSize(width: 961, height: 1), longEdge: 960) == 2)
    #expect(
      UprightLuma.factor(for: PixelSize(width: 12_000, height: 9000), longEdge: 32_767, pixels: 64 << 20) == 2
    )
  }
}
