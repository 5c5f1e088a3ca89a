import PixelKernels
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  /// Baked tables against tetrahedral interpolation in double precision, at each instruction set, laid out in cells
  /// where they are small enough and node by node.
  @Suite("Baked tables")
  struct BakedTables {
    static let spacings = [NodeSpacing.uniform, NodeSpacing(knee: 0.125, kneePosition: 0.25)]

    /// Random nodes, among them the largest and smallest that there are.
    static func table(size: Int, spacing: NodeSpacing, random: inout SeededRandom) -> BakedLUT {
      let limit = Int16(2 * BakedLUT.unit)
      let codes = (0..<4 * size * size * size).map { index -> Int16 in
        guard index % 4 < 3 else { return 0 }
        return random.next() % 8 == 0
          ? (random.next() % 2 == 0 ? limit : -limit) : Int16.random(in: -limit...limit, using: &random)
      }
      return BakedLUT(
        TetrahedralTable(codes: codes, size: size, spacing: spacing),
        error: BakeError(maximum: 0, mean: 0, colors: 0), stages: [], feedsTable: false)
    }

    /// Made once, and of cheap noise: it has two million nodes.
    static let largestTable = {
      let limit = 2 * BakedLUT.unit
      let codes = [Int16](unsafeUninitializedCapacity: 4 * 129 * 129 * 129) { codes, count in
        var noise: UInt32 = 1
        for i in codes.indices {
          noise = noise &* 1_664_525 &+ 1_013_904_223
          codes[i] = i & 3 == 3 ? 0 : Int16(Int(noise >> 8) % (2 * limit + 1) - limit)
        }
        count = codes.count
      }
      return BakedLUT(
        TetrahedralTable(codes: codes, size: 129, spacing: .uniform),
        error: BakeError(maximum: 0, mean: 0, colors: 0), stages: [], feedsTable: false)
    }()

    /// A table in the kernels' terms, with and, where there is such a form, without cells.
    static func kernels(_ lut: BakedLUT) -> [BakedKernel] {
      let plain = BakedKernel(lut, pixels: 0, samples: SL_U16)
      let prepared = BakedKernel(lut, pixels: .max, samples: SL_U16)
      return prepared.layout == .tetrahedra ? [plain, prepared] : [plain]
    }

    /// Random colours, greys and extremes, `n` pixels of RGBA.
    static func samples<Sample: KernelSample>(_ n: Int, _: Sample.Type, _ random: inout SeededRandom)
      -> [Sample]
    {
      (0..<n).flatMap { _ -> [Sample] in
        let one = Sample.random(using: &random)
        return (0..<4).map { channel in
          channel > 0 && random.next() % 4 == 0 ? one : Sample.random(using: &random)
        }
      }
    }

    /// What `color` must become in a channel, ± what the kernels round.
    static func isRight(_ code: UInt8, _ exact: Double) -> Bool {
      // Half a code, and what Q15 fractions can be off on each axis where nodes differ by four units.
      abs(Double(code) - clippedCode(exact * 255, full: 255)) <= 0.5 + 0.1
    }

    func compare<Sample: KernelSample>(_ lut: BakedLUT, _: Sample.Type, _ set: InstructionSet) {
      let kernels = Self.kernels(lut)
      set.limit {
        for n in Array(0...70) + [511, 512, 513, 1100] {
          var random = SeededRandom(seed: UInt64(n))
          let offset = Int(random.next() % 5)
          let source = GuardedRow<Sample>(Self.samples(n, Sample.self, &random), offset: 4 * offset)
          let outputs = kernels.map { kernel in
            let out = GuardedRow<UInt8>(4 * n, offset: 4 * (4 - offset))
            kernel.withKernel { sl_apply_baked_lut($0, source.pointer, Sample.type, out.pointer, n) }
            return out
          }
          let comment = "\(set), \(lut.size)³, knee \(lut.spacing.knee), \(Sample.self), \(n) pixels"
          for out in outputs {
            if !out.isIntact { Issue.record("\(comment): written outside") }
            if out.samples != outputs[0].samples { Issue.record("\(comment): cells and nodes differ") }
          }
          for i in 0..<n {
            let color = SIMD3((0..<3).map { source.pointer[4 * i + $0].value })
            let exact = lut.evaluate(color)
            let pixel = (0..<4).map { outputs[0].pointer[4 * i + $0] }
            for channel in 0..<3 where !Self.isRight(pixel[channel], exact[channel]) {
              Issue.record("\(comment): \(color) → \(pixel), not \(exact * 255)")
              return
            }
            let alpha = (source.pointer[4 * i + 3].value * 255).rounded()
            if Double(pixel[3]) != alpha {
              Issue.record("\(comment): alpha \(source.pointer[4 * i + 3]) → \(pixel[3]), not \(alpha)")
              return
            }
          }
        }
      }
    }

    @Test(
      "Tables of 2 to 65 nodes, uniform and denser near black, from 8 and 16 bit",
      arguments: InstructionSet.available)
    func tables(set: InstructionSet) {
      var random = SeededRandom(seed: 9)
      for size in [2, 3, 17, 33, 34, 65] {
        for spacing in Self.spacings {
          let lut = Self.table(size: size, spacing: spacing, random: &random)
          compare(lut, UInt8.self, set)
          compare(lut, UInt16.self, set)
        }
      }
    }

    @Test("The largest table, of 129 nodes", arguments: InstructionSet.available)
    func largest(set: InstructionSet) {
      compare(Self.largestTable, UInt8.self, set)
      compare(Self.largestTable, UInt16.self, set)
    }

    @Test("All 256 greys and all levels of each channel", arguments: InstructionSet.available)
    func levels(set: InstructionSet) {
      var random = SeededRandom(seed: 2)
      for spacing in Self.spacings {
        let lut = Self.table(size: 33, spacing: spacing, random: &random)
        let pixels = (0..<256).flatMap { level -> [UInt8] in
          let x = UInt8(level)
          return [x, x, x, 255, x, 0, 255, 0, 255, x, 0, 1, 0, 255, x, 2]
        }
        set.limit {
          for kernel in Self.kernels(lut) {
            var out = [UInt8](repeating: 0, count: pixels.count)
            kernel.withKernel { sl_apply_baked_lut($0, pixels, SL_U8, &out, pixels.count / 4) }
            for i in stride(from: 0, to: pixels.count, by: 4) {
              let exact = lut.evaluate(SIMD3((0..<3).map { pixels[i + $0].value }))
              for channel in 0..<3 where !Self.isRight(out[i + channel], exact[channel]) {
                Issue.record(
                  "\(set), knee \(spacing.knee): \(pixels[i..<i + 3]) → \(out[i..<i + 3]), not \(exact * 255)"
                )
                return
              }
            }
          }
        }
      }
    }

    @Test("Planes of 16 bit become what interleaved pixels do", arguments: InstructionSet.available)
    func planes(set: InstructionSet) {
      var random = SeededRandom(seed: 6)
      for size in [33, 65] {
        let lut = Self.table(size: size, spacing: .uniform, random: &random)
        for n in [0, 1, 15, 16, 17, 33, 513, 1041] {
          var pixels = Self.samples(n, UInt16.self, &random)
          for i in 0..<n { pixels[4 * i + 3] = .max }
          let planes = (0..<3).map { channel in
            GuardedRow<UInt16>((0..<n).map { pixels[4 * $0 + channel] }, offset: 1)
          }
          set.limit {
            for kernel in Self.kernels(lut) {
              var interleaved = [UInt8](repeating: 0, count: 4 * n)
              let out = GuardedRow<UInt8>(4 * n, offset: 4)
              kernel.withKernel {
                sl_apply_baked_lut($0, pixels, SL_U16, &interleaved, n)
                sl_apply_baked_lut_planar(
                  $0, planes[0].pointer, planes[1].pointer, planes[2].pointer, out.pointer, n)
              }
              #expect(out.isIntact && out.samples == interleaved, "\(set), \(size)³, \(n) pixels")
            }
          }
        }
      }
    }

    @Test("All instruction sets agree to the bit", arguments: spacings)
    func agreement(spacing: NodeSpacing) throws {
      var random = SeededRandom(seed: 8)
      let lut = Self.table(size: 33, spacing: spacing, random: &random)
      let pixels = Self.samples(4099, UInt8.self, &random)
      var results: [[UInt8]] = []
      for set in InstructionSet.available {
        set.limit {
          var out = [UInt8](repeating: 0, count: pixels.count)
          BakedKernel(lut, pixels: .max, samples: SL_U16).withKernel {
            sl_apply_baked_lut($0, pixels, SL_U8, &out, 4099)
          }
          results.append(out)
        }
      }
      let first = try #require(results.first)
      #expect(results.allSatisfy { $0 == first })
    }

    @Test("A row may be its own result", arguments: InstructionSet.available)
    func inPlace(set: InstructionSet) {
      var random = SeededRandom(seed: 1)
      let lut = Self.table(size: 33, spacing: .uniform, random: &random)
      let pixels = Self.samples(1043, UInt8.self, &random)
      set.limit {
        for kernel in Self.kernels(lut) {
          var out = [UInt8](repeating: 0, count: pixels.count)
          kernel.withKernel { sl_apply_baked_lut($0, pixels, SL_U8, &out, 1043) }
          let row = GuardedRow<UInt8>(pixels)
          kernel.withKernel { sl_apply_baked_lut($0, row.pointer, SL_U8, row.pointer, 1043) }
          #expect(row.samples == out, "\(set)")
        }
      }
    }

    @Test("16 bit alpha becomes the nearest of 8 bit", arguments: InstructionSet.available)
    func alpha(set: InstructionSet) {
      var random = SeededRandom(seed: 3)
      let lut = Self.table(size: 2, spacing: .uniform, random: &random)
      var pixels = [UInt16](repeating: 0, count: 4 * 65_536)
      for code in 0..<65_536 { pixels[4 * code + 3] = UInt16(code) }
      var out = [UInt8](repeating: 0, count: pixels.count)
      set.limit {
        BakedKernel(lut, pixels: 0, samples: SL_U16).withKernel {
          sl_apply_baked_lut($0, pixels, SL_U16, &out, 65_536)
        }
      }
      let wrong = (0..<65_536).filter { code in Int(out[4 * code + 3]) != (code + 128) / 257 }
      #expect(wrong.isEmpty, "\(set): \(wrong)")
    }

    @Test("Only tables of large pictures are laid out in cells, and only where those stay small")
    func memory() {
      var random = SeededRandom(seed: 5)
      let lut = Self.table(size: 33, spacing: .uniform, random: &random)
      let fewest = BakedKernel.fewestPixels(lut)
      #expect(BakedKernel(lut, pixels: fewest - 1, samples: SL_U16).layout == .nodes)
      #expect(BakedKernel(lut, pixels: fewest, samples: SL_U16).layout == .tetrahedra)
      // Six tetrahedra of 32 bytes a cell, and four bytes for each of 256 samples.
      #expect(sl_prepared_lut_bytes(33) == 1024 + 32 * 32 * 32 * 6 * 32)
      #expect(sl_prepared_lut_bytes(49) == 0)
    }
  }
}
