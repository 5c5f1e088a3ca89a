import LibraryTestSupport
import Safelight
import FrameCore
import Testing

@testable import LiveVideo
@testable import Rendering

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
    // In place of one without tables the compiler's thread puts another.
    #expect(try compiler.plan(for: frame(.i420)).isOptimized)
    #expect(try !compiler.plan(for: frame(.nv12)).isOptimized)
    compiler.update { $0.strength = 0.5 }
    #expect(try !compiler.plan(for: frame(.i422)).isOptimized)
  }

  @Test("lays no table out again where the level alone has changed, and frames look as without any sharing")
  func levelSteps() throws {
    // So many pixels that tables are laid out for speed.
    let size = PixelSize(width: 1040, height: 512)
    let buffer = try PixelBuffer(size: size, format: .i420, tags: Self.tags)
    for plane in buffer.planes {
      for y in 0..<plane.rows {
        let row = plane.row(y).assumingMemoryBound(to: UInt8.self)
        for x in 0..<plane.rowBytes { row[x] = UInt8(16 + (7 * x + 13 * y + x * y / 64) % 200) }
      }
    }
    let frame = Frame(buffer: buffer)
    let renderer = CPURenderer(threads: 2)
    let compiler = try LookCompiler(
      LiveLook(Recipe(filters: [Exposure(stops: 0.5), Saturation(20)]), level: 1), isLive: false,
      interpolation: .sharp, renderer: renderer, keepsSpace: { _ in false })
    defer { compiler.close() }
    var sizes: Set<PixelSize> = []
    for step in 0..<12 {
      compiler.update { $0.level = 1 + Double(step) * HorizonLevel.step }
      let prepared = try compiler.plan(for: frame).prepared
      sizes.insert(prepared.plan.outputSize)
      guard step % 6 == 5 else { continue }
      let alone = CPURenderer(threads: 2)
      let pictures = try [prepared, alone.prepare(prepared.plan)].map {
        let output = try PixelBuffer(size: prepared.plan.outputSize, format: .rgba8)
        try $0.render(buffer, into: output)
        return output
      }
      #expect(areEqual(pictures[0], pictures[1]), "step \(step)")
    }
    #expect(sizes.count == 1 && renderer.colors.made == 1)
    compiler.update { $0.strength = 0.5 }
    _ = try compiler.plan(for: frame)
    #expect(renderer.colors.made == 2, "another colour is another table")
  }
}
