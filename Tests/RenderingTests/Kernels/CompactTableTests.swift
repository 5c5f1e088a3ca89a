import PixelKernels
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  /// Tables in compact cells against tetrahedral interpolation in double precision, at each instruction set.
  @Suite("Compact tables")
  struct CompactTables {
    /// Random slopes and creases: neighbours of a node differ by up to `range` levels. One cell in about `steepEvery`
    /// has a corner of random colour, which makes it and its neighbours steep; 0: none.
    static func table(size: Int, range: Int, steepEvery: Int = 0, random: inout SeededRandom) -> BakedLUT {
      let level = BakedLUT.unit / 255
      let limit = 2 * BakedLUT.unit
      func noise() -> Int { Int(random.next() % UInt64(range * level / 2 + 1)) }
      let codes = (0..<size * size * size).flatMap { node -> [Int16] in
        let place = [node % size, node / size % size, node / (size * size)]
        return (0..<3).map { channel -> Int16 in
          if steepEvery > 0, Int.random(in: 0..<steepEvery, using: &random) == 0 {
            return Int16(truncatingIfNeeded: Int.random(in: -limit...limit, using: &random))
          }
          // Falls along one axis, and reaches beyond black and white.
          let slope = min(range * level / 2, (limit / 2) / max(1, size - 1))
          let straight = slope * place[channel] - slope * place[(channel + 1) % 3] / 4 - level
          return Int16(max(-limit, min(limit, straight + noise())))
        } + [0]
      }
      return lut(codes, size, .uniform)
    }

    /// Made once, with the levels that neighbours differ by; the last but one has steep cells.
    static let tables = {
      var random = SeededRandom(seed: 4)
      return [
        (2, 40, 0), (3, 40, 0), (17, 40, 0), (33, 12, 0), (34, 7, 0), (33, 20, 2000), (65, 5, 0),
      ].map { size, range, steepEvery in
        (table(size: size, range: range, steepEvery: steepEvery, random: &random), range)
      }
    }()

    static func lut(_ codes: [Int16], _ size: Int, _ spacing: NodeSpacing, error: Double = 0) -> BakedLUT {
      BakedLUT(
        TetrahedralTable(codes: codes, size: size, spacing: spacing),
        error: BakeError(maximum: error, mean: 0, colors: 0), stages: [], feedsTable: false)
    }

    static func kernel(_ lut: BakedLUT) -> BakedKernel { BakedKernel(lut, pixels: .max, samples: SL_U8) }

    static func apply(_ kernel: BakedKernel, _ pixels: [UInt8]) -> [UInt8] {
      var out = [UInt8](repeating: 0, count: pixels.count)
      kernel.withKernel { sl_apply_baked_lut($0, pixels, SL_U8, &out, pixels.count / 4) }
      return out
    }

    /// Records the first pixel that is farther from double precision than `tolerance` levels, or whose alpha changed.
    static func check(
      _ out: UnsafePointer<UInt8>, of pixels: UnsafePointer<UInt8>, count: Int, _ lut: BakedLUT,
      within tolerance: Double, _ comment: @autoclosure () -> String
    ) {
      for i in 0..<count {
        let exact = lut.evaluate(SIMD3((0..<3).map { pixels[4 * i + $0].value }))
        for channel in 0..<3 {
          let level = clippedCode(exact[channel] * 255, full: 255)
          if abs(Double(out[4 * i + channel]) - level) > tolerance {
            let (from, to) = (
              (0..<4).map { pixels[4 * i + $0] }, (0..<4).map { out[4 * i + $0] }
            )
            Issue.record("\(comment()): \(from) → \(to), not \(exact * 255)")
            return
          }
        }
        if out[4 * i + 3] != pixels[4 * i + 3] {
          Issue.record("\(comment()): alpha changed")
          return
        }
      }
    }

    @Test(
      "Colours are within half a level and a tenth of double precision, in steep cells too",
      arguments: InstructionSet.available)
    func tables(set: InstructionSet) {
      var random = SeededRandom(seed: 4)
      for (lut, range) in Self.tables {
        let kernel = Self.kernel(lut)
        #expect(kernel.layout == .compact, "\(lut.size)³, \(range) levels")
        set.limit {
          for n in Array(0...35) + [511, 512, 513, 1100] {
            let offset = Int(random.next() % 5)
            let source = GuardedRow<UInt8>(
              BakedTables.samples(n, UInt8.self, &random), offset: 4 * offset)
            let out = GuardedRow<UInt8>(4 * n, offset: 4 * (4 - offset))
            kernel.withKernel { sl_apply_baked_lut($0, source.pointer, SL_U8, out.pointer, n) }
            let comment = "\(set), \(lut.size)³, \(range) levels, \(n) pixels"
            if !out.isIntact { Issue.record("\(comment): written outside") }
            Self.check(out.pointer, of: source.pointer, count: n, lut, within: 0.6, comment)
          }
        }
      }
    }

    /// Greys, all levels of each channel beside other extremes, and the corners of the cube.
    static let extremes: [UInt8] = (0..<256).flatMap { (level: Int) -> [UInt8] in
      let x = UInt8(level)
      let mixed: [UInt8] = [x, x, x, 255, x, 0, 255, 0, 255, x, 0, 1, 0, 255, x, 2]
      let corner: [UInt8] = (0..<3).map { (axis: Int) -> UInt8 in level >> axis & 1 == 0 ? 0 : 255 }
      return mixed + corner + [3]
    }

    @Test("Where corners fit as they are, only half a level is rounded", arguments: InstructionSet.available)
    func exact(set: InstructionSet) {
      // Neighbours differ by 255 codes at most: by a step of the identity.
      var random = SeededRandom(seed: 12)
      let identity = (0..<33 * 33 * 33).flatMap { (node: Int) -> [Int16] in
        let place: [Int] = [node % 33, node / 33 % 33, node / (33 * 33)]
        return place.map { Int16($0 * 255) } + [0]
      }
      let gentle = Self.table(size: 17, range: 3, random: &random)
      let pixels = Self.extremes + BakedTables.samples(1000, UInt8.self, &random)
      set.limit {
        #expect(Self.apply(Self.kernel(Self.lut(identity, 33, .uniform)), pixels) == pixels, "\(set)")
        let out = Self.apply(Self.kernel(gentle), pixels)
        Self.check(out, of: pixels, count: pixels.count / 4, gentle, within: 0.501, "\(set)")
      }
    }

    @Test("A table whose error leaves no room for rounded corners has none")
    func bound() {
      let codes = [Int16](repeating: 0, count: 4 * 17 * 17 * 17)
      #expect(Self.kernel(Self.lut(codes, 17, .uniform, error: 0.92)).layout == .compact)
      #expect(Self.kernel(Self.lut(codes, 17, .uniform, error: 0.95)).layout == .tetrahedra)
    }

    @Test("All greys, all levels of each channel and the cube's corners", arguments: InstructionSet.available)
    func levels(set: InstructionSet) {
      for (lut, _) in Self.tables {
        set.limit {
          let out = Self.apply(Self.kernel(lut), Self.extremes)
          Self.check(
            out, of: Self.extremes, count: out.count / 4, lut, within: 0.6, "\(set), \(lut.size)³")
        }
      }
    }

    @Test("All instruction sets agree to the bit, wherever a row is cut")
    func agreement() throws {
      var random = SeededRandom(seed: 8)
      let kernel = Self.kernel(Self.table(size: 33, range: 30, steepEvery: 1000, random: &random))
      #expect(kernel.layout == .compact)
      let pixels = BakedTables.samples(1043, UInt8.self, &random)
      var results: [[UInt8]] = []
      for set in InstructionSet.available {
        set.limit {
          results.append(Self.apply(kernel, pixels))
          var pieces: [UInt8] = []
          var first = 0
          while first < 1043 {
            let end = min(1043, first + 1 + Int(random.next() % 20))
            pieces += Self.apply(kernel, Array(pixels[4 * first..<4 * end]))
            first = end
          }
          results.append(pieces)
        }
      }
      let first = try #require(results.first)
      #expect(results.allSatisfy { $0 == first })
    }

    @Test("A row may be its own result", arguments: InstructionSet.available)
    func inPlace(set: InstructionSet) {
      var random = SeededRandom(seed: 1)
      let kernel = Self.kernel(Self.table(size: 33, range: 30, steepEvery: 1000, random: &random))
      let pixels = BakedTables.samples(1043, UInt8.self, &random)
      set.limit {
        let row = GuardedRow<UInt8>(pixels)
        kernel.withKernel { sl_apply_baked_lut($0, row.pointer, SL_U8, row.pointer, 1043) }
        #expect(row.samples == Self.apply(kernel, pixels), "\(set)")
      }
    }

    @Test("Tables that are steep in many places, or denser near black, keep their tetrahedra")
    func others() {
      var random = SeededRandom(seed: 5)
      let steep = BakedTables.table(size: 17, spacing: .uniform, random: &random)
      #expect(Self.kernel(steep).layout == .tetrahedra)
      let gentle = Self.table(size: 17, range: 20, random: &random)
      #expect(Self.kernel(gentle).layout == .compact)
      let knee = NodeSpacing(knee: 0.125, kneePosition: 0.25)
      #expect(Self.kernel(Self.lut(gentle.nodes.codes, 17, knee)).layout == .tetrahedra)
      #expect(BakedKernel(gentle, pixels: 65_535, samples: SL_U8).layout == .nodes)
      // A line of 64 bytes ahead of 32 bytes a cell.
      #expect(sl_compact_lut_bytes(33) == 64 + 32 * 32 * 32 * 32)
      #expect(sl_compact_lut_bytes(66) == 0)
    }
  }
}
