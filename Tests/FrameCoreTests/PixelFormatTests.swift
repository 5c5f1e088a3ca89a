import FrameCore
import Testing

@Suite("Pixel formats")
struct PixelFormatTests {
  /// Bytes of a tight row and rows, for each plane; chroma planes round up, as the V4L2 and FFmpeg layouts do.
  struct Expectation: Sendable {
    var format: PixelFormat
    var width: Int
    var height: Int
    var planes: [[Int]]
  }

  static let expectations: [Expectation] = [
    .init(format: .rgba8, width: 5, height: 3, planes: [[20, 3]]),
    .init(format: .rgba16, width: 5, height: 3, planes: [[40, 3]]),
    .init(format: .rgbaF32, width: 5, height: 3, planes: [[80, 3]]),
    .init(format: .gray8, width: 5, height: 3, planes: [[5, 3]]),
    .init(format: .yuyv422, width: 5, height: 3, planes: [[12, 3]]),
    .init(format: .yuyv422, width: 6, height: 3, planes: [[12, 3]]),
    .init(format: .uyvy422, width: 5, height: 3, planes: [[12, 3]]),
    .init(format: .nv12, width: 5, height: 3, planes: [[5, 3], [6, 2]]),
    .init(format: .nv21, width: 5, height: 3, planes: [[5, 3], [6, 2]]),
    .init(format: .nv16, width: 5, height: 3, planes: [[5, 3], [6, 3]]),
    .init(format: .nv12, width: 1920, height: 1080, planes: [[1920, 1080], [1920, 540]]),
    .init(format: .i420, width: 5, height: 3, planes: [[5, 3], [3, 2], [3, 2]]),
    .init(format: .i420, width: 1, height: 1, planes: [[1, 1], [1, 1], [1, 1]]),
    .init(format: .i422, width: 5, height: 3, planes: [[5, 3], [3, 3], [3, 3]]),
    .init(format: .i444, width: 5, height: 3, planes: [[5, 3], [5, 3], [5, 3]]),
  ]

  @Test("give each plane its bytes and rows, at odd sizes too", arguments: expectations)
  func planes(expected: Expectation) {
    let planes = expected.format.planes
    #expect(
      planes.map { [$0.rowBytes(width: expected.width), $0.rows(height: expected.height)] } == expected.planes
    )
  }

  @Test("are all covered by the table above")
  func coverage() {
    #expect(Set(Self.expectations.map(\.format)) == Set(PixelFormat.allCases))
  }

  @Test("say how deep their samples are")
  func depth() {
    #expect(PixelFormat.allCases.filter(\.isRGBA) == [.rgba8, .rgba16, .rgbaF32])
    #expect(PixelFormat.allCases.filter { !$0.isInteger } == [.rgbaF32])
    #expect(PixelFormat.rgba16.bitsPerSample == 16)
    #expect(PixelFormat.rgbaF32.bitsPerSample == 32)
    #expect(PixelFormat.nv12.bitsPerSample == 8)
  }
}
