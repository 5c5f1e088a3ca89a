import PixelKernels
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  /// Baked tables with 16-bit results, at each instruction set.
  @Suite("Baked tables of 16 bits")
  struct DeepTables {
    private static let counts = Array(0...40) + [511, 512, 513, 1100]

    @Test(
      "are within a sixteenth of a level of exact interpolation, and keep alpha",
      arguments: InstructionSet.available)
    func interpolation(set: InstructionSet) {
      var random = SeededRandom(seed: 21)
      for (size, spacing) in [(9, BakedTables.spacings[1]), (33, .uniform), (65, .uniform)] {
        let lut = BakedTables.table(size: size, spacing: spacing, random: &random)
        for n in Self.counts {
          let pixels = BakedTables.samples(n, UInt8.self, &random)
          let source = GuardedRow<UInt8>(pixels, offset: 4)
          for kernel in BakedTables.kernels(lut) {
            let out = GuardedRow<UInt16>(4 * n, offset: 4)
            set.limit {
              kernel.withKernel { sl_apply_baked_lut_16($0, source.pointer, SL_U8, out.pointer, n) }
            }
            #expect(out.isIntact)
            for i in stride(from: 0, to: 4 * n, by: 4) {
              let color = SIMD3((0..<3).map { Double(pixels[i + $0]) / 255 })
              let exact = lut.evaluate(color)
              let isRight = (0..<3).allSatisfy {
                // Rounded to 1/32 level, and what fractions are off where nodes differ by four units.
                abs(Double(out.samples[i + $0]) / 257 - clippedCode(exact[$0] * 255, full: 255)) <= 1.0 / 32
                  + 0.1
              }
              guard isRight, out.samples[i + 3] == UInt16(pixels[i + 3]) * 257 else {
                Issue.record(
                  "\(set), \(size)³: \(pixels[i..<i + 4]) → \(out.samples[i..<i + 4]), not \(exact)")
                return
              }
            }
          }
        }
      }
    }

    /// Planes of 16 bit, luma and differences that have the same colours, and interleaved pixels of both depths.
    @Test("are the same from planes, and round to the results of 8 bits", arguments: InstructionSet.available)
    func sources(set: InstructionSet) {
      var random = SeededRandom(seed: 22)
      let lut = BakedTables.table(size: 17, spacing: .uniform, random: &random)
      let pair = BakedPairs.pair(17, slope: 0.3, pixels: .max, random: &random)
      for n in Self.counts {
        var pixels = BakedTables.samples(n, UInt16.self, &random)
        for i in 0..<n { pixels[4 * i + 3] = .max }
        let planes = (0..<3).map { channel in (0..<n).map { pixels[4 * $0 + channel] } }
        let (deep, planar) = (GuardedRow<UInt16>(4 * n, offset: 4), GuardedRow<UInt16>(4 * n))
        let flat = GuardedRow<UInt8>(4 * n)
        func check(_ name: String) {
          #expect(deep.isIntact && planar.isIntact && deep.samples == planar.samples, "\(set), \(name), \(n)")
          let worst = zip(deep.samples, flat.samples).map { abs(Double($0) / 257 - Double($1)) }.max() ?? 0
          #expect(worst <= 0.5 + 1.0 / 32, "\(set), \(name), \(n): \(worst)")
        }
        set.limit {
          BakedKernel(lut, pixels: .max, samples: SL_U16).withKernel {
            sl_apply_baked_lut_16($0, pixels, SL_U16, deep.pointer, n)
            sl_apply_baked_lut_planar_16($0, planes[0], planes[1], planes[2], planar.pointer, n)
            sl_apply_baked_lut($0, pixels, SL_U16, flat.pointer, n)
          }
          check("table")
          pair.withKernels { first, second, slope in
            sl_apply_baked_pair_16(first, second, slope, pixels, SL_U16, deep.pointer, n)
            sl_apply_baked_pair_planar_16(
              first, second, slope, planes[0], planes[1], planes[2], planar.pointer, n)
            sl_apply_baked_pair(first, second, slope, pixels, SL_U16, flat.pointer, n)
          }
          check("pair")
        }
      }
    }

    @Test("agree with those of 8 bits on camera samples", arguments: InstructionSet.available)
    func camera(set: InstructionSet) {
      var random = SeededRandom(seed: 23)
      let lut = BakedTables.table(size: 33, spacing: .uniform, random: &random)
      let pair = BakedPairs.pair(9, slope: 0, pixels: .max, random: &random)
      var matrix = sl_ycbcr_matrix(
        matrix: (
          1.0 / 16_320, 0, 1.4 / 16_320, 1.0 / 16_320, -0.34 / 16_320, -0.71 / 16_320, 1.0 / 16_320,
          1.77 / 16_320, 0
        ),
        offset: (-0.7, 0.53, -0.89))
      for n in Self.counts {
        let rows = (0..<3).map { _ in (0..<n).map { _ in Int16.random(in: 0...16_320, using: &random) } }
        let (deep, flat) = (GuardedRow<UInt16>(4 * n, offset: 4), GuardedRow<UInt8>(4 * n))
        func check(_ name: String) {
          let worst = zip(deep.samples, flat.samples).map { abs(Double($0) / 257 - Double($1)) }.max() ?? 0
          #expect(deep.isIntact && worst <= 0.5 + 1.0 / 32, "\(set), \(name), \(n): \(worst)")
        }
        set.limit {
          BakedKernel(lut, pixels: .max, samples: SL_U16).withKernel {
            sl_apply_baked_lut_camera_16($0, &matrix, rows[0], rows[1], rows[2], deep.pointer, n)
            sl_apply_baked_lut_camera($0, &matrix, rows[0], rows[1], rows[2], flat.pointer, n)
          }
          check("table")
          pair.withKernels { first, second, slope in
            sl_apply_baked_pair_camera_16(
              first, second, slope, &matrix, rows[0], rows[1], rows[2], deep.pointer, n)
            sl_apply_baked_pair_camera(
              first, second, slope, &matrix, rows[0], rows[1], rows[2], flat.pointer, n)
          }
          check("pair")
        }
      }
    }

    @Test("Sharpening's kernels agree on every instruction set")
    func sharpening() {
      var random = SeededRandom(seed: 24)
      let n = 61
      func row(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: 0...1, using: &random) } }
      let (r, g, b, source) = (row(80), row(80), row(80), row(120))
      let rows = (0..<7).map { _ in row(80) }
      let weights: [Float] = [0.4, 0.2, 0.07, 0.03]
      let luma: [Float] = [0.2, 0.7, 0.1]
      let (squares, alpha) = (row(80).map { $0 + 1 }, row(80).map { $0 < 0.2 ? 0 : $0 })
      var results: [[Float]] = []
      for set in InstructionSet.available {
        var (y, across, down, added) = (
          [Float](repeating: 0, count: 80), [Float](repeating: 0, count: 80),
          [Float](repeating: 0, count: 80),
          [Float](repeating: 0, count: 80)
        )
        set.limit {
          sl_luma(luma, r, g, b, &y, n)
          weights.withUnsafeBufferPointer { weights in
            var window = sl_window(weights: weights.baseAddress, radius: 3)
            source.withUnsafeBufferPointer { source in
              if let source = source.baseAddress { sl_blur_row(&window, source + 3, &across, n) }
            }
            let pointers = rows.map { row -> UnsafeMutablePointer<Float> in
              let pointer = UnsafeMutablePointer<Float>.allocate(capacity: row.count)
              pointer.initialize(from: row, count: row.count)
              return pointer
            }
            defer { for pointer in pointers { pointer.deallocate() } }
            sl_blur_column(&window, pointers.map { UnsafePointer($0) }, &down, n)
          }
          var unsharp = sl_unsharp(gain: 1, dark_gain: 0.57, inverse_limit: 5, mask_begin: 0.1, mask_scale: 2)
          sl_unsharp_row(&unsharp, y, across, nil, nil, &added, n)
          sl_unsharp_row(&unsharp, y, down, squares, alpha, &added, n)
        }
        for i in 0..<n {
          let blurred =
            weights[0] * source[i + 3]
            + (1...3).reduce(0) { $0 + weights[$1] * (source[i + 3 - $1] + source[i + 3 + $1]) }
          #expect(abs(across[i] - blurred) < 1e-5, "\(set)")
          let expected = min(max(luma[0] * r[i] + luma[1] * g[i] + luma[2] * b[i], 0), 1)
          #expect(abs(y[i] - expected) < 1e-6, "\(set)")
        }
        results.append(Array((y[..<n] + across[..<n] + down[..<n] + added[..<n])))
      }
      for result in results.dropFirst() {
        let worst = zip(result, results[0]).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 1e-5)
      }
    }

    @Test("Sharpening's direct kernels do what unpacking does", arguments: InstructionSet.available)
    func direct(set: InstructionSet) {
      var random = SeededRandom(seed: 25)
      let luma: [Float] = [0.2, 0.7, 0.1]
      for n in 0...70 {
        let padded = 96
        let pixels = BakedTables.samples(padded, UInt16.self, &random)
        let added = (0..<padded).map { _ in Float.random(in: -0.4...0.4, using: &random) }
        var y = [Float](repeating: 0, count: padded)
        let out = GuardedRow<UInt8>(4 * n, offset: 4)
        set.limit {
          sl_luma_rgba16(luma, pixels, &y, n)
          sl_add_to_rgba16(added, pixels, out.pointer, n)
        }
        #expect(out.isIntact)
        for i in 0..<n {
          let colors = (0..<4).map { Float(pixels[4 * i + $0]) / 65_535 }
          let sum = luma[0] * colors[0] + luma[1] * colors[1] + luma[2] * colors[2]
          #expect(abs(y[i] - sum) < 1e-5, "\(set), \(n)")
          for channel in 0..<4 {
            let level = (colors[channel] + (channel < 3 ? added[i] : 0)) * 255
            let isRight = abs(Float(out.samples[4 * i + channel]) - min(max(level, 0), 255)) <= 0.5 + 1.0 / 32
            #expect(isRight, "\(set), \(n): \(level) → \(out.samples[4 * i + channel])")
          }
        }
      }
    }
  }
}
