import Filters
import FrameCore
import Synchronization
import TestSupport
import Testing

@testable import FilterGraph

/// Shapes that are drawn once for many plans.
@Suite("Shapes of masks that are kept")
struct MaskShapeCacheTests {
  private static let picture = PixelSize(width: 1200, height: 800)

  private func dot(_ x: Double) -> Mask { .brush([BrushStroke([MaskPoint(x, 0.5)], radius: 0.1)]) }

  @Test("A mask is drawn once for each size of picture")
  func once() {
    let cache = MaskShapeCache(mostBytes: 16 << 20)
    let first = cache.shape(of: dot(0.2), for: Self.picture)
    #expect(cache.shape(of: dot(0.2), for: Self.picture) === first)
    let moved = cache.shape(of: dot(0.3), for: Self.picture)
    #expect(moved !== first && moved != first)
    let narrow = cache.shape(of: dot(0.2), for: PixelSize(width: 1200, height: 700))
    #expect(narrow !== first && narrow.size != first.size)
    #expect(cache.count == 3)
    let raster = MaskRaster(dot(0.2), for: Self.picture)
    #expect(first == MaskShape(size: raster.size, raster.values))
  }

  @Test("The shapes used longest ago go first, and never more is kept than allowed")
  func bound() {
    // Each has 1024 × 683 nodes.
    let cache = MaskShapeCache(mostBytes: 2_200_000)
    let shapes = (0..<3).map { cache.shape(of: dot(Double($0) / 10), for: Self.picture) }
    #expect(cache.shape(of: dot(0), for: Self.picture) === shapes[0])
    _ = cache.shape(of: dot(0.7), for: Self.picture)
    #expect(cache.count == 3)
    #expect(cache.shape(of: dot(0), for: Self.picture) === shapes[0])
    #expect(cache.shape(of: dot(0.1), for: Self.picture) !== shapes[1])
    // One that is larger than all that is allowed.
    let tiny = MaskShapeCache(mostBytes: 1)
    let shape = tiny.shape(of: dot(0.2), for: Self.picture)
    #expect(tiny.shape(of: dot(0.2), for: Self.picture) === shape && tiny.count == 1)
  }

  @Test("Another slider draws no mask again")
  func plans() throws {
    func shape(_ stops: Float, _ mask: Mask) throws -> MaskShape {
      let group = Group(mask) { Exposure(stops: stops) }
      return try #require(GroupTests.groups(try GroupTests.plan([group])).first?.mask.shapes.first)
    }
    let mask = Mask.feather(dot(0.37), radius: 0.02)
    let first = try shape(1, mask)
    #expect(try shape(-0.5, mask) === first)
    #expect(try shape(-0.5, .feather(dot(0.37), radius: 0.03)) !== first)
  }

  @Test("Threads that ask at once get equal shapes")
  func threads() async {
    let cache = MaskShapeCache(mostBytes: 3_000_000)
    let shapes = await withTaskGroup(of: (Int, MaskShape).self) { group in
      for index in 0..<40 {
        group.addTask { (index % 5, cache.shape(of: dot(Double(index % 5) / 5), for: Self.picture)) }
      }
      var shapes: [Int: [MaskShape]] = [:]
      for await (mask, shape) in group { shapes[mask, default: []].append(shape) }
      return shapes
    }
    for (mask, shapes) in shapes {
      let raster = MaskRaster(dot(Double(mask) / 5), for: Self.picture)
      let expected = MaskShape(size: raster.size, raster.values)
      #expect(shapes.count == 8 && shapes.allSatisfy { $0 == expected })
    }
    #expect(cache.count <= 4)
  }
}
