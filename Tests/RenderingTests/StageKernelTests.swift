import ColorScience
import PixelKernels
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  /// The exact colour stages against their definitions in double precision, at each instruction set.
  @Suite("Exact stages")
  struct ExactStages {
    /// Rows of `values` through the kernels, lengths 0 to 70 and some beyond a block of 1024, at odd places.
    ///
    /// - Parameter tolerance: of a channel, for the exact colour.
    func compare(
      _ stages: [Stage], _ set: InstructionSet, values: (inout SeededRandom) -> Float,
      tolerance: (SIMD3<Double>) -> Double
    ) {
      let kernel = KernelStages(stages)
      set.limit {
        for n in Array(0...70) + [1023, 1024, 1025, 1100] {
          var random = SeededRandom(seed: UInt64(n))
          let planes = (0..<3).map { channel in
            GuardedRow<Float>((0..<n).map { _ in values(&random) }, offset: Int(random.next() % 5))
          }
          let before = planes.map(\.samples)
          kernel.run(planes[0].pointer, planes[1].pointer, planes[2].pointer, count: n)
          for plane in planes where !plane.isIntact {
            Issue.record("\(set), \(n) pixels: written outside, \(stages)")
          }
          for i in 0..<n {
            let color = SIMD3<Double>(Double(before[0][i]), Double(before[1][i]), Double(before[2][i]))
            let exact = stages.reduce(color) { $1.evaluate($0) }
            let allowed = tolerance(exact)
            for channel in 0..<3 {
              let out = Double(planes[channel].pointer[i])
              if !isClose(out, exact[channel], within: allowed) {
                Issue.record(
                  "\(set), \(n) pixels, \(color) → \(out) in channel \(channel), not \(exact), \(stages)")
                return
              }
            }
          }
        }
      }
    }

    static func scale(_ color: SIMD3<Double>) -> Double { max(1, color.max(), -color.min()) }

    @Test("Matrices", arguments: InstructionSet.allCases)
    func matrix(set: InstructionSet) {
      let matrix = Matrix3x3(rows: SIMD3(1.5, -0.25, 0.125), SIMD3(0, 2, -3), SIMD3(0.1, 0.2, 0.3))
      // Sums of values up to 1e6 may cancel.
      compare([.matrix(matrix)], set) {
        $0.next() % 8 == 0 ? 1e6 : Float.random(in: -1...2, using: &$0)
      } tolerance: {
        _ in
        1
      }
      compare([.matrix(matrix)], set) {
        $0.next() % 8 == 0 ? 0 : Float.random(in: -1...2, using: &$0)
      } tolerance: {
        _ in
        2e-6
      }
    }

    static let curves: [Curve] = [
      .decode([.sRGB]), .encode([.sRGB]), .decode([.bt709]), .encode([.bt709]), .decode([.gamma(2.2)]),
      .encode([.gamma(2.2)]), .decode([.linear]), .power(exponent: 2, pivot: 0.18),
      .power(exponent: 0.5, pivot: 0.18),
    ]

    @Test(
      "Parametric curves, from shadows far below black to highlights far above white",
      arguments: InstructionSet.allCases)
    func parametric(set: InstructionSet) {
      for curve in Self.curves {
        compare([.curve(curve)], set) { random in
          switch random.next() % 8 {
          case 0: [0, -0.0, 1, -1, 0.04045, 0.0031308, 1e-6, 0.5][Int(random.next() % 8)]
          case 1: Float.random(in: -100...100, using: &random)
          default: Float.random(in: -0.2...1.5, using: &random)
          }
        } tolerance: {
          // |y·ln x| · 2^-23 of the result, and the step of sRGB's curves between their pieces.
          4e-6 * Self.scale($0)
        }
      }
    }

    @Test("Zero stays zero and signs are kept", arguments: InstructionSet.allCases)
    func zero(set: InstructionSet) {
      set.limit {
        for curve in Self.curves {
          var (r, g, b): (Float, Float, Float) = (0, 0.3, -0.3)
          KernelStages([.curve(curve)]).run(&r, &g, &b, count: 1)
          #expect(r == 0 && g == -b && g > 0, "\(set), \(curve)")
        }
      }
    }

    @Test("Curves that differ by channel are sampled densely enough", arguments: InstructionSet.allCases)
    func sampled(set: InstructionSet) {
      let functions: [TransferFunction] = [.sRGB, .gamma(1.8), .bt709]
      for curve in [Curve.decode(functions), .encode(functions)] {
        compare([.curve(curve)], set) {
          $0.next() % 8 == 0 ? Float($0.next() % 2) : Float.random(in: -1...1, using: &$0)
        } tolerance: {
          _ in
          2e-5
        }
      }
    }

    @Test("OKLab chroma", arguments: InstructionSet.allCases)
    func oklab(set: InstructionSet) {
      for chroma in [0, 0.5, 1.7] {
        compare([.pointwise(.oklabChroma(chroma: chroma, space: .linearRec2020))], set) {
          $0.next() % 6 == 0 ? Float($0.next() % 2) : Float.random(in: -0.3...3, using: &$0)
        } tolerance: {
          2e-5 * Self.scale($0)
        }
      }
    }

    @Test("Tone by regions, from black to far beyond white", arguments: InstructionSet.allCases)
    func tone(set: InstructionSet) {
      for curve in [
        ToneCurve(highlights: -1, shadows: 1, whites: 0.5, blacks: -1),
        ToneCurve(highlights: 1, shadows: -1, whites: -1, blacks: 1),
      ] {
        compare([.pointwise(.tone(curve))], set) { random in
          switch random.next() % 8 {
          case 0: [0, -0.0, 1, 1e-6, 1e-13, 1e-20, 64, 0.18][Int(random.next() % 8)]
          case 1: Float.random(in: -100...100, using: &random)
          case 2: Float.random(in: 0...0.01, using: &random)
          default: Float.random(in: -0.2...1.5, using: &random)
          }
        } tolerance: {
          5e-5 * Self.scale($0)
        }
      }
    }

    @Test(
      "Tables of files: shaper, cube and both, inside and outside their domain",
      arguments: InstructionSet.allCases)
    func lookup(set: InstructionSet) throws {
      var random = SeededRandom(seed: 5)
      func color() -> SIMD3<Float> { SIMD3<Float>(SIMD3<Double>.random(in: -0.5...1.5, using: &random)) }
      let low = SIMD3<Float>(-0.1, 0, 0.2)
      let high = SIMD3<Float>(1.1, 1, 0.9)
      for (samples, size) in [(2, 0), (33, 0), (0, 2), (0, 9), (17, 5)] {
        let shaper =
          samples == 0
          ? nil : try LUT1D(samples: (0..<samples).map { _ in color() }, domainMin: low, domainMax: high)
        let cube =
          size == 0
          ? nil
          : try LUT3D(
            size: size, nodes: (0..<size * size * size).map { _ in color() }, domainMin: low, domainMax: high)
        for strength in [1, 0.3] {
          let stage = LookupStage(
            lut: ColorLUT(shaper: shaper, cube: cube), strength: strength, name: "random")
          compare([.lut(stage)], set) {
            $0.next() % 8 == 0 ? [-3, 0, 1, 7][Int($0.next() % 4)] : Float.random(in: -0.3...1.4, using: &$0)
          } tolerance: { _ in
            // Neighbouring samples differ by up to 2 over 1/17 of the domain, and shaper and cube multiply.
            2e-4
          }
        }
      }
    }

    @Test("Chains run in order", arguments: InstructionSet.allCases)
    func chain(set: InstructionSet) {
      let stages: [Stage] = [
        .curve(.decode([.sRGB])), .matrix(ColorSpace.sRGB.matrix(to: .rec2020)),
        .curve(.power(exponent: 1.3, pivot: 0.18)),
        .pointwise(.oklabChroma(chroma: 1.2, space: .linearRec2020)),
        .matrix(ColorSpace.rec2020.matrix(to: .sRGB)), .curve(.encode([.sRGB])),
      ]
      compare(stages, set) {
        Float.random(in: 0...1, using: &$0)
      } tolerance: {
        // Near black the power and the encoding divide small differences of large sums: see FACTS of 8-bit output.
        1e-3 * Self.scale($0)
      }
    }

    @Test(
      "Samples that are not numbers or infinite read nothing outside tables",
      arguments: InstructionSet.allCases)
    func notANumber(set: InstructionSet) throws {
      let ramp: [SIMD3<Float>] = [SIMD3(repeating: 0), SIMD3(repeating: 0.5), SIMD3(repeating: 1)]
      let cube = try LUT3D(size: 2, nodes: (0..<8).map { SIMD3(repeating: Float($0) / 8) })
      let lookup = LookupStage(
        lut: ColorLUT(shaper: try LUT1D(samples: ramp), cube: cube), strength: 1, name: "")
      let functions: [TransferFunction] = [.sRGB, .gamma(1.8), .bt709]
      set.limit {
        let tone = Stage.pointwise(.tone(ToneCurve(shadows: 1, blacks: 1)))
        for stage in [Stage.lut(lookup), tone, .curve(.decode(functions)), .curve(.encode(functions))] {
          let planes = (0..<3).map { _ in
            GuardedRow<Float>([.nan, .infinity, -.infinity, 1e38, -1e38, 0.25, 1e20])
          }
          KernelStages([stage]).run(planes[0].pointer, planes[1].pointer, planes[2].pointer, count: 7)
          let exact = stage.evaluate(SIMD3(repeating: 0.25))
          for channel in 0..<3 {
            #expect(
              isClose(Double(planes[channel].pointer[5]), exact[channel], within: 1e-5), "\(set), \(stage)")
          }
          if case .lut = stage {
            // Infinities are clipped to the domain.
            let high = Double(planes[0].pointer[1])
            let low = Double(planes[0].pointer[2])
            #expect(high.isNaN || high == 7.0 / 8, "\(set)")
            #expect(low.isNaN || low == 0, "\(set)")
          }
        }
      }
    }
  }

  @Suite("Baked tables")
  struct BakedTables {
    /// Random nodes, or the identity, at all sizes the baker and its users may choose.
    static func table(size: Int, spacing: NodeSpacing, random: inout SeededRandom) -> BakedLUT {
      let limit = Int16(2 * BakedLUT.unit)
      let codes = (0..<4 * size * size * size).map { index in
        index % 4 == 3 ? 0 : Int16.random(in: -limit...limit, using: &random)
      }
      return BakedLUT(
        TetrahedralTable(codes: codes, size: size, spacing: spacing),
        proof: BakeProof(maximum: 0, mean: 0, colors: 0), stages: [], feedsTable: false)
    }

    func compare<Sample: KernelSample>(_ lut: BakedLUT, _: Sample.Type, _ set: InstructionSet) {
      set.limit {
        for n in Array(0...70) {
          var random = SeededRandom(seed: UInt64(n))
          let offset = Int(random.next() % 5)
          let source = GuardedRow<Sample>(
            (0..<4 * n).map { _ in Sample.random(using: &random) }, offset: 4 * offset)
          let out = GuardedRow<UInt8>(4 * n, offset: 4 * (4 - offset))
          lut.nodes.codes.withUnsafeBufferPointer { nodes in
            let steps = Double(lut.size - 1)
            var kernel = sl_baked_lut(
              nodes: nodes.baseAddress, size: Int32(lut.size), steep: Float(lut.spacing.steep * steps),
              gentle: Float(lut.spacing.gentle * steps), offset: Float(lut.spacing.offset * steps))
            sl_apply_baked_lut(&kernel, source.pointer, Sample.type, out.pointer, n)
          }
          let comment = "\(set), \(lut.size)³, knee \(lut.spacing.knee), \(Sample.self), \(n) pixels"
          if !out.isIntact { Issue.record("\(comment): written outside") }
          for i in 0..<n {
            let color = SIMD3((0..<3).map { source.pointer[4 * i + $0].value })
            let exact = lut.evaluate(color)
            for channel in 0..<3 {
              let code = clippedCode(exact[channel] * 255, full: 255)
              // Half a code, and the three products of 16 bit that make it, in 1/32 of a code.
              if abs(Double(out.pointer[4 * i + channel]) - code) > 0.5 + 0.16 {
                Issue.record("\(comment): \(color) → \(out.pointer[4 * i + channel]), not \(code)")
                return
              }
            }
            let alpha = (source.pointer[4 * i + 3].value * 255).rounded()
            if Double(out.pointer[4 * i + 3]) != alpha {
              Issue.record(
                "\(comment): alpha \(source.pointer[4 * i + 3]) → \(out.pointer[4 * i + 3]), not \(alpha)")
              return
            }
          }
        }
      }
    }

    @Test(
      "Tables of 2, 17, 33 and 65 nodes, uniform and denser near black, from 8 and 16 bit",
      arguments: InstructionSet.allCases)
    func tables(set: InstructionSet) {
      var random = SeededRandom(seed: 9)
      for size in [2, 17, 33, 65] {
        for spacing in [NodeSpacing.uniform, NodeSpacing(knee: 0.125, kneePosition: 0.25)] {
          let lut = Self.table(size: size, spacing: spacing, random: &random)
          compare(lut, UInt8.self, set)
          compare(lut, UInt16.self, set)
        }
      }
    }

    @Test("16 bit alpha becomes the nearest of 8 bit", arguments: InstructionSet.allCases)
    func alpha(set: InstructionSet) {
      var random = SeededRandom(seed: 3)
      let lut = Self.table(size: 2, spacing: .uniform, random: &random)
      var pixels = [UInt16](repeating: 0, count: 4 * 65_536)
      for code in 0..<65_536 { pixels[4 * code + 3] = UInt16(code) }
      var out = [UInt8](repeating: 0, count: pixels.count)
      set.limit {
        lut.nodes.codes.withUnsafeBufferPointer { nodes in
          var kernel = sl_baked_lut(nodes: nodes.baseAddress, size: 2, steep: 1, gentle: 1, offset: 0)
          sl_apply_baked_lut(&kernel, pixels, SL_U16, &out, 65_536)
        }
      }
      let wrong = (0..<65_536).filter { code in Int(out[4 * code + 3]) != (code + 128) / 257 }
      #expect(wrong.isEmpty, "\(set): \(wrong)")
    }
  }
}

extension SIMD3<Double> {
  static func random(in range: ClosedRange<Double>, using random: inout SeededRandom) -> SIMD3 {
    SIMD3(
      .random(in: range, using: &random), .random(in: range, using: &random),
      .random(in: range, using: &random))
  }
}
