import ColorScience
import Filters
import FrameCore
import PixelKernels
import RendererTestSupport
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  /// Look-up tables on interleaved pixels against their definition in double precision, and against the same on planes,
  /// at each instruction set.
  @Suite("Tables of interleaved pixels")
  struct LookupPixels {
    /// Random tables, the shaper's domain and the cube's being different.
    static func stage(shaper: Bool, size: Int, strength: Double, random: inout SeededRandom) throws
      -> LookupStage
    {
      func color() -> SIMD3<Float> { SIMD3<Float>(SIMD3<Double>.random(in: -0.2...1.3, using: &random)) }
      let low = SIMD3<Float>(-0.1, 0, 0.2)
      let high = SIMD3<Float>(1.1, 1, 0.9)
      return LookupStage(
        lut: ColorLUT(
          shaper: shaper
            ? try LUT1D(samples: (0..<17).map { _ in color() }, domainMin: low, domainMax: high) : nil,
          cube: try LUT3D(
            size: size, nodes: (0..<size * size * size).map { _ in color() }, domainMin: low,
            domainMax: high)), strength: strength, name: "random")
    }

    func compare<Sample: KernelSample>(_ stage: LookupStage, _: Sample.Type, _ set: InstructionSet) {
      let kernel = KernelStages([.lut(stage)])
      set.limit {
        for n in Array(0...35) + [255, 256, 257, 290] {
          var random = SeededRandom(seed: UInt64(n))
          let offset = Int(random.next() % 5)
          let source = GuardedRow<Sample>(
            (0..<4 * n).map { _ in Sample.random(using: &random) }, offset: offset)
          let out = GuardedRow<Sample>(4 * n, offset: 4 - offset)
          let isOne = kernel.withLookup {
            sl_look_up_pixels($0, source.pointer, out.pointer, Sample.type, n)
            sl_look_up_pixels($0, source.pointer, source.pointer, Sample.type, n)
          }
          let comment = "\(set), \(Sample.self), \(stage.strength), \(n) pixels"
          #expect(isOne, "\(comment)")
          #expect(out.isIntact && source.isIntact, "\(comment): written outside")
          random = SeededRandom(seed: UInt64(n))
          _ = random.next()
          for i in 0..<n {
            let pixel = (0..<4).map { _ in Sample.random(using: &random) }
            let made = (0..<4).map { out.pointer[4 * i + $0] }
            for channel in 0..<4 {
              let again = source.pointer[4 * i + channel].value
              if !isClose(again, made[channel].value, within: 0) {
                Issue.record("\(comment): in place \(again), not \(made[channel])")
                return
              }
            }
            if !isClose(made[3].value, pixel[3].value, within: 0) {
              Issue.record("\(comment): alpha \(pixel[3]) → \(made[3])")
              return
            }
            let color = SIMD3((0..<3).map { pixel[$0].value })
            // NaN is tested by itself.
            guard (0..<3).allSatisfy({ abs(color[$0]) < 100 }) else { continue }
            let exact = stage.evaluate(color)
            for channel in 0..<3 {
              let value =
                Sample.full == 1
                ? exact[channel] : clippedCode(exact[channel] * Sample.full, full: Sample.full) / Sample.full
              if !isClose(made[channel].value, value, within: 2e-4) {
                Issue.record("\(comment): \(color) → \(made), not \(exact)")
                return
              }
            }
          }
        }
      }
    }

    @Test("Shapers, cubes and strengths, of 16 bit and float", arguments: InstructionSet.available)
    func tables(set: InstructionSet) throws {
      var random = SeededRandom(seed: 15)
      for (shaper, size) in [(false, 2), (false, 9), (true, 5)] {
        for strength in [1, 0.3] {
          let stage = try Self.stage(shaper: shaper, size: size, strength: strength, random: &random)
          compare(stage, UInt16.self, set)
          compare(stage, Float.self, set)
        }
      }
    }

    @Test("The same as unpacking, planes and packing", arguments: InstructionSet.available)
    func planes(set: InstructionSet) throws {
      var random = SeededRandom(seed: 7)
      let n = 290
      for strength in [1, 0.3] {
        let stage = try Self.stage(shaper: true, size: 5, strength: strength, random: &random)
        let kernel = KernelStages([.lut(stage)])
        let pixels = (0..<4 * n).map { _ in UInt16.random(using: &random) }
        var (direct, packed) = (pixels, pixels)
        let planes = (0..<3).map { _ in GuardedRow<Float>(n) }
        set.limit {
          kernel.withLookup { sl_look_up_pixels($0, pixels, &direct, SL_U16, n) }
          sl_unpack(pixels, SL_U16, planes[0].pointer, planes[1].pointer, planes[2].pointer, n)
          kernel.run(planes[0].pointer, planes[1].pointer, planes[2].pointer, count: n)
          sl_pack(
            planes[0].pointer, planes[1].pointer, planes[2].pointer, pixels, SL_U16, nil, &packed, SL_U16, n)
        }
        #expect(direct == packed, "\(set), strength \(strength)")
      }
    }

    @Test("Infinities are clipped to the domain, and NaN stays NaN")
    func notANumber() throws {
      let cube = try LUT3D(size: 2, nodes: (0..<8).map { SIMD3(repeating: Float($0) / 8) })
      let kernel = KernelStages([
        .lut(LookupStage(lut: ColorLUT(shaper: nil, cube: cube), strength: 1, name: ""))
      ])
      for set in InstructionSet.available {
        set.limit {
          let row = GuardedRow<Float>(
            [.nan, .infinity, -.infinity, 1e38, -1e38, 0.25, .infinity, 1].flatMap { [$0, $0, $0, .nan] })
          kernel.withLookup { sl_look_up_pixels($0, row.pointer, row.pointer, SL_F32, 8) }
          let expected: [Float] = [7 / 8, 0, 7 / 8, 0, 7 / 32, 7 / 8, 7 / 8]
          #expect(row.pointer[0].isNaN && row.pointer[1].isNaN && row.pointer[2].isNaN, "\(set)")
          for (i, value) in expected.enumerated() {
            #expect(row.pointer[4 * (i + 1)] == value, "\(set), pixel \(i + 1)")
            #expect(row.pointer[4 * (i + 1) + 3].isNaN, "\(set): alpha is kept")
          }
          #expect(row.isIntact, "\(set)")
        }
      }
    }

    @Test(
      "Plans of one table keep deep pixels interleaved, as wide as pictures are",
      arguments: [PixelFormat.rgba16, .rgbaF32])
    func plans(format: PixelFormat) throws {
      var random = SeededRandom(seed: 3)
      let lut = try Self.stage(shaper: false, size: 9, strength: 0.7, random: &random)
      let source = try RandomPicture.noise(PixelSize(width: 4213, height: 3), format, using: &random)
      let plan = try Plan(
        Recipe { LUT(lut.lut, name: "random.cube", strength: 70) },
        input: PlanInput(source), output: PlanOutput(format: format),
        evaluator: KernelEvaluator())
      let fast = try CPURenderer().render(source, through: plan)
      let exact = try ReferenceRenderer().render(source, through: plan)
      #expect(RandomPicture.largestDifference(fast, exact).value <= (format == .rgba16 ? 2 : 2e-5))
    }
  }
}
