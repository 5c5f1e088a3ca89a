import CV4L2
import FrameCore
import Testing

@testable import Capture

/// Expected numbers follow the kernel's documentation of YUV formats: planes one after the other, chroma rows of
/// planar formats padded by the luma's padding over their subsampling.
@Suite("Where planes lie in a driver's buffer")
struct PictureLayoutTests {
  private func format(_ width: UInt32, _ height: UInt32, bytesPerLine: [UInt32]) -> cv4l2_format {
    var format = cv4l2_format()
    (format.width, format.height) = (width, height)
    format.plane_count = UInt32(bytesPerLine.count)
    withUnsafeMutableBytes(of: &format.bytes_per_line) { bytes in
      for (index, value) in bytesPerLine.enumerated() {
        bytes.storeBytes(of: value, toByteOffset: 4 * index, as: UInt32.self)
      }
    }
    return format
  }

  private func layout(
    _ format: cv4l2_format, _ pixelFormat: PixelFormat, memoryPlanes: Int = 1, swaps: Bool = false
  ) -> [[Int]] {
    let layout = PictureLayout(
      format, pixelFormat: pixelFormat, memoryPlanes: memoryPlanes, swapsChroma: swaps)
    return layout.planes.map { [$0.memory, $0.offset, $0.rowBytes] } + [layout.requiredBytes]
  }

  @Test("One plane")
  func packed() {
    #expect(layout(format(640, 480, bytesPerLine: [1280]), .yuyv422) == [[0, 0, 1280], [614_400]])
    // The last row's padding is not part of the picture.
    #expect(layout(format(640, 480, bytesPerLine: [1344]), .yuyv422) == [[0, 0, 1344], [1344 * 479 + 1280]])
    #expect(layout(format(640, 480, bytesPerLine: [0]), .gray8) == [[0, 0, 640], [307_200]])
  }

  @Test("Luma and interleaved chroma have rows of the same length")
  func semiplanar() {
    #expect(
      layout(format(640, 480, bytesPerLine: [704]), .nv12)
        == [[0, 0, 704], [0, 704 * 480, 704], [704 * 480 + 704 * 239 + 640]])
    #expect(
      layout(format(640, 480, bytesPerLine: [640]), .nv16) == [[0, 0, 640], [0, 307_200, 640], [614_400]])
  }

  @Test("Planes of chroma have rows of half the length; YV12 has Cr first")
  func planar() {
    let format = format(640, 480, bytesPerLine: [640])
    #expect(
      layout(format, .i420) == [[0, 0, 640], [0, 307_200, 320], [0, 384_000, 320], [460_800]])
    #expect(
      layout(format, .i420, swaps: true) == [[0, 0, 640], [0, 384_000, 320], [0, 307_200, 320], [460_800]])
    #expect(
      layout(format, .i422) == [[0, 0, 640], [0, 307_200, 320], [0, 460_800, 320], [614_400]])
  }

  @Test("Planes in memory of their own begin there")
  func multiplanar() {
    #expect(
      layout(format(640, 480, bytesPerLine: [640, 640]), .nv12, memoryPlanes: 2)
        == [[0, 0, 640], [1, 0, 640], [307_200, 153_600]])
    #expect(
      layout(format(640, 480, bytesPerLine: [640, 320, 320]), .i420, memoryPlanes: 3, swaps: true)
        == [[0, 0, 640], [2, 0, 320], [1, 0, 320], [307_200, 76_800, 76_800]])
  }

  @Test("Packed RGB becomes R, G, B, 255")
  func rgb() throws {
    let target = try PixelBuffer(size: PixelSize(width: 2, height: 2), format: .rgba8)
    let bgr: [UInt8] = [3, 2, 1, 6, 5, 4, 99, 99, 9, 8, 7, 12, 11, 10]
    bgr.withUnsafeBytes { bytes in
      PackedRGB.bgr.convert(bytes.baseAddress!, rowBytes: 8, into: target)
    }
    #expect(Array(target.row(0, as: UInt8.self)) == [1, 2, 3, 255, 4, 5, 6, 255])
    #expect(Array(target.row(1, as: UInt8.self)) == [7, 8, 9, 255, 10, 11, 12, 255])
    let xrgb: [UInt8] = [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 0]
    xrgb.withUnsafeBytes { bytes in
      PackedRGB.rgbx.convert(bytes.baseAddress!, rowBytes: 8, into: target)
    }
    #expect(Array(target.row(1, as: UInt8.self)) == [7, 8, 9, 255, 10, 11, 12, 255])
  }
}
