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

    @Test("Matrices", arguments: InstructionSet.available)
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
      arguments: InstructionSet.available)
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

    @Test("Zero stays zero and signs are kept", arguments: InstructionSet.available)
    func zero(set: InstructionSet) {
      set.limit {
        for curve in Self.curves {
          var (r, g, b): (Float, Float, Float) = (0, 0.3, -0.3)
          KernelStages([.curve(curve)]).run(&r, &g, &b, count: 1)
          #expect(r == 0 && g == -b && g > 0, "\(set), \(curve)")
        }
      }
    }

    @Test("Curves that differ by channel are sampled densely enough", arguments: InstructionSet.available)
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

    @Test("OKLab chroma", arguments: InstructionSet.available)
    func oklab(set: InstructionSet) {
      for chroma in [0, 0.5, 1.7] {
        compare([.pointwise(.oklabChroma(chroma: chroma, space: .linearRec2020))], set) {
          $0.next() % 6 == 0 ? Float($0.next() % 2) : Float.random(in: -0.3...3, using: &$0)
        } tolerance: {
          2e-5 * Self.scale($0)
        }
      }
    }

    @Test("The ends of the range, from black to far beyond white", arguments: InstructionSet.available)
    func tone(set: InstructionSet) {
      for curve in [
        ToneCurve(whites: 0.5, blacks: -1), ToneCurve(whites: -1, blacks: 1),
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
      arguments: InstructionSet.available)
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

    @Test("Chains run in order", arguments: InstructionSet.available)
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
      arguments: InstructionSet.available)
    func notANumber(set: InstructionSet) throws {
      let ramp: [SIMD3<Float>] = [SIMD3(repeating: 0), SIMD3(repeating: 0.5), SIMD3(repeating: 1)]
      let cube = try LUT3D(size: 2, nodes: (0..<8).map { SIMD3(repeating: Float($0) / 8) })
      let lookup = LookupStage(
        lut: ColorLUT(shaper: try LUT1D(samples: ramp), cube: cube), strength: 1, name: "")
      let functions: [TransferFunction] = [.sRGB, .gamma(1.8), .bt709]
      set.limit {
        let tone = Stage.pointwise(.tone(ToneCurve(whites: 1, blacks: 1)))
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
}

extension SIMD3<Double> {
  static func random(in range: ClosedRange<Double>, using random: inout SeededRandom) -> SIMD3 {
    SIMD3(
      .random(in: range, using: &random), .random(in: range, using: &random),
      .random(in: range, using: &random))
  }
}
