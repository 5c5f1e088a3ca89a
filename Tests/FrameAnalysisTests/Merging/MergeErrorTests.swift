import FrameCore
import Testing

@testable import FrameAnalysis

@Suite("Frames that cannot be merged")
struct MergeErrorTests {
  private func frame(
    _ width: Int = 20, format: PixelFormat = .rgba8, tags: ColorTags = .sRGB, alpha: AlphaMode = .opaque
  ) throws -> PixelBuffer {
    let buffer = try PixelBuffer(
      size: PixelSize(width: width, height: 20), format: format, tags: tags, alpha: alpha)
    for plane in buffer.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 0, count: plane.rowBytes * plane.rows)
    }
    return buffer
  }

  private func error(_ frames: [PixelBuffer], reference: Int = 0) -> SafelightError? {
    do {
      _ = try FrameMerge().merge(frames, reference: reference)
      return nil
    } catch { return error as? SafelightError }
  }

  @Test("None, too many, and a reference that is not there")
  func counts() throws {
    let frame = try frame()
    #expect(error([])?.description == "0 frames cannot be merged; choose 1 to 32 of them.")
    #expect(error(Array(repeating: frame, count: 33))?.code == .invalidValue)
    #expect(error(Array(repeating: frame, count: 32)) == nil)
    #expect(
      error([frame, frame], reference: 2)?.description
        == "Frame 2 of 2 cannot be the reference; choose one from 0 to 1.")
    #expect(error([frame], reference: -1)?.code == .invalidValue)
  }

  @Test("Sizes and colour spaces that differ")
  func differing() throws {
    #expect(
      error([try frame(), try frame(21)])?.description
        == "Frame 2 has 21×20 pixels, the reference 20×20; merge frames of one size.")
    #expect(
      error([try frame(), try frame(tags: .displayP3)])?.description
        == "Frame 2 and the reference have different colour spaces; "
        + "convert all frames to one colour space first."
    )
    // Formats may differ.
    #expect(error([try frame(), try frame(format: .rgba16)]) == nil)
  }

  @Test("Formats and meanings that have no average")
  func unsupported() throws {
    #expect(error([try frame(format: .rgbaF32)])?.code == .unsupported)
    #expect(error([try frame(alpha: .straight)])?.code == .unsupported)
    #expect(error([try frame(tags: ColorTags(primaries: .bt2020, transfer: .pq))])?.code == .unsupported)
    #expect(error([try frame(format: .nv12, tags: .sRGB)])?.code == .invalidValue)
    #expect(error([try frame(tags: .icc([1, 2, 3]))])?.code == .corruptData)
  }
}
