import FrameCore
import Testing

@testable import Capture

@Suite struct SettlingTests {
  /// Whether each frame of a stream at 30 frames a second passes.
  private func passes(_ settling: Settling, _ lumas: [Double]) -> String {
    var meter = SettlingMeter(settling)
    return String(
      lumas.enumerated().map { index, luma in
        meter.passes(meanLuma: luma, at: Timestamp(nanoseconds: Int64(index) * 33_333_333)) ? "x" : "-"
      })
  }

  @Test("Black frames, then a climb, then a picture that holds still: only that is shown")
  func exposureClimbs() {
    #expect(passes(.automatic, [0, 0, 0.001, 0.1, 0.25, 0.4, 0.41, 0.415, 0.42, 0.9]) == "-------xxx")
  }

  @Test("A stream that is settled from the start loses two frames to the measurement")
  func settledFromTheStart() {
    #expect(passes(.automatic, [0.4, 0.4, 0.4, 0.4]) == "--xx")
  }

  @Test("A room that stays black, and a light that never holds still, are shown after the stated time")
  func deadline() {
    #expect(passes(.measured(atMost: 0.09), [0, 0, 0, 0, 0, 0]) == "---xxx")
    #expect(passes(.measured(atMost: 0.09), [0.2, 0.8, 0.2, 0.8, 0.2]) == "---xx")
  }

  @Test("Off, or no time at all, shows everything")
  func off() {
    #expect(passes(.off, [0, 1, 0]) == "xxx")
    #expect(passes(.measured(atMost: 0), [0, 1, 0]) == "xxx")
  }

  /// Fills a picture so that its luma is `white` in the left half and 0 in the right one.
  private func halfLit(_ format: PixelFormat, _ tags: ColorTags) throws -> PixelBuffer {
    let (black, white): (UInt8, UInt8) = tags.range == .limited && format.isYCbCr ? (16, 235) : (0, 255)
    let size = PixelSize(width: 64, height: 36)
    let buffer = try PixelBuffer(size: size, format: format, tags: tags)
    for (index, plane) in buffer.planes.enumerated() {
      for y in 0..<plane.rows {
        let row = buffer.row(y, of: index, as: UInt8.self)
        for i in row.indices { row[i] = 128 }
      }
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let isLit = x < size.width / 2
        let code = isLit ? white : black
        switch format {
        case .rgba8: for c in 0..<3 { buffer.row(y, as: UInt8.self)[4 * x + c] = code }
        case .rgba16: for c in 0..<3 { buffer.row(y, as: UInt16.self)[4 * x + c] = isLit ? 65535 : 0 }
        case .rgbaF32: for c in 0..<3 { buffer.row(y, as: Float.self)[4 * x + c] = isLit ? 1 : 0 }
        case .yuyv422: buffer.row(y, as: UInt8.self)[2 * x] = code
        case .uyvy422: buffer.row(y, as: UInt8.self)[2 * x + 1] = code
        default: buffer.row(y, as: UInt8.self)[x] = code
        }
      }
    }
    return buffer
  }

  @Test(
    "A picture that is half white and half black has a mean luma of a half", arguments: PixelFormat.allCases)
  func meanLuma(format: PixelFormat) throws {
    for range in [ColorTags.Range.limited, .full] {
      let tags = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: range)
      let mean = LumaProbe.meanLuma(of: try halfLit(format, tags))
      #expect(abs(mean - 0.5) < 1e-9)
    }
  }

  @Test("The smallest picture can be measured", arguments: PixelFormat.allCases)
  func smallestPicture(format: PixelFormat) throws {
    let buffer = try PixelBuffer(size: PixelSize(width: 1, height: 1), format: format)
    for index in buffer.planes.indices {
      let row = buffer.row(0, of: index, as: UInt8.self)
      for i in row.indices { row[i] = 0 }
    }
    #expect(LumaProbe.meanLuma(of: buffer) == 0)
  }
}
