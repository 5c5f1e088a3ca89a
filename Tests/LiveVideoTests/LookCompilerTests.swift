import LibraryTestSupport
import Safelight
import FrameCore
import Testing

@testable import LiveVideo

@Suite("The compiler of live looks")
struct LookCompilerTests {
  private static let size = PixelSize(width: 64, height: 48)
  private static let tags = ColorTags(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited)

  private func frame(_ format: PixelFormat) throws -> Frame {
    Frame(buffer: try PixelBuffer(size: Self.size, format: format, tags: Self.tags))
  }

  @Test("takes tables that were baked ahead into the first plan alone: live frames wait for no others")
  func tables() throws {
    let look = LiveLook(Recipe(filters: [Exposure(stops: 0.5), Saturation(20)]))
    let compiler = try LookCompiler(
      look, isLive: true, interpolation: .sharp, renderer: CPURenderer(threads: 1), keepsSpace: { _ in false }
    )
    defer { compiler.close() }
    #expect(!compiler.hasTables)
    compiler.bake(
      for: StreamFormat(
        size: Self.size, encoding: .raw(.i420), pixelFormat: .i420, tags: Self.tags, framesPerSecond: 25))
    #expect(compiler.hasTables)
    // A plan for version 0 is one without tables, in whose place the compiler's thread puts another.
    #expect(try compiler.plan(for: frame(.i420)).look == 1)
    #expect(try compiler.plan(for: frame(.nv12)).look == 0)
    compiler.update { $0.strength = 0.5 }
    #expect(try compiler.plan(for: frame(.i422)).look == 0)
  }
}
