import ColorScience
import FrameCore
import Libc
import PixelKernels
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  /// Fields against their definition in double precision, at each instruction set.
  @Suite("Fields")
  struct Fields {
    static let source = PixelSize(width: 1200, height: 90)

    /// From pixels of a row to pixels as stored: in place, mirrored, enlarged and turned.
    static let maps: [AffineMap] = {
      let turn = (cos(0.1), sin(0.1))
      return [
        .identity, AffineMap(a: -1, b: 0, c: 1200, d: 0, e: 1, f: 0), .scale(0.2, 0.2),
        AffineMap(a: turn.0, b: -turn.1, c: 5, d: turn.1, e: turn.0, f: -20),
      ]
    }()

    /// Highlights, shadows, clarity, a vignette and grain, on samples encoded as sRGB.
    private func stage(_ map: AffineMap, of source: PixelSize) -> Stage {
      let local = LocalLight(highlights: -0.8, shadows: 0.9, clarity: 0.7, source: source, map: map)
      let falloff = LightFalloff(amount: -0.4, midpoint: 0.3, feather: 0.6, roundness: -0.2, frame: source)
      let grain = FilmGrain(amount: 0.3, size: 0.3, roughness: 0.5, seed: 9)
      return .field(
        Field(local: local, falloff: falloff, grain: grain.placed(on: source)), encoding: [.sRGB])
    }

    private func grid(of source: PixelSize) -> LightGrid {
      let size = LightGrid.size(for: source)
      var random = SeededRandom(seed: 77)
      return ReferenceLight.grid(
        of: (0..<size.pixelCount).map { _ in Double.random(in: -8...2, using: &random) }, size: size)
    }

    /// Calls `body` with codes of 16 bits and what the field makes of them, for rows of several lengths.
    private func rows(
      _ map: AffineMap, of source: PixelSize,
      _ body: (Stage, UnsafePointer<sl_light_grid>, (x: Int, y: Int), [[UInt16]], [SIMD3<Double>]) -> Void
    ) throws {
      let (stage, grid) = (stage(map, of: source), grid(of: source))
      let toGrid = try #require(stage.localLight).toGrid
      grid.nodes.withUnsafeBufferPointer { nodes in
        var kernel = sl_light_grid()
        kernel.nodes = nodes.baseAddress
        (kernel.width, kernel.height) = (Int32(grid.size.width), Int32(grid.size.height))
        kernel.map = toGrid.six
        for (n, x) in [(1, 0), (7, 3), (16, 1190), (33, 500), (1024, 1), (1050, 0)] {
          var random = SeededRandom(seed: UInt64(n))
          let codes = (0..<3).map { _ in (0..<n).map { _ in UInt16(random.next() % 65_536) } }
          let y = Int(random.next() % 90)
          let exact = (0..<n).map { i in
            stage.evaluate(
              SIMD3((0..<3).map { Double(codes[$0][i]) / 65_535 }),
              at: (Double(x + i) + 0.5, Double(y) + 0.5), in: grid)
          }
          body(stage, &kernel, (x, y), codes, exact)
        }
      }
    }

    @Test("Any place in any grid", arguments: InstructionSet.available, maps)
    func exact(set: InstructionSet, map: AffineMap) throws {
      // The second has as many nodes as pixels, the third a single column of them.
      for source in [Self.source, PixelSize(width: 200, height: 90), PixelSize(width: 1, height: 90)] {
        try rows(map, of: source) { stage, grid, place, codes, exact in
          let planes = codes.map { GuardedRow<Float>($0.map { Float($0) / 65_535 }) }
          let kernels = KernelStages([stage])
          set.limit {
            kernels.run(
              planes[0].pointer, planes[1].pointer, planes[2].pointer, count: exact.count, at: place,
              in: sl_places(grids: grid, to_stored: nil))
          }
          let worst = (0..<exact.count).flatMap { i in
            (0..<3).map { abs(Double(planes[$0].pointer[i]) - exact[i][$0]) }
          }.max()
          #expect(worst ?? 1 < 1e-3 && planes.allSatisfy(\.isIntact), "\(set), \(source), \(exact.count)")
        }
      }
    }

    @Test("Rows of codes, within a code of 8 bits", arguments: InstructionSet.available, maps)
    func codes(set: InstructionSet, map: AffineMap) throws {
      try rows(map, of: Self.source) { stage, grid, place, codes, exact in
        let planes = codes.map { GuardedRow<UInt16>($0) }
        guard let rows = LightRows([stage, .matrix(.diagonal(SIMD3(repeating: 0.5)))]) else {
          Issue.record("no kernel for rows")
          return
        }
        set.limit {
          sl_multiply_light(
            rows.kernel, grid, Int32(place.x), Int32(place.y), planes[0].pointer, planes[1].pointer,
            planes[2].pointer, exact.count)
        }
        let worst = (0..<exact.count).flatMap { i -> [Double] in
          (0..<3).map { channel -> Double in
            let expected: Double = min(0.5 * exact[i][channel], 1)
            return abs(Double(planes[channel].pointer[i]) / 65_535 - expected)
          }
        }.max()
        #expect(worst ?? 1 < 0.5 / 255 && planes.allSatisfy(\.isIntact), "\(set), \(exact.count)")
      }
    }
  }
}
