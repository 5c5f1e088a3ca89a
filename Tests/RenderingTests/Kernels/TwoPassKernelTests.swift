import FilterGraph
import PixelKernels
import TestSupport
import Testing

@testable import Rendering
import Libc

extension KernelTests {
  /// Resampling in two passes, and the way of RGBA there and back, against their definitions in plain code.
  @Suite("Two passes")
  struct TwoPasses {
    private static let size = (width: 176, height: 130)

    private static func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }

    @Test(
      "Rows, then columns, are the sheared kernel's sums", arguments: InstructionSet.available,
      Interpolation.allCases)
    func tiles(set: InstructionSet, interpolation: Interpolation) {
      let (width, height) = Self.size
      var random = SeededRandom(seed: 31)
      let windows = (0..<3).map { _ in
        GuardedRow<UInt8>(
          (0..<width * height).map { _ in
            random.next() % 3 == 0 ? (random.next() % 2 == 0 ? 0 : 255) : UInt8.random(using: &random)
          })
      }
      let kernel = interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR
      let scratch = TileScratch()
      set.limit {
        for trial in 0..<24 {
          let angle = [0, 0.035, -0.26, 0.13, .pi, .pi + 0.2][trial % 6]
          let scale = Double.random(in: 0.4...1, using: &random)
          let mirror: Double = random.next() % 2 == 0 ? 1 : -1
          // Planes share their rows; the third lies elsewhere along them, as colour differences do.
          let (d, e) = (-sin(angle) * scale * mirror, cos(angle) * scale)
          let b = [sin(angle) * scale, sin(angle) * scale, sin(angle) * scale / 2]
          let a = [cos(angle) * scale * mirror, cos(angle) * scale * mirror, cos(angle) * scale * mirror / 2]
          let (columns, rows) = (
            16 * Int.random(in: 1...4, using: &random), Int.random(in: 1...64, using: &random)
          )
          // The middle of the tile is the middle of the window.
          let c = (0..<3).map { 80.3 - a[$0] * Double(columns) / 2 - b[$0] * Double(rows) / 2 }
          let f = 64.2 - d * Double(columns) / 2 - e * Double(rows) / 2
          let out = (0..<3).map { _ in GuardedRow<Int16>(columns * rows) }
          let planes = (0..<3).map { p in
            let shear = b[p] / e
            return sl_plane(
              window: UnsafePointer(windows[p].pointer), row_bytes: width,
              x: sl_axis(
                start: Self.fixed(c[p] - shear * f), column: Self.fixed(a[p] - shear * d),
                row: Self.fixed(shear)),
              dst: out[p].pointer, dst_stride: columns)
          }
          var y = sl_axis(start: Self.fixed(f), column: Self.fixed(d), row: Self.fixed(e))
          sl_resample_in_two_passes(
            planes, 3, kernel, &y, scratch.laneTables, scratch.firstPass, columns, rows)
          for p in 0..<3 {
            #expect(out[p].isIntact)
            for j in 0..<rows {
              for i in 0..<columns {
                let px = a[p] * Double(i) + b[p] * Double(j) + c[p]
                let py = d * Double(i) + e * Double(j) + f
                let exact = KernelWindow(
                  x: px, y: py, width: width, height: height, interpolation: interpolation, order: .rowsFirst,
                  shear: b[p] / e
                ).sum { SIMD2(Double(windows[p].pointer[$1 * width + $0]), 0) }.x
                let value = Double(out[p].pointer[j * columns + i]) / 64
                // Weights between 1/64 of a sample are interpolated.
                if abs(value - exact) > 0.15 {
                  Issue.record(
                    "\(set), \(angle) × \(scale), mirror \(mirror), plane \(p), \(columns)×\(rows): \(i), \(j) is \(value), not \(exact)"
                  )
                  return
                }
              }
            }
          }
        }
      }
    }

    @Test(
      "Columns that climb as far as tables go, or further, are the kernel's sums",
      arguments: InstructionSet.available, Interpolation.allCases)
    func climbs(set: InstructionSet, interpolation: Interpolation) {
      let (width, height) = Self.size
      var random = SeededRandom(seed: 36)
      let window = GuardedRow<UInt8>((0..<width * height).map { _ in UInt8.random(using: &random) })
      let scratch = TileScratch()
      let (columns, rows) = (64, 20)
      let climbs = [0.335, -0.335, 0.4, -0.4, 0.417, -0.417, 0.9, -0.9]
      set.limit {
        for (climb, shear) in climbs.flatMap({ climb in [0, 0.21, -0.3].map { (climb, $0) } }) {
          let out = GuardedRow<Int16>(columns * rows)
          // The middle of the tile is the middle of the window.
          let (left, top) = (40.3 - shear * 64.2, 64.2 - climb * Double(columns) / 2 - Double(rows) / 2)
          let plane = sl_plane(
            window: UnsafePointer(window.pointer), row_bytes: width,
            x: sl_axis(start: Self.fixed(left), column: Self.fixed(0.97), row: Self.fixed(shear)),
            dst: out.pointer, dst_stride: columns)
          var y = sl_axis(start: Self.fixed(top), column: Self.fixed(climb), row: Self.fixed(1))
          sl_resample_in_two_passes(
            [plane], 1, interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR, &y,
            scratch.laneTables, scratch.firstPass, columns, rows)
          #expect(out.isIntact)
          // Beyond the tables' bound lines are sampled, which is less exact and knows no shear.
          let isDirect = abs(climb) > 0.4
          let tolerance = isDirect ? 0.5 : 0.15
          let wrong = (0..<columns * rows).filter { pixel in
            let (column, row) = (Double(pixel % columns), Double(pixel / columns))
            let py = top + climb * column + row
            let exact = KernelWindow(
              x: left + 0.97 * column + shear * py, y: py, width: width, height: height,
              interpolation: interpolation, shear: isDirect ? 0 : shear
            ).sum { SIMD2(Double(window.pointer[$1 * width + $0]), 0) }.x
            return abs(Double(out.pointer[pixel]) / 64 - exact) > tolerance
          }
          #expect(wrong.isEmpty, "\(set), climb \(climb), shear \(shear): \(wrong.count) pixels")
        }
      }
    }

    @Test("Flat areas stay exactly as they are", arguments: InstructionSet.available, Interpolation.allCases)
    func flat(set: InstructionSet, interpolation: Interpolation) {
      let (width, height) = Self.size
      let scratch = TileScratch()
      set.limit {
        for level: UInt8 in [0, 1, 127, 254, 255] {
          let window = GuardedRow<UInt8>([UInt8](repeating: level, count: width * height))
          let out = GuardedRow<Int16>(64 * 40)
          let plane = sl_plane(
            window: UnsafePointer(window.pointer), row_bytes: width,
            x: sl_axis(start: Self.fixed(40.1), column: Self.fixed(1.0013), row: Self.fixed(0.1)),
            dst: out.pointer, dst_stride: 64)
          var y = sl_axis(start: Self.fixed(30.7), column: Self.fixed(-0.1), row: Self.fixed(0.993))
          sl_resample_in_two_passes(
            [plane], 1, interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR, &y,
            scratch.laneTables, scratch.firstPass, 64, 40)
          let wrong = (0..<64 * 40).filter { out.pointer[$0] != 64 * Int16(level) }
          #expect(wrong.isEmpty, "\(set), level \(level): \(wrong.count) pixels")
        }
      }
    }

    /// Sums of 80×40 pixels that are turned by `angle`.
    private static func turned(
      by angle: Double, _ interpolation: Interpolation, _ window: GuardedRow<UInt8>, _ scratch: TileScratch
    ) -> [Int16] {
      let out = GuardedRow<Int16>(80 * 40)
      let shear = sin(angle) / cos(angle)
      let plane = sl_plane(
        window: UnsafePointer(window.pointer), row_bytes: size.width,
        x: sl_axis(start: fixed(30.4), column: fixed(cos(angle) + shear * sin(angle)), row: fixed(shear)),
        dst: out.pointer, dst_stride: 80)
      var y = sl_axis(start: fixed(50.6), column: fixed(-sin(angle)), row: fixed(cos(angle)))
      sl_resample_in_two_passes(
        [plane], 1, interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR, &y, scratch.laneTables,
        scratch.firstPass, 80, 40)
      return out.samples
    }

    @Test(
      "All instruction sets agree to the bit, whatever was sampled before", arguments: Interpolation.allCases)
    func agreement(interpolation: Interpolation) {
      var random = SeededRandom(seed: 35)
      let window = GuardedRow<UInt8>(
        (0..<Self.size.width * Self.size.height).map { _ in UInt8.random(using: &random) })
      // More than the tables that are kept.
      let angles = [0.035, -0.02, 0, 0.25, 0.1, -0.25, 0.035]
      let first = angles.map { Self.turned(by: $0, interpolation, window, TileScratch()) }
      for set in InstructionSet.available {
        set.limit {
          let scratch = TileScratch()
          for (angle, expected) in zip(angles, first) {
            let sums = Self.turned(by: angle, interpolation, window, scratch)
            #expect(sums == expected, "\(set), \(angle)")
          }
        }
      }
    }

    @Test("Windows hold the rows that tables of two passes may begin with")
    func windows() {
      // The last column climbs to just below row 500. Its taps are those of the node before, which may lie above.
      let (angle, columns) = (0.05, 64)
      let (a, b) = (cos(angle), sin(angle))
      let map = AffineMap(a: a, b: b, c: 100, d: -b, e: a, f: 500.003 + b * (Double(columns) - 0.5) - a / 2)
      func first(_ order: SamplingOrder) -> Int {
        SampledPlane(SampleGrid(map, order: order, interpolation: .sharp), width: 2000, height: 2000)
          .window(columns: 0..<columns, rows: 0..<10).y
      }
      #expect(first(.rowsFirst) == 499 - 2)
      #expect(first(.direct) == 500 - 2)
    }

    @Test("Colours are copied to planes with their edges extended", arguments: InstructionSet.available)
    func colours(set: InstructionSet) {
      var random = SeededRandom(seed: 32)
      set.limit {
        for (width, height) in [(1, 1), (3, 2), (70, 9), (200, 5)] {
          let source = GuardedRow<UInt8>((0..<4 * width * height).map { _ in UInt8.random(using: &random) })
          for _ in 0..<4 {
            let (x, y) = (Int.random(in: -90...210, using: &random), Int.random(in: -5...10, using: &random))
            let (columns, rows) = (
              Int.random(in: 1...150, using: &random), Int.random(in: 1...12, using: &random)
            )
            let out = (0..<3).map { _ in GuardedRow<UInt8>(columns * rows) }
            sl_copy_colours(
              source.pointer, 4 * width, Int32(width), Int32(height), Int32(x), Int32(y), Int32(columns),
              Int32(rows), out.map { UnsafeMutablePointer<UInt8>?($0.pointer) }, columns)
            for plane in 0..<3 {
              #expect(out[plane].isIntact)
              let wrong = (0..<columns * rows).filter { k in
                let cx = min(max(x + k % columns, 0), width - 1)
                let cy = min(max(y + k / columns, 0), height - 1)
                return out[plane].pointer[k] != source.pointer[4 * (cy * width + cx) + plane]
              }
              #expect(wrong.isEmpty, "\(set), \(width)×\(height) at \(x), \(y), plane \(plane)")
            }
          }
        }
      }
    }

    @Test("Samples are turned about their diagonal", arguments: InstructionSet.available)
    func transposing(set: InstructionSet) {
      var random = SeededRandom(seed: 33)
      set.limit {
        for (width, height) in [(1, 1), (7, 9), (8, 8), (31, 50), (64, 17)] {
          let (from, to) = (width + 3, height + 5)
          let source = GuardedRow<UInt8>((0..<from * height).map { _ in UInt8.random(using: &random) })
          let out = GuardedRow<UInt8>([UInt8](repeating: 77, count: to * width))
          sl_transpose_samples(source.pointer, from, width, height, out.pointer, to)
          #expect(out.isIntact)
          for y in 0..<width {
            for x in 0..<to {
              let expected = x < height ? source.pointer[x * from + y] : 77
              #expect(out.pointer[y * to + x] == expected, "\(set), \(width)×\(height): \(x), \(y)")
            }
          }
        }
      }
    }

    @Test("Sums become RGBA8 and samples of 16 bit, clipped and rounded", arguments: InstructionSet.available)
    func storing(set: InstructionSet) {
      var random = SeededRandom(seed: 34)
      set.limit {
        for n in Array(0...70) + [256] {
          let sums = (0..<3).map { _ in
            GuardedRow<Int16>(
              (0..<n).map { $0 == 0 ? 64 * 255 : Int16.random(in: -6000...22000, using: &random) })
          }
          let packed = GuardedRow<UInt8>(4 * n)
          let scaled = GuardedRow<UInt16>(n)
          sl_pack_sums(sums.map { UnsafePointer<Int16>?($0.pointer) }, packed.pointer, n)
          sl_scale_sums(sums[0].pointer, scaled.pointer, n)
          #expect(packed.isIntact && scaled.isIntact)
          for i in 0..<n {
            for plane in 0..<3 {
              let exact = min(max(Double(sums[plane].pointer[i]) / 64, 0), 255)
              #expect(abs(Double(packed.pointer[4 * i + plane]) - exact) <= 0.5)
            }
            #expect(packed.pointer[4 * i + 3] == 255)
            let exact = min(max(Double(sums[0].pointer[i]) / 64, 0), 255) * 257
            #expect(abs(Double(scaled.pointer[i]) - exact) <= 1)
          }
        }
      }
    }
  }
}
