import FilterGraph
import Filters
import FrameCore
import LibraryTestSupport
import Rendering
import Testing

@testable import Editing

/// What an eyedropper finds: independent of it, the picture is rendered with the balance and looked at.
@Suite("A place that is made grey")
struct GreyPointTests {
  /// Grey at the left, orange in the middle, white that is blown out and black at the right; upright or stored lying.
  private func photo(cast: SIMD3<Double>, _ orientation: Orientation = .up) throws -> (Scratch, String) {
    let scratch = try Scratch()
    let buffer = try picture(90, 60) { x, y in
      let grey = x < 30 ? SIMD3(repeating: 0.5) * cast : x < 60 ? SIMD3(0.8, 0.3, 0.05) : .one
      let color = x >= 60 && y >= 30 ? SIMD3<Double>.zero : grey
      return (0..<3).map { Int((min(color[$0], 1) * 65_535).rounded()) } + [65_535]
    }
    try scratch.save(buffer, as: "a.png")
    return (scratch, scratch("a.png"))
  }

  @Test(
    "is grey when the balance is applied, under warm, cool, greenish and pinkish light",
    arguments: [SIMD3(1.15, 1, 0.7), SIMD3(0.85, 1, 1.2), SIMD3(1, 1.06, 0.95), SIMD3(1.08, 0.96, 1.06)])
  func balances(cast: SIMD3<Double>) throws {
    let (scratch, path) = try photo(cast: cast)
    let sample = try PhotoSample(contentsOf: path)
    let found = try GreyPoint(at: SIMD2(0.15, 0.5), in: sample)
    let balance = try #require(found.whiteBalance, "\(found.summary)")
    let renderer = CPURenderer(threads: 1)
    let plan = try renderer.plan(
      Recipe(filters: [balance]), input: try PlanInput(sample.buffer), output: PlanOutput(format: .rgba16))
    let row = try renderer.render(sample.buffer, through: plan).row(30, as: UInt16.self)
    let channels = (0..<3).map { Double(row[4 * 10 + $0]) / 65_535 }
    #expect(channels.max()! - channels.min()! < 0.012, "\(balance): \(channels)")
    withExtendedLifetime(scratch) {}
  }

  @Test("is left as it is where nothing can be told, and the sentence says what to choose instead")
  func abstains() throws {
    let (scratch, path) = try photo(cast: .one)
    let sample = try PhotoSample(contentsOf: path)
    func summary(_ x: Double, _ y: Double) throws -> String {
      let found = try GreyPoint(at: SIMD2(x, y), in: sample)
      #expect(found.whiteBalance == nil)
      return found.summary
    }
    #expect(try summary(0.85, 0.2).hasPrefix("too bright there"))
    #expect(try summary(0.85, 0.8).hasPrefix("too dark there"))
    #expect(try summary(0.5, 0.5).hasPrefix("no light makes that colour grey"))
    // Beyond the edges the nearest place is meant.
    #expect(try GreyPoint(at: SIMD2(-3, 0.5), in: sample).whiteBalance == WhiteBalance())
    withExtendedLifetime(scratch) {}
  }

  @Test("is a place of the photo as displayed, however it is stored")
  func orientations() throws {
    let (scratch, path) = try photo(cast: SIMD3(1.15, 1, 0.7))
    let upright = try GreyPoint(at: SIMD2(0.15, 0.5), in: PhotoSample(contentsOf: path))
    let buffer = try PhotoSample(contentsOf: path).buffer
    // Stored so that a quarter turn clockwise displays it: what is at the left is shown at the top.
    let frame = Frame(buffer: buffer, orientation: .right)
    let turned = try GreyPoint(at: SIMD2(0.5, 0.15), in: PhotoSample(frame, named: "frame"))
    #expect(turned.whiteBalance == upright.whiteBalance && upright.whiteBalance != nil)
    withExtendedLifetime(scratch) {}
  }
}
