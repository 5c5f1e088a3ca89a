import FilterGraph
import Filters
import FrameCore
import Rendering
import Testing
import Libc

@testable import VulkanRendering

/// Outputs that lie in memory with more than the plan's pixels in it.
@Suite("A frame's output", .enabled(if: TestDevice.isThere, TestDevice.absence))
struct OutputBoundsTests {
  private static let untouched: UInt8 = 0xA5
  private static let height = 21

  /// A canvas of `rowBytes` bytes a row, and a picture in its left part.
  private func canvas(_ width: Int, _ rowBytes: Int, isDMABuf: Bool = false) throws -> PixelBuffer {
    let bytes = rowBytes * Self.height
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 4096)
    memset(memory, Int32(Self.untouched), bytes)
    return try PixelBuffer(
      wrapping: [(memory, rowBytes)], size: PixelSize(width: width, height: Self.height), format: .rgba8,
      tags: .sRGB, dmaBuf: isDMABuf ? DMABuf(descriptor: -1, base: memory, bytes: bytes) : nil,
      release: { [address = UInt(bitPattern: memory)] in
        UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
      })
  }

  /// Expects the rows of `output` to be those of `expected`, and all about them to be untouched.
  private func check(_ output: PixelBuffer, _ rowBytes: Int, _ expected: PixelBuffer, _ comment: Comment) {
    let bytes = UnsafeRawBufferPointer(start: output.planes[0].base, count: rowBytes * output.height)
    let rows = expected.tightBytes
    let width = 4 * expected.width
    var wrong = 0
    for index in bytes.indices {
      let (x, y) = (index % rowBytes, index / rowBytes)
      // Padding of a buffer of its own is nobody's.
      if output.hasPadding, x >= width, y < expected.height { continue }
      let isPixel = x < width && y < expected.height
      if bytes[index] != (isPixel ? rows[y * width + x] : Self.untouched) { wrong += 1 }
    }
    #expect(wrong == 0, comment)
  }

  @Test(
    "changes nothing beside it on a wider canvas, in whatever way it comes there",
    // Rows that lie as in the device's memory, with a gap, without one, and of another length.
    arguments: [(59, 256), (64, 256), (40, 480)], [false, true])
  func canvas(shape: (width: Int, rowBytes: Int), copiesAlways: Bool) throws {
    let renderer = try TestDevice.shared(copiesAlways: copiesAlways)
    let source = try NoisePicture.make(shape.width, Self.height, .rgba8)
    let plan = try renderer.plan([Exposure(stops: 0.4)], for: source)
    let prepared = try renderer.prepare(plan)
    let expected = try renderer.frame(source, through: plan)
    let output = try canvas(shape.width, shape.rowBytes)
    // From the second time on it may be reached in place.
    for pass in 0..<3 {
      for y in 0..<output.height { memset(output.planes[0].row(y), 0, 4 * shape.width) }
      try prepared.render(source, into: output)
      check(output, shape.rowBytes, expected, "pass \(pass)")
    }
    let banded = try canvas(shape.width, shape.rowBytes)
    let picture = try prepared.picture(of: source)
    try picture.render(rows: 0..<Self.height, into: banded)
    check(banded, shape.rowBytes, expected, "rendered as rows")
    try TestDevice.expectNoComplaints()
  }

  @Test("leaves the rows below it alone", arguments: [false, true])
  func tallerBuffer(copiesAlways: Bool) throws {
    let renderer = try TestDevice.shared(copiesAlways: copiesAlways)
    for width in [59, 64] {
      let source = try NoisePicture.make(width, Self.height, .rgba8)
      let plan = try renderer.plan([Exposure(stops: 0.4)], for: source)
      let prepared = try renderer.prepare(plan)
      let expected = try renderer.frame(source, through: plan)
      let output = try PixelBuffer(size: PixelSize(width: width, height: Self.height + 9), format: .rgba8)
      let rowBytes = output.planes[0].rowBytes
      for pass in 0..<3 {
        memset(output.planes[0].base, Int32(Self.untouched), rowBytes * output.height)
        try prepared.render(source, into: output)
        check(output, rowBytes, expected, "\(width) pixels, pass \(pass)")
      }
    }
    try TestDevice.expectNoComplaints()
  }

  @Test("is copied where it has others' pixels between its rows, or is a dma-buf")
  func copies() throws {
    let renderer = try TestDevice.renderer()
    let source = try NoisePicture.make(64, Self.height, .rgba8)
    let plan = try renderer.plan([], for: source)
    let prepared = try renderer.prepare(plan)
    for output in [try canvas(64, 512), try canvas(64, 256, isDMABuf: true)] {
      for _ in 0..<3 { try prepared.render(source, into: output) }
    }
    #expect(renderer.transfers.copiedOutputs == 6)
    #expect(renderer.transfers.importedOutputs == 0)
  }
}
