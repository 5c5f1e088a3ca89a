import ColorScience
import PixelKernels
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  /// What bakes compute with, against the same in plain code and double precision, at each instruction set.
  @Suite("Baking")
  struct Baking {
    /// Pairs of Sharma, Wu, Dalal (2005), table 1, with the digits given there, and whether their hues are opposite:
    /// such pairs have two mean hues, between which the last digit decides.
    static let sharma: [(SIMD3<Float>, SIMD3<Float>, Double, opposite: Bool)] = [
      (SIMD3(50, 2.6772, -79.7751), SIMD3(50, 0, -82.7485), 2.0425, false),
      (SIMD3(50, 3.1571, -77.2803), SIMD3(50, 0, -82.7485), 2.8615, false),
      (SIMD3(50, -1.3802, -84.2814), SIMD3(50, 0, -82.7485), 1.0000, false),
      (SIMD3(50, 0, 0), SIMD3(50, -1, 2), 2.3669, false),
      (SIMD3(50, -1, 2), SIMD3(50, 0, 0), 2.3669, false),
      (SIMD3(50, 2.49, -0.001), SIMD3(50, -2.49, 0.0009), 7.1792, true),
      (SIMD3(50, 2.49, -0.001), SIMD3(50, -2.49, 0.0012), 7.2195, true),
      (SIMD3(50, -0.001, 2.49), SIMD3(50, 0.0011, -2.49), 4.7461, true),
      (SIMD3(50, 2.5, 0), SIMD3(50, 0, -2.5), 4.3065, false),
      (SIMD3(50, 2.5, 0), SIMD3(73, 25, -18), 27.1492, false),
      (SIMD3(50, 2.5, 0), SIMD3(56, -27, -3), 31.9030, false),
      (SIMD3(60.2574, -34.0099, 36.2677), SIMD3(60.4626, -34.1751, 39.4387), 1.2644, false),
      (SIMD3(22.7233, 20.0904, -46.6940), SIMD3(23.0331, 14.9730, -42.5619), 2.0373, false),
      (SIMD3(90.8027, -2.0831, 1.4410), SIMD3(91.1528, -1.6435, 0.0447), 1.4441, false),
      (SIMD3(6.7747, -0.2908, -2.4247), SIMD3(5.8714, -0.0985, -2.2286), 0.6377, false),
      (SIMD3(2.0776, 0.0795, -1.1350), SIMD3(0.9033, -0.0636, -0.5514), 0.9082, false),
    ]

    @Test("CIEDE2000 is that of Sharma's published pairs", arguments: InstructionSet.available)
    func published(set: InstructionSet) {
      set.limit {
        let differences = KernelEvaluator().differences(
          ColorPlanes(Self.sharma.map { $0.0 }), ColorPlanes(Self.sharma.map { $0.1 }))
        for (pair, difference) in zip(Self.sharma, differences) {
          #expect(abs(Double(difference) - pair.2) < (pair.opposite ? 0.06 : 1.5e-4), "\(set), \(pair)")
        }
      }
    }

    @Test(
      "CIEDE2000 of near colours is within 1e-4 of double precision, of greys too",
      arguments: InstructionSet.available)
    func differences(set: InstructionSet) {
      var random = SeededRandom(seed: 11)
      for count in [0, 1, 5, 16, 17, 700] {
        let labs = (0..<count).map { index -> (SIMD3<Float>, SIMD3<Float>) in
          let chroma: Float = index % 3 == 0 ? 2 : 90
          let lab = SIMD3(
            Float.random(in: 0...100, using: &random), Float.random(in: -chroma...chroma, using: &random),
            Float.random(in: -chroma...chroma, using: &random))
          let step = Float(1 + index % 4) * 0.6
          let other =
            lab
            + SIMD3(
              Float.random(in: -step...step, using: &random), Float.random(in: -step...step, using: &random),
              Float.random(in: -step...step, using: &random))
          return (index % 11 == 0 ? SIMD3(lab.x, 0, 0) : lab, index % 7 == 0 ? lab : other)
        }
        set.limit {
          let found = KernelEvaluator().differences(
            ColorPlanes(labs.map { $0.0 }), ColorPlanes(labs.map { $0.1 }))
          for (pair, difference) in zip(labs, found) {
            let exact = deltaE2000(SIMD3<Double>(pair.0), SIMD3<Double>(pair.1))
            guard exact < 5 else { continue }
            #expect(abs(Double(difference) - exact) < 1e-4, "\(set), \(pair): \(difference), not \(exact)")
          }
        }
      }
    }

    @Test("NaN has no difference", arguments: InstructionSet.available)
    func notANumber(set: InstructionSet) {
      set.limit {
        let colors = ColorPlanes([SIMD3(50, 0, 0), SIMD3(.nan, 0, 0), SIMD3(50, .nan, 0), SIMD3(50, 3, .nan)])
        let found = KernelEvaluator().differences(
          colors, ColorPlanes([SIMD3<Float>](repeating: SIMD3(50, 1, 1), count: 4)))
        #expect(!found[0].isNaN && found[1...].allSatisfy { $0.isNaN }, "\(set): \(found)")
      }
    }

    @Test("L*a*b* of encoded colours, clipped, is within 1e-3", arguments: InstructionSet.available)
    func lab(set: InstructionSet) {
      var random = SeededRandom(seed: 12)
      for space in [ColorSpace.sRGB, .adobeRGB, .displayP3] {
        let difference = ColorDifference(space: space)
        let colors = (0..<300).map { index in
          let scale: Float = index % 3 == 0 ? 0.05 : 1.3
          return SIMD3(
            Float.random(in: -0.1...1, using: &random), Float.random(in: -0.1...1, using: &random),
            Float.random(in: -0.1...1, using: &random)) * scale
        }
        set.limit {
          var labs = ColorPlanes(colors)
          KernelEvaluator().labFunction(of: space).apply(to: &labs)
          for (i, color) in colors.enumerated() {
            let apart = SIMD3<Double>(labs[i]) - difference.lab(SIMD3<Double>(color))
            #expect(max(apart.max(), -apart.min()) < 1e-3, "\(set), \(space.name), \(color): \(apart)")
          }
        }
      }
    }

    static func table(size: Int, spacing: NodeSpacing, random: inout SeededRandom) -> TetrahedralTable {
      let limit = Int16(2 * BakedLUT.unit)
      return TetrahedralTable(
        codes: (0..<4 * size * size * size).map { index in
          index % 4 == 3 ? 0 : Int16.random(in: -limit...limit, using: &random)
        }, size: size, spacing: spacing)
    }

    @Test(
      "Interpolation in single precision, inside and outside of 0…1, on nodes and between them",
      arguments: InstructionSet.available)
    func interpolation(set: InstructionSet) {
      var random = SeededRandom(seed: 13)
      for size in [2, 5, 33] {
        for spacing in [NodeSpacing.uniform, NodeSpacing(knee: 0.125, kneePosition: 0.25)] {
          for slope in [0, 0.25] {
            let table = Self.table(size: size, spacing: spacing, random: &random).extended(by: slope)
            let colors = (0..<333).map { index in
              var color = SIMD3(
                Float.random(in: -0.2...1.2, using: &random), Float.random(in: 0...1, using: &random),
                Float(random.next() % 5) / 4)
              if index % 5 == 0 { color.y = color.x }
              return color
            }
            set.limit {
              var values = ColorPlanes(colors)
              KernelEvaluator().interpolate(table, at: &values)
              for (i, color) in colors.enumerated() {
                let apart = SIMD3<Double>(values[i]) - table.evaluate(SIMD3<Double>(color))
                // A position is within 2^-23 of its cell, whose corners differ by up to 4.
                #expect(max(apart.max(), -apart.min()) < 4e-5, "\(set), \(size)³, \(color): \(apart)")
              }
            }
          }
        }
      }
    }

    @Test(
      "Nodes are the stages' values at the grid, on any number of threads",
      arguments: InstructionSet.available
    )
    func nodes(set: InstructionSet) {
      let stages: [Stage] = [
        .curve(.decode([.sRGB])),
        .matrix(Matrix3x3(rows: SIMD3(1.9, -0.5, -0.2), SIMD3(0.1, 0.8, 0.3), SIMD3(0, 0.4, 2.2))),
        .curve(.encode([.sRGB])),
      ]
      let axis = TableShape(9, NodeSpacing(knee: 0.125, kneePosition: 0.25)).axis
      let exact = ExactEvaluator().function(of: stages).nodes(along: axis)
      set.limit {
        let alone = KernelEvaluator().function(of: stages).nodes(along: axis)
        #expect(alone.count == exact.count)
        #expect(zip(alone, exact).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(set)")
        let shared = KernelEvaluator(pool: WorkerPool(threads: 3)).function(of: stages).nodes(along: axis)
        #expect(alone == shared, "\(set)")
      }
    }

    @Test("Values beyond ±2 and NaN become codes that fit", arguments: InstructionSet.available)
    func extremes(set: InstructionSet) {
      let r: [Float] = [.nan, .infinity, -.infinity, 3, -3, 1, 0.5 / 8160, 1.6 / 8160, -0.0]
      var codes = [Int16](repeating: -1, count: 4 * r.count)
      set.limit { sl_pack_nodes(r, r, r, &codes, r.count) }
      let expected: [Int16] = [0, 16_320, -16_320, 16_320, -16_320, 8160, 0, 2, 0]
      for (i, code) in expected.enumerated() {
        #expect(Array(codes[(4 * i)..<(4 * i + 4)]) == [code, code, code, 0], "\(set), \(r[i])")
      }
    }

    @Test(
      "The sharpest bends are those of plain code, at small and large tables",
      arguments: InstructionSet.available)
    func bends(set: InstructionSet) {
      var random = SeededRandom(seed: 14)
      for (size, block) in [(3, 1), (3, 4), (6, 2), (17, 4), (19, 3), (20, 2)] {
        let table = Self.table(size: size, spacing: .uniform, random: &random)
        // More than there are: both must find as many, and nearly the same ones.
        let all = size * size * size
        let expected = TableBend.sharpest(of: table, block: block, count: all)
        set.limit {
          let found = KernelEvaluator().bends(of: table, block: block, count: all)
          // Blocks whose two sharpest bends are a hair apart may choose either.
          let common = Set(found).intersection(expected).count
          #expect(found.count == expected.count, "\(set), \(size)³ in blocks of \(block)")
          #expect(common * 100 >= expected.count * 97, "\(set), \(size)³ in blocks of \(block): \(common)")
          #expect(found.first == expected.first, "\(set), \(size)³ in blocks of \(block)")
          #expect(
            Array(found.prefix(5)) == KernelEvaluator().bends(of: table, block: block, count: 5),
            "\(set), \(size)³ in blocks of \(block)")
        }
      }
    }
  }

  @Suite("Pairs of baked tables")
  struct BakedPairs {
    /// - Parameter pixels: `.max` for tables laid out for speed, 0 for plain nodes.
    static func pair(_ size: Int, slope: Double, pixels: Int, random: inout SeededRandom) -> BakedPair {
      let error = BakeError(maximum: 0, mean: 0, colors: 0)
      // Not too rough: what the first is off by, the second multiplies by its slope.
      let first = (0..<size * size * size).flatMap { node -> [Int16] in
        let place = SIMD3(node % size, node / size % size, node / (size * size))
        return (0..<3).map { Int16(place[$0] * 11_000 / (size - 1) - 1200 + Int(random.next() % 300)) } + [0]
      }
      let second = (0..<5 * 5 * 5).flatMap { node -> [Int16] in
        let place = SIMD3(node % 5, node / 5 % 5, node / 25)
        return (0..<3).map { Int16(place[($0 + 1) % 3] * 2000 + Int(random.next() % 500)) } + [0]
      }
      let spacing = size > 9 ? NodeSpacing(knee: 0.125, kneePosition: 0.25) : .uniform
      return BakedPair(
        first: BakedLUT(
          TetrahedralTable(codes: first, size: size, spacing: spacing), error: error, stages: [],
          feedsTable: true),
        second: BakedLUT(
          TetrahedralTable(codes: second, size: 5, spacing: .uniform).extended(by: slope), error: error,
          stages: [], feedsTable: false), pixels: pixels)
    }

    func compare<Sample: KernelSample>(_ pair: BakedPair, _: Sample.Type, _ set: InstructionSet) {
      for n in Array(0...40) + [511, 512, 529] {
        var random = SeededRandom(seed: UInt64(n))
        let offset = Int(random.next() % 5)
        let source = GuardedRow<Sample>(
          (0..<4 * n).map { _ in Sample.random(using: &random) }, offset: 4 * offset)
        let out = GuardedRow<UInt8>(4 * n, offset: 4 * (4 - offset))
        let planes = (0..<3).map { channel in
          (0..<n).map { UInt16((source.pointer[4 * $0 + channel].value * 65_535).rounded()) }
        }
        let planar = GuardedRow<UInt8>(4 * n, offset: 4 * offset)
        set.limit {
          pair.withKernels { first, second, slope in
            sl_apply_baked_pair(first, second, slope, source.pointer, Sample.type, out.pointer, n)
            sl_apply_baked_pair_planar(
              first, second, slope, planes[0], planes[1], planes[2], planar.pointer, n)
          }
        }
        let comment = "\(set), \(Sample.self), \(n) pixels, slope \(pair.second.slopeOutside)"
        if !out.isIntact || !planar.isIntact { Issue.record("\(comment): written outside") }
        for i in 0..<n {
          let color = SIMD3((0..<3).map { source.pointer[4 * i + $0].value })
          let read = pair.first.evaluate(color)
          // What bakes count on: the second table reads what the first makes, off by no more than this.
          let rounding = TableTrial.roundingBetweenTables
          let values = (0..<27).map { place -> SIMD3<Double> in
            let shift = SIMD3<Double>(SIMD3(place % 3, place / 3 % 3, place / 9) &- 1)
            return pair.second.evaluate(read + rounding * shift)
          }
          for channel in 0..<3 {
            let codes = values.map { clippedCode($0[channel] * 255, full: 255) }
            // Half a code, and what the second table rounds as every table does.
            let (low, high) = ((codes.min() ?? 0) - 0.6, (codes.max() ?? 0) + 0.6)
            for row in [out, planar] where !(low...high ~= Double(row.pointer[4 * i + channel])) {
              Issue.record("\(comment): \(color) → \(row.pointer[4 * i + channel]), not in \(low)…\(high)")
              return
            }
          }
          let alpha = (source.pointer[4 * i + 3].value * 255).rounded()
          if Double(out.pointer[4 * i + 3]) != alpha || planar.pointer[4 * i + 3] != 255 {
            Issue.record("\(comment): alpha \(source.pointer[4 * i + 3])")
            return
          }
        }
      }
    }

    @Test(
      "The second reads what the first makes, unrounded, and goes on outside 0…1 by its slope",
      arguments: InstructionSet.available)
    func pairs(set: InstructionSet) {
      var random = SeededRandom(seed: 15)
      for (size, slope) in [(2, 0), (9, 0.1), (17, 1)] as [(Int, Double)] {
        for pixels in [0, .max] {
          let pair = Self.pair(size, slope: slope, pixels: pixels, random: &random)
          compare(pair, UInt8.self, set)
          compare(pair, UInt16.self, set)
        }
      }
    }
  }
}
