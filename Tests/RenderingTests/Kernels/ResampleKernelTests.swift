import FrameCore
import PixelKernels
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  /// Sampling along lines and downsampling, against plain loops in double precision.
  @Suite("Resampling")
  struct Resampling {
    /// A random picture whose rows lie at the end of memory, with padding that must not be seen.
    struct Picture<Sample: KernelSample> {
      let width, height, stride: Int
      let row: GuardedRow<Sample>

      init(_ width: Int, _ height: Int, opaque: Bool, using random: inout SeededRandom) {
        self.width = width
        self.height = height
        stride = 4 * width + 4 * Int(random.next() % 3)
        row = GuardedRow<Sample>(stride * height)
        for i in 0..<stride * height {
          let isAlpha = i % 4 == 3
          let value = Double(Float.random(in: 0...1, using: &random))
          row.pointer[i] = Sample(
            code: isAlpha && opaque ? Sample.full : (value * Sample.full).rounded(.down))
          if Sample.full == 1, !(isAlpha && opaque) {
            row.pointer[i] = Sample(code: value * 1.4 - (isAlpha ? 0 : 0.2))
          }
        }
      }

      var image: sl_image {
        sl_image(
          base: UnsafeRawPointer(row.pointer), row_bytes: stride * MemoryLayout<Sample>.stride,
          width: Int32(width),
          height: Int32(height), type: Sample.type, is_coarse: 0)
      }

      func pixel(_ x: Int, _ y: Int) -> SIMD4<Double> {
        let first = y * stride + 4 * x
        return SIMD4((0..<4).map { row.pointer[first + $0].value })
      }
    }

    /// The sample at a Q32 position, whose fraction is rounded to a phase of the kernel first.
    static func sample<Sample>(
      _ picture: Picture<Sample>, x: Int64, y: Int64, outside: sl_outside, premultiply: Bool
    ) -> SIMD4<Double> {
      func place(_ q32: Int64) -> (pixel: Int, fraction: Double) {
        let rounded = q32 + (1 << 32) / (2 * Int64(SL_KERNEL_PHASES))
        let phase = (rounded & 0xffff_ffff) >> 22
        return (Int(rounded >> 32), Double(phase) / Double(SL_KERNEL_PHASES))
      }
      let (px, py) = (place(x), place(y))
      var (sum, total) = (SIMD4<Double>.zero, 0.0)
      for dy in -2...3 {
        for dx in -2...3 {
          let weight =
            KaiserSinc.weight(Double(dx) - px.fraction) * KaiserSinc.weight(Double(dy) - py.fraction)
          total += weight
          let (sx, sy) = (px.pixel + dx, py.pixel + dy)
          let pixel = picture.pixel(min(max(sx, 0), picture.width - 1), min(max(sy, 0), picture.height - 1))
          sum +=
            weight
            * (premultiply ? SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w) : pixel)
        }
      }
      var value = sum / total
      if premultiply {
        let alpha = min(max(value.w, 0), 1)
        let inverse = alpha > 1e-6 ? 1 / alpha : 0
        value = SIMD4(value.x * inverse, value.y * inverse, value.z * inverse, alpha)
      }
      if outside == SL_OUTSIDE_TRANSPARENT {
        func coverage(_ q32: Int64, _ size: Int) -> Double {
          let position = Double(q32) / 4_294_967_296
          return min(max(min(position + 1, Double(size) - position), 0), 1)
        }
        let covered = coverage(x, picture.width) * coverage(y, picture.height)
        if covered < 1 { value.w = min(max(value.w, 0), 1) * covered }
        if covered == 0 { value = .zero }
      }
      return Sample.full > 1 ? value.clamped(lowerBound: .zero, upperBound: .one) : value
    }

    func lines<In: KernelSample, Out: KernelSample>(
      _: In.Type, _: Out.Type, _ set: InstructionSet, isCoarse: Bool = false
    ) {
      set.limit {
        for n in Array(0...24) + [69, 70] {
          for premultiply in [false, true] {
            var random = SeededRandom(seed: UInt64(2 * n + (premultiply ? 1 : 0)))
            let sizes = [(1, 1), (2, 9), (7, 3), (8, 6), (40, 30)]
            let size = sizes[Int(random.next() % 5)]
            let picture = Picture<In>(size.0, size.1, opaque: !premultiply, using: &random)
            let outside = random.next() % 2 == 0 ? SL_OUTSIDE_CLAMP : SL_OUTSIDE_TRANSPARENT
            func fixed(_ range: ClosedRange<Double>) -> Int64 {
              Int64(Double.random(in: range, using: &random) * 4_294_967_296)
            }
            // From a little outside to a little outside, on whole pixels now and then.
            var (x, y) = (fixed(-5...Double(size.0 + 4)), fixed(-5...Double(size.1 + 4)))
            if random.next() % 4 == 0 { (x, y) = ((x >> 32) << 32, (y >> 32) << 32) }
            let (dx, dy) = (fixed(-1.5...1.5), fixed(-1.5...1.5))
            let out = GuardedRow<Out>(4 * n, offset: Int(random.next() % 4) * 4)
            var image = picture.image
            image.is_coarse = isCoarse ? 1 : 0
            sl_resample_line(
              &image, x, y, dx, dy, outside, premultiply ? 1 : 0, SL_KERNEL_SHARP, out.pointer,
              Out.type, n)
            let comment =
              "\(set), \(In.self) → \(Out.self), \(size), \(n) pixels from \(x), \(y) by \(dx), \(dy), \(outside), \(premultiply)"
            if !out.isIntact { Issue.record("\(comment): written outside") }
            for i in 0..<n {
              let exact = Self.sample(
                picture, x: x + Int64(i) * dx, y: y + Int64(i) * dy, outside: outside,
                premultiply: premultiply)
              for channel in 0..<4 {
                let value = out.pointer[4 * i + channel].value
                // Premultiplied colour is divided by its coverage, and so are its rounding errors.
                let coverage = premultiply && channel < 3 ? max(exact.w, 1e-6) : 1
                let expected = Out.full > 1 ? min(max(exact[channel], 0), 1) : exact[channel]
                // 8-bit sources are weighed in fixed point, to a twentieth of a level.
                let isFixed = In.full == 255 || isCoarse
                let fixedPoint = isFixed && Out.full > 1 && !premultiply ? 0.05 / 255 : 0
                let rounding = Out.full > 1 ? 0.5 / Out.full : 0
                if abs(value - expected) * coverage > 4e-6 + rounding + fixedPoint {
                  Issue.record("\(comment): pixel \(i), channel \(channel) is \(value), not \(expected)")
                  return
                }
              }
            }
          }
        }
      }
    }

    @Test("Lines through pictures, inside, over edges and beyond", arguments: InstructionSet.available)
    func lines(set: InstructionSet) {
      lines(UInt8.self, UInt16.self, set)
      lines(UInt16.self, UInt16.self, set)
      lines(UInt16.self, UInt16.self, set, isCoarse: true)
      lines(Float.self, Float.self, set)
      lines(UInt8.self, Float.self, set)
    }

    @Test("The kernel's phases are Kaiser-windowed sinc, and add up to 1")
    func phases() {
      var table = [Float](repeating: .nan, count: 8 * (Int(SL_KERNEL_PHASES) + 1))
      sl_kernel_table(SL_KERNEL_SHARP, &table)
      for phase in stride(from: 0, through: Int(SL_KERNEL_PHASES), by: 31) {
        let weights = (0..<8).map { Double(table[8 * phase + $0]) }
        let fraction = Double(phase) / Double(SL_KERNEL_PHASES)
        let exact = (-2...3).map { tap -> Double in KaiserSinc.weight(Double(tap) - fraction) }
        let sum = exact.reduce(0, +)
        for tap in 0..<6 {
          #expect(abs(weights[tap] - exact[tap] / sum) < 1e-7, "phase \(phase), tap \(tap)")
        }
        #expect(weights[6] == 0 && weights[7] == 0)
        #expect(abs(weights.reduce(0, +) - 1) < 1e-6)
      }
      sl_kernel_table(SL_KERNEL_BILINEAR, &table)
      for phase in stride(from: 0, through: Int(SL_KERNEL_PHASES), by: 31) {
        let fraction = Float(phase) / Float(SL_KERNEL_PHASES)
        #expect(Array(table[8 * phase..<8 * phase + 8]) == [1 - fraction, fraction, 0, 0, 0, 0, 0, 0])
      }
    }

    @Test("Rows side by side are narrowed by their weights", arguments: InstructionSet.available)
    func shrinkRows(set: InstructionSet) {
      let step = Int(SL_DOWNSAMPLE_ROWS)
      set.limit {
        for n in 0...70 {
          var random = SeededRandom(seed: UInt64(n))
          let rowCount = 1 + n % step
          let rows = (0..<rowCount).map { _ in
            (0..<4 * 90).map { _ in Float.random(in: -1...1, using: &random) }
          }
          var block = [Float](repeating: .nan, count: 4 * 90 * step)
          for (r, row) in rows.enumerated() { sl_place_row(row, r, &block, 90) }
          var weights: [Float] = []
          var taps: [sl_taps] = []
          for i in 0..<n {
            let count = 1 + Int(random.next() % 17)
            taps.append(
              sl_taps(first: Int32(min(i, 90 - count)), count: Int32(count), weights: weights.count))
            weights += (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
          }
          let out = (0..<rowCount).map { _ in GuardedRow<Float>(4 * n, offset: n % 4) }
          let targets = out.map { row -> UnsafeMutablePointer<Float>? in row.pointer }
          sl_downsample_horizontal(block, taps, weights, targets, rowCount, n)
          for r in 0..<rowCount {
            #expect(out[r].isIntact)
            for i in 0..<4 * n {
              let tap = taps[i / 4]
              let exact = (0..<Int(tap.count)).reduce(0.0) {
                $0 + Double(weights[tap.weights + $1]) * Double(rows[r][4 * (Int(tap.first) + $1) + i % 4])
              }
              if abs(Double(out[r].pointer[i]) - exact) > 4e-6 {
                Issue.record(
                  "\(set), row \(r) of \(rowCount), \(n) pixels, \(tap): value \(i) is \(out[r].pointer[i]), not \(exact)"
                )
              }
            }
          }
        }
      }
    }

    @Test(
      "Rows of bytes are put side by side as their tables say, and opaque",
      arguments: InstructionSet.available
    )
    func placeRows(set: InstructionSet) {
      var random = SeededRandom(seed: 5)
      let tables = (0..<3 * 256).map { _ in Float.random(in: 0...1, using: &random) }
      // One table for all channels has a way of its own.
      let oneTable = (0..<3).flatMap { _ in tables[..<256] }
      set.limit {
        placeRows(tables, &random)
        placeRows(oneTable, &random)
      }
    }

    private func placeRows(_ tables: [Float], _ random: inout SeededRandom) {
      let step = Int(SL_DOWNSAMPLE_ROWS)
      for n in [1, 2, 4, 7, 33, 300] {
        for rowCount in 1...step {
          let rows = (0..<rowCount).map { _ in
            GuardedRow<UInt8>(
              (0..<4 * n).map { _ in UInt8(truncatingIfNeeded: random.next()) }, offset: 4)
          }
          let block = GuardedRow<Float>([Float](repeating: -1, count: 4 * step * n), offset: 0)
          let pointers = rows.map { row -> UnsafePointer<UInt8>? in UnsafePointer(row.pointer) }
          sl_place_rows_by_tables(pointers, rowCount, tables, block.pointer, n)
          #expect(block.isIntact)
          for x in 0..<n {
            for r in 0..<rowCount {
              for channel in 0..<3 {
                let code = Int(rows[r].pointer[4 * x + channel])
                #expect(block.pointer[4 * (step * x + r) + channel] == tables[256 * channel + code])
              }
              #expect(block.pointer[4 * (step * x + r) + 3] == 1)
            }
          }
        }
      }
    }

    @Test("Rows are blended by their weights", arguments: InstructionSet.available)
    func blendRows(set: InstructionSet) {
      set.limit {
        for values in 0...70 {
          var random = SeededRandom(seed: UInt64(values))
          let count = 1 + Int(random.next() % 13)
          let rows = (0..<count).map { _ in
            GuardedRow<Float>(
              (0..<values).map { _ in Float.random(in: -1...1, using: &random) },
              offset: Int(random.next() % 4))
          }
          let weights = (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
          let out = GuardedRow<Float>(values, offset: values % 4)
          let pointers = rows.map { row -> UnsafePointer<Float>? in UnsafePointer(row.pointer) }
          sl_downsample_vertical(pointers, weights, count, out.pointer, values)
          #expect(out.isIntact)
          for i in 0..<values {
            let exact = (0..<count).reduce(0.0) { $0 + Double(weights[$1]) * Double(rows[$1].pointer[i]) }
            if abs(Double(out.pointer[i]) - exact) > 4e-6 {
              Issue.record(
                "\(set), \(values) values of \(count) rows: \(i) is \(out.pointer[i]), not \(exact)")
            }
          }
        }
      }
    }
  }

  /// The whole renderer, with every kernel of one instruction set.
  @Suite("Renderers agree at each instruction set")
  struct WholeRenderer {
    @Test("Colour, geometry and depth as at the best set", arguments: InstructionSet.available)
    func equality(set: InstructionSet) throws {
      let tests = RendererEqualityTests()
      try set.limit {
        for seed in [1, 5, 6] { try tests.exactColor(seed: seed) }
        try tests.channelTables(seed: 3)
        for seed in [0, 3, 11, 22, 35] { try tests.geometry(seed: seed) }
        for seed in [1, 2, 6, 9, 17] { try tests.deep(seed: seed) }
      }
    }
  }
}
