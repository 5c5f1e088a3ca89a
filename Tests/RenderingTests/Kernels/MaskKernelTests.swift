import ColorScience
import FrameCore
import Libc
import PixelKernels
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  /// Groups under masks against their definition in double precision, at each instruction set.
  @Suite("Masks")
  struct Masks {
    /// From pixels of a row to pixels of the original: in place, mirrored, made small and turned.
    static let maps: [AffineMap] = {
      let turn = (cos(0.1), sin(0.1))
      return [
        .identity, AffineMap(a: -1, b: 0, c: 1200, d: 0, e: 1, f: 0), .scale(7, 7),
        AffineMap(a: turn.0, b: -turn.1, c: 5, d: turn.1, e: turn.0, f: -20),
        AffineMap(a: 0, b: 1, c: 0, d: -1, e: 0, f: 600),
      ]
    }()

    private static func shape(_ width: Int, _ height: Int, seed: UInt64) -> MaskShape {
      var random = SeededRandom(seed: seed)
      // Half of the nodes are outside or inside, as in masks that people paint.
      let nodes = (0..<width * height).map { _ in
        random.next() % 2 == 0 ? Float(random.next() % 2) : Float.random(in: 0...1, using: &random)
      }
      return MaskShape(size: PixelSize(width: width, height: height), nodes)
    }

    private static let shapes = [
      shape(301, 23, seed: 1), shape(1, 1, seed: 2), shape(1, 40, seed: 3), shape(40, 1, seed: 4),
      shape(1024, 2, seed: 5),
    ]

    /// Each kind of step, and trees of them.
    static let programs: [MaskProgram] = {
      typealias Step = MaskProgram.Step
      let linear = Step.linear(a: 0.004, b: 0.01, c: -1.5)
      let radial = Step.radial(map: AffineMap(a: 0.003, b: 0, c: -1.8, d: 0, e: 0.02, f: -1), inner: 0.2)
      let luminance = Step.luminance(low: 0.3, high: 0.7, soft: 0.1)
      let color = Step.color(a: 0.05, b: 0.02, inner: 0.03, outer: 0.2)
      func grid(_ index: Int) -> Step {
        .shape(index, toGrid: AffineMap(a: 0.25, b: 0, c: -0.5, d: 0, e: 0.25, f: -0.5))
      }
      let deep = Array(repeating: linear, count: 16) + Array(repeating: Step.intersect, count: 15)
      var programs: [MaskProgram] = [
        [.constant(1)], [.constant(0)], [linear], [radial], [luminance], [color],
      ].map {
        MaskProgram($0)
      }
      programs += shapes.indices.map { MaskProgram([grid($0)], shapes: shapes) }
      programs += [
        MaskProgram([linear, .invert]), MaskProgram([linear, radial, .subtract]),
        MaskProgram([linear, radial, luminance, .add, .intersect, color, .invert, .add]),
        MaskProgram([grid(0), luminance, .intersect, grid(4), .add], shapes: shapes), MaskProgram(deep),
        MaskProgram([.radial(map: AffineMap(a: 0.003, b: 0, c: -1.8, d: 0, e: 0.02, f: -1), inner: 0.9999)]),
      ]
      return programs
    }()

    private static let gain = Stage.matrix(.diagonal(SIMD3(1.7, 1.5, 0.4)))

    /// Compares rows of several lengths, some of which pass blocks, at several places.
    private func compare(
      _ stage: Stage, _ set: InstructionSet, _ range: ClosedRange<Float> = -0.2...1.5,
      within tolerance: Double
    ) {
      let kernel = KernelStages([stage])
      set.limit {
        for (n, x, y) in [
          (0, 0, 0), (1, 0, 3), (7, 3, 80), (16, 1190, 0), (33, 500, 40), (255, 2, 9), (257, 0, 50),
          (600, 1, 20),
          (1100, 90, 599),
        ] {
          var random = SeededRandom(seed: UInt64(n))
          let planes = (0..<3).map { _ in
            GuardedRow<Float>(
              (0..<n).map { _ in .random(in: range, using: &random) }, offset: Int(random.next() % 5))
          }
          let before = planes.map(\.samples)
          kernel.run(planes[0].pointer, planes[1].pointer, planes[2].pointer, count: n, at: (x, y))
          for plane in planes where !plane.isIntact {
            Issue.record("\(set), \(n) pixels: written outside, \(stage)")
          }
          for i in 0..<n {
            let color = SIMD3(Double(before[0][i]), Double(before[1][i]), Double(before[2][i]))
            let exact = stage.evaluate(color, at: (Double(x + i) + 0.5, Double(y) + 0.5))
            for channel in 0..<3
            where !isClose(Double(planes[channel].pointer[i]), exact[channel], within: tolerance) {
              Issue.record(
                "\(set), \(n) pixels at \(x), \(y): \(color) → \(planes[channel].pointer[i]) in channel \(channel) of pixel \(i), not \(exact), \(stage)"
              )
              return
            }
          }
        }
      }
    }

    @Test("Any mask at any place", arguments: InstructionSet.available, maps)
    func masks(set: InstructionSet, map: AffineMap) {
      for program in Self.programs {
        let group = MaskedGroup(mask: program.behind(map), opacity: 0.8, stages: [Self.gain])
        compare(.masked([group]), set, within: 2e-4)
      }
    }

    @Test(
      "Groups act on what the last one left, ranges on what reached the first",
      arguments: InstructionSet.available)
    func groups(set: InstructionSet) {
      let range = MaskProgram([.luminance(low: 0.2, high: 0.6, soft: 0.2)])
      let stages: [Stage] = [
        Self.gain, .curve(.power(exponent: 1.2, pivot: 0.18)),
        .pointwise(.oklabChroma(chroma: 1.4, space: .linearRec2020)),
      ]
      let groups = [
        MaskedGroup(mask: range, opacity: 1, stages: stages),
        MaskedGroup(mask: Self.programs[2], opacity: 0.5, stages: [Self.gain]),
        MaskedGroup(
          mask: range, opacity: 0.3, stages: [.pointwise(.tone(ToneCurve(whites: 0.5, blacks: -0.5)))]),
      ]
      compare(.masked(groups), set, 0.01...1.5, within: 2e-4)
    }

    @Test("Gains under masks, of light and of encoded samples", arguments: InstructionSet.available, maps)
    func gains(set: InstructionSet, map: AffineMap) {
      for (index, program) in Self.programs.enumerated() where !program.readsColor {
        let masks = [
          FieldMask(mask: program.behind(map), opacity: 0.8, full: 2.5),
          FieldMask(mask: Self.programs[2], opacity: 1, full: 0.2),
        ]
        let field = Field(masks: Array(masks.prefix(1 + index % 2)))
        compare(.field(field), set, within: 2e-4)
        for encoding in [TransferFunction.sRGB, .bt709, .gamma(2.2)] {
          compare(.field(field, encoding: [encoding]), set, 0...1, within: 2e-4)
        }
      }
    }

    @Test("Lines of a grid along the edges of the picture", arguments: InstructionSet.available, maps)
    func edges(set: InstructionSet, map: AffineMap) throws {
      var random = SeededRandom(seed: 77)
      let size = PixelSize(width: 300, height: 200)
      let (count, nodes) = (size.pixelCount, LightGrid.size(for: size))
      let shape = MaskShape(size: size, [Float](repeating: 1, count: count))
      let guides = [0.01, 0.02].map { MaskGuide(shape: shape, radius: $0) }
      var lines = [Float]()
      for _ in 0..<2 {
        lines += (0..<count).map { _ in .random(in: -0.3...0.3, using: &random) }
        lines += (0..<count).map { _ in .random(in: -0.5...1.5, using: &random) }
      }
      // Rows of pixels on nodes of the fine grid, which is as large as the picture.
      let origin = FieldOrigin(source: size, map: map, toChannels: .identity)
      let groups = [[0], [1]].map { own in
        MaskedGroup(
          mask: MaskProgram(
            [.edges(0), .linear(a: 0.004, b: 0.01, c: -0.5), .add], guides: [guides[own[0]]]),
          opacity: 0.9, origin: origin, stages: [Self.gain])
      }
      let stage = Stage.masked(groups)
      var grid = LightGrid(size: nodes, nodes: [])
      grid.edges = (0..<2).map {
        NodePlanes(size: size, nodes: Array(lines[2 * count * $0..<2 * count * ($0 + 1)]))
      }
      let kernel = KernelStages([stage])
      lines.withUnsafeBufferPointer { lines in
        var light = sl_light_grid()
        light.edges = lines.baseAddress
        (light.detail_width, light.detail_height) = (Int32(size.width), Int32(size.height))
        light.detail_map = origin.map(to: size).six
        set.limit {
          for (n, x, y) in [(1, 3, 5), (33, 100, 40), (257, 0, 80), (600, 1, 20)] {
            let planes = (0..<3).map { _ in
              GuardedRow<Float>((0..<n).map { _ in .random(in: 0...1.5, using: &random) })
            }
            let before = planes.map(\.samples)
            withUnsafePointer(to: &light) { light in
              kernel.run(
                planes[0].pointer, planes[1].pointer, planes[2].pointer, count: n, at: (x, y),
                in: sl_places(grids: light, to_stored: nil))
            }
            for i in 0..<n {
              let color = SIMD3(Double(before[0][i]), Double(before[1][i]), Double(before[2][i]))
              let exact = stage.evaluate(color, at: (Double(x + i) + 0.5, Double(y) + 0.5), in: grid)
              for channel in 0..<3
              where !isClose(Double(planes[channel].pointer[i]), exact[channel], within: 2e-3) {
                Issue.record("\(set), \(n) pixels, pixel \(i): \(planes[channel].pointer[i]), not \(exact)")
                return
              }
            }
          }
        }
      }
    }

    @Test("Far to the right in a large picture", arguments: InstructionSet.available)
    func large(set: InstructionSet) {
      // Edges of a few pixels around column 60,000.
      for program in [
        MaskProgram([.linear(a: 0.2, b: 0, c: -0.2 * 60_030)]),
        MaskProgram([
          .radial(map: AffineMap(a: 0.01, b: 0, c: -600.4, d: 0, e: 0.01, f: -400), inner: 0.5)
        ]),
      ] {
        let stage = Stage.masked([MaskedGroup(mask: program, opacity: 1, stages: [Self.gain])])
        let planes = (0..<3).map { _ in GuardedRow<Float>(Array(repeating: 0.5, count: 300)) }
        let kernel = KernelStages([stage])
        set.limit {
          kernel.run(
            planes[0].pointer, planes[1].pointer, planes[2].pointer, count: 300, at: (59_900, 40_000))
        }
        let worst = (0..<300).map { i in
          abs(
            Double(planes[0].pointer[i])
              - stage.evaluate(SIMD3(repeating: 0.5), at: (Double(59_900 + i) + 0.5, 40_000.5)).x)
        }.max()
        #expect(worst ?? 1 < 1e-4, "\(set), \(program)")
      }
    }

    @Test("Outside a mask every bit stays, whatever the colour", arguments: InstructionSet.available)
    func outside(set: InstructionSet) {
      let values = (0..<300).map { Float.extremes[$0 % Float.extremes.count] }
      for steps in [
        [MaskProgram.Step.constant(0)], [.linear(a: 0.01, b: 0, c: -5)],
        [.luminance(low: 0.5, high: 0.6, soft: 0.1), .constant(0), .intersect],
      ] {
        let planes = (0..<3).map { _ in GuardedRow<Float>(values) }
        let group = MaskedGroup(mask: MaskProgram(steps), opacity: 1, stages: [Self.gain])
        let kernel = KernelStages([.masked([group])])
        set.limit { kernel.run(planes[0].pointer, planes[1].pointer, planes[2].pointer, count: 300) }
        for plane in planes {
          #expect(plane.samples.map(\.bitPattern) == values.map(\.bitPattern), "\(set), \(steps)")
        }
      }
    }

    @Test("What is no number or infinite keeps to its own pixel", arguments: InstructionSet.available)
    func extremes(set: InstructionSet) {
      let group = MaskedGroup(
        mask: MaskProgram([.luminance(low: 0, high: 0.9, soft: 0.1), .linear(a: 0, b: 0, c: 0.5), .add]),
        opacity: 1, stages: [Self.gain])
      let stage = Stage.masked([group])
      let values: [Float] = [.nan, .infinity, -.infinity, 3e38, -3e38, 0.25, 1e-30]
      let planes = (0..<3).map { _ in GuardedRow<Float>(values) }
      let kernel = KernelStages([stage])
      set.limit { kernel.run(planes[0].pointer, planes[1].pointer, planes[2].pointer, count: 7) }
      #expect(planes.allSatisfy { $0.pointer[0].isNaN })
      for i in [5, 6] {
        let exact = stage.evaluate(SIMD3(repeating: Double(values[i])), at: (Double(i) + 0.5, 0.5))
        for channel in 0..<3 {
          #expect(isClose(Double(planes[channel].pointer[i]), exact[channel], within: 1e-5), "\(set), \(i)")
        }
      }
    }
  }
}
