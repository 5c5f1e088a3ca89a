import FilterGraph
import PixelKernels
import TestSupport
import Testing

@testable import Rendering

extension KernelTests {
  /// Baked tables of luma and colour differences: of the R'G'B' that the matrix makes of them, in plain code.
  @Suite("Baked tables of camera samples")
  struct CameraTables {
    /// BT.601 of limited range, for samples at 64 per level.
    private static let matrix: sl_ycbcr_matrix = {
      let (y, c) = (Float(1) / 219 / 64, Float(1) / 224 / 64)
      return sl_ycbcr_matrix(
        matrix: (y, 0, 1.402 * c, y, -0.344136 * c, -0.714136 * c, y, 1.772 * c, 0),
        offset: (-0.874202, 0.531668, -1.085631))
    }()

    private struct Row {
      let y, cb, cr: GuardedRow<Int16>
      /// The colours, clipped.
      let colors: [SIMD3<Double>]

      /// Levels and what resampling leaves between and beyond them.
      init(_ n: Int, _ random: inout SeededRandom) {
        var samples: [[Int16]] = [[], [], []]
        for _ in 0..<n {
          for plane in 0..<3 { samples[plane].append(.random(in: -900...17_200, using: &random)) }
        }
        (y, cb, cr) = (
          GuardedRow(samples[0]), GuardedRow(samples[1], offset: 1), GuardedRow(samples[2], offset: 3)
        )
        let m = CameraTables.matrix
        colors = (0..<n).map { i in
          let v = SIMD3(Double(samples[0][i]), Double(samples[1][i]), Double(samples[2][i]))
          func row(_ a: Float, _ b: Float, _ c: Float, _ offset: Float) -> Double {
            (v * SIMD3(Double(a), Double(b), Double(c))).sum() + Double(offset)
          }
          let (w, o) = (m.matrix, m.offset)
          return SIMD3(row(w.0, w.1, w.2, o.0), row(w.3, w.4, w.5, o.1), row(w.6, w.7, w.8, o.2))
            .clamped(lowerBound: .zero, upperBound: .one)
        }
      }
    }

    private static let counts = [0, 1, 15, 16, 17, 33, 256, 513, 1041]

    @Test("A table has the colours of the matrix", arguments: InstructionSet.available)
    func tables(set: InstructionSet) {
      var random = SeededRandom(seed: 12)
      for (size, spacing) in [
        (2, BakedTables.spacings[0]), (33, BakedTables.spacings[0]), (33, BakedTables.spacings[1]),
        (65, BakedTables.spacings[1]),
      ] {
        let lut = BakedTables.table(size: size, spacing: spacing, random: &random)
        for n in Self.counts {
          let row = Row(n, &random)
          let outputs = BakedTables.kernels(lut).map { kernel in
            let out = GuardedRow<UInt8>(4 * n, offset: 4)
            var matrix = Self.matrix
            set.limit {
              kernel.withKernel {
                sl_apply_baked_lut_camera(
                  $0, &matrix, row.y.pointer, row.cb.pointer, row.cr.pointer, out.pointer, n)
              }
            }
            return out
          }
          let comment = "\(set), \(size)³, knee \(spacing.knee), \(n) pixels"
          for out in outputs {
            #expect(out.isIntact, "\(comment): written outside")
            #expect(out.samples == outputs[0].samples, "\(comment): cells and nodes differ")
          }
          for i in 0..<n {
            let (exact, pixel) = (lut.evaluate(row.colors[i]), (0..<4).map { outputs[0].pointer[4 * i + $0] })
            if pixel[3] != 255 || (0..<3).contains(where: { !BakedTables.isRight(pixel[$0], exact[$0]) }) {
              Issue.record("\(comment): \(row.colors[i]) → \(pixel), not \(exact * 255)")
              return
            }
          }
        }
      }
    }

    @Test("A pair has the colours that it gives 16-bit R'G'B'", arguments: InstructionSet.available)
    func pairs(set: InstructionSet) {
      var random = SeededRandom(seed: 13)
      for (size, slope) in [(9, 0), (17, 0.1), (17, 1)] as [(Int, Double)] {
        for pixels in [0, .max] {
          let pair = BakedPairs.pair(size, slope: slope, pixels: pixels, random: &random)
          for n in Self.counts {
            let row = Row(n, &random)
            let planes = (0..<3).map { channel in row.colors.map { UInt16(($0[channel] * 65_535).rounded()) }
            }
            let (out, expected) = (GuardedRow<UInt8>(4 * n, offset: 4), GuardedRow<UInt8>(4 * n))
            var matrix = Self.matrix
            set.limit {
              pair.withKernels { first, second, slope in
                sl_apply_baked_pair_camera(
                  first, second, slope, &matrix, row.y.pointer, row.cb.pointer, row.cr.pointer, out.pointer, n
                )
                sl_apply_baked_pair_planar(
                  first, second, slope, planes[0], planes[1], planes[2], expected.pointer, n)
              }
            }
            let worst = zip(out.samples, expected.samples).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(out.isIntact && worst <= 1, "\(set), \(size)³, slope \(slope), \(n) pixels")
          }
        }
      }
    }
  }
}
