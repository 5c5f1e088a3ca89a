import AllocationCounter
import FrameCore
import TestSupport
import Testing

@testable import Rendering
import Libc

@Suite("Samples in another order of planes", .serialized)
struct SampleCopierTests {
  private static let formats = PixelFormat.allCases.filter { !$0.isRGBA }

  /// Luma and both colour differences of every pixel, as V4L2 lays the formats out.
  private func samples(_ picture: PixelBuffer, x: Int, y: Int) -> [UInt8] {
    func byte(_ plane: Int, _ row: Int, _ column: Int) -> UInt8 {
      picture.planes[plane].row(row).load(fromByteOffset: column, as: UInt8.self)
    }
    let luma = byte(0, y, x)
    return switch picture.format {
    case .gray8: [luma, 128, 128]
    case .yuyv422: [byte(0, y, 2 * x), byte(0, y, x / 2 * 4 + 1), byte(0, y, x / 2 * 4 + 3)]
    case .uyvy422: [byte(0, y, 2 * x + 1), byte(0, y, x / 2 * 4), byte(0, y, x / 2 * 4 + 2)]
    case .nv12: [luma, byte(1, y / 2, x / 2 * 2), byte(1, y / 2, x / 2 * 2 + 1)]
    case .nv21: [luma, byte(1, y / 2, x / 2 * 2 + 1), byte(1, y / 2, x / 2 * 2)]
    case .nv16: [luma, byte(1, y, x / 2 * 2), byte(1, y, x / 2 * 2 + 1)]
    case .i420: [luma, byte(1, y / 2, x / 2), byte(2, y / 2, x / 2)]
    case .i422: [luma, byte(1, y, x / 2), byte(2, y, x / 2)]
    default: [luma, byte(1, y, x), byte(2, y, x)]
    }
  }

  private func noise(_ size: PixelSize, _ format: PixelFormat) throws -> PixelBuffer {
    let picture = try PixelBuffer(size: size, format: format)
    var random = SeededRandom(seed: 5)
    for plane in picture.planes {
      for offset in 0..<plane.rowBytes * plane.rows {
        plane.base.storeBytes(of: .random(in: 0...255, using: &random), toByteOffset: offset, as: UInt8.self)
      }
    }
    return picture
  }

  @Test("are the same samples, at even and odd sizes", arguments: formats, [(64, 48), (37, 23), (1, 1)])
  func same(source: PixelFormat, shape: (Int, Int)) throws {
    let size = PixelSize(width: shape.0, height: shape.1)
    let picture = try noise(size, source)
    for target in Self.formats {
      guard let copier = SampleCopier(from: source, to: target, size: size) else {
        #expect(!SampleCopier.fits(source, target))
        continue
      }
      let copy = try PixelBuffer(size: size, format: target)
      copier.copy(picture, into: copy)
      var wrong = 0
      for y in 0..<size.height {
        for x in 0..<size.width where samples(picture, x: x, y: y) != samples(copy, x: x, y: y) { wrong += 1 }
      }
      #expect(wrong == 0, "\(source) → \(target)")
    }
  }

  @Test("are copied only where both have as many of them, or there is no colour")
  func fitting() {
    let groups: [[PixelFormat]] = [[.i420, .nv12, .nv21], [.i422, .nv16, .yuyv422, .uyvy422], [.i444]]
    for source in PixelFormat.allCases {
      for target in PixelFormat.allCases where source != target {
        let isInGroup = groups.contains { $0.contains(source) && $0.contains(target) }
        #expect(SampleCopier.fits(source, target) == (isInGroup || source == .gray8 && target.isYCbCr))
      }
    }
  }

  @Test(
    "cost no memory frame by frame",
    .enabled(if: AllocationTests.counterWorks, "only where the C library is glibc"), arguments: formats)
  func allocations(source: PixelFormat) throws {
    let size = PixelSize(width: 640, height: 100)
    let picture = try noise(size, source)
    for target in Self.formats {
      guard let copier = SampleCopier(from: source, to: target, size: size) else { continue }
      let copy = try PixelBuffer(size: size, format: target)
      copier.copy(picture, into: copy)
      let before = allocation_counter_of_this_thread()
      for _ in 0..<10 { copier.copy(picture, into: copy) }
      let count = allocation_counter_of_this_thread() - before
      #expect(count == 0, "\(source) → \(target)")
    }
  }
}
