import AllocationCounter
import FrameCore
import Testing

@testable import FrameAnalysis
import Libc

@Suite struct AnalysisAllocationTests {
  static var counterWorks: Bool {
    #if canImport(Glibc)
      true
    #else
      false
    #endif
  }

  @Test(
    "Live analyses allocate nothing after the first frames",
    .enabled(if: AnalysisAllocationTests.counterWorks, "only where the C library is glibc"),
    arguments: [PixelFormat.yuyv422, .nv12, .rgba8])
  func frames(format: PixelFormat) throws {
    let size = PixelSize(width: 800, height: 300)
    let tags = ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601, range: .limited)
    let frame = try PixelBuffer(size: size, format: format, tags: format.isYCbCr ? tags : .sRGB)
    for plane in frame.planes {
      for y in 0..<plane.rows { memset(plane.row(y), Int32(40 + y % 150), plane.rowBytes) }
    }
    let proxy = AnalysisProxy()
    let meter = SharpnessMeter()
    var histogram = Histogram()
    var checksum = 0.0
    func analyze() throws {
      try proxy.update(from: frame)
      histogram.update(from: proxy)
      checksum += ToneStatistics(histogram).mean + Clipping(proxy).shadows + meter.measure(proxy).noise
    }
    for _ in 0..<2 { try analyze() }
    let before = allocation_counter_of_this_thread()
    for _ in 0..<5 { try analyze() }
    let count = allocation_counter_of_this_thread() - before
    #expect(count == 0, "\(count) allocations in 5 frames")
    #expect(checksum > 0)
    free(malloc(100))
    #expect(allocation_counter_of_this_thread() > before + count)
  }
}
