import FilterGraph
import PixelKernels
import TestSupport
import Testing

@testable import Rendering
import Libc

extension KernelTests {
  /// The kernels of camera formats, against their definitions in plain code.
  @Suite("Planar samples")
  struct Planar {
    @Test(
      "Lines through windows are the kernel's sums, at any angle", arguments: InstructionSet.available,
      Interpolation.allCases)
    func lines(set: InstructionSet, interpolation: Interpolation) {
      let (rowBytes, rows) = (192, 150)
      var random = SeededRandom(seed: 11)
      let windows = (0..<2).map { _ in
        GuardedRow<UInt8>((0..<rowBytes * rows).map { _ in UInt8.random(using: &random) })
      }
      set.limit {
        for _ in 0..<40 {
          let n = 16 * Int.random(in: 1...4, using: &random)
          let angle = random.next() % 3 == 0 ? 0.03 : Double.random(in: 0...6.283, using: &random)
          let step = Double.random(in: 0.4...1, using: &random)
          let (dx, dy) = (cos(angle) * step, sin(angle) * step)
          // The middle of the line is the middle of the window, so that all of it lies inside.
          let (x, y) = (75.3 - dx * Double(n) / 2, 75.8 - dy * Double(n) / 2)
          func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }
          var line = sl_line(x: fixed(x), y: fixed(y), dx: fixed(dx), dy: fixed(dy))
          let out = (0..<2).map { _ in GuardedRow<Int16>(n) }
          sl_resample_planes(
            windows.map { UnsafePointer<UInt8>?($0.pointer) }, 2, rowBytes, Self.kernel(interpolation), &line,
            out.map { UnsafeMutablePointer<Int16>?($0.pointer) }, n)
          for plane in 0..<2 {
            #expect(out[plane].isIntact)
            for i in 0..<n {
              let (px, py) = (x + Double(i) * dx, y + Double(i) * dy)
              let exact = KernelWindow(
                x: px, y: py, width: rowBytes, height: rows, interpolation: interpolation
              ).sum { SIMD2(Double(windows[plane].pointer[$1 * rowBytes + $0]), 0) }.x
              let value = Double(out[plane].pointer[i]) / 64
              // Positions are rounded to 1/1024 sample, which moves an edge by at most 0.2 of a level each way.
              if abs(value - exact) > 0.45 {
                Issue.record("\(set), \(angle) × \(step): pixel \(i) is \(value), not \(exact)")
                return
              }
            }
          }
        }
      }
    }

    static func kernel(_ interpolation: Interpolation) -> sl_kernel {
      interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR
    }

    @Test(
      "Whole places give the samples themselves", arguments: InstructionSet.available, Interpolation.allCases)
    func wholePlaces(set: InstructionSet, interpolation: Interpolation) {
      var random = SeededRandom(seed: 12)
      let window = GuardedRow<UInt8>((0..<96 * 40).map { _ in UInt8.random(using: &random) })
      set.limit {
        for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
          let out = GuardedRow<Int16>(16)
          var line = sl_line(x: 20 << 32, y: 20 << 32, dx: Int64(dx) << 32, dy: Int64(dy) << 32)
          sl_resample_planes(
            [UnsafePointer(window.pointer)], 1, 96, Self.kernel(interpolation), &line, [out.pointer], 16)
          for i in 0..<16 {
            #expect(Int(out.pointer[i]) == 64 * Int(window.pointer[(20 + i * dy) * 96 + 20 + i * dx]))
          }
        }
      }
    }

    @Test("Windows are copied with their edges extended", arguments: InstructionSet.available)
    func windows(set: InstructionSet) {
      var random = SeededRandom(seed: 13)
      set.limit {
        for (step, channel) in [(1, 0), (2, 0), (2, 1), (4, 0), (4, 1), (4, 3)] {
          for (width, height) in [(1, 1), (3, 2), (70, 9), (200, 5)] {
            // A row ends with its last sample.
            let rowBytes = (width - 1) * step + channel + 1
            let source = GuardedRow<UInt8>((0..<rowBytes * height).map { _ in UInt8.random(using: &random) })
            var samples = sl_samples(
              base: source.pointer, row_bytes: rowBytes, width: Int32(width), height: Int32(height),
              step: Int32(step), channel: Int32(channel))
            let (x, y) = (Int.random(in: -90...210, using: &random), Int.random(in: -5...10, using: &random))
            let (columns, rows) = (
              Int.random(in: 1...150, using: &random), Int.random(in: 1...12, using: &random)
            )
            let out = GuardedRow<UInt8>(columns * rows)
            sl_copy_window(&samples, Int32(x), Int32(y), Int32(columns), Int32(rows), out.pointer, columns)
            #expect(out.isIntact)
            for j in 0..<rows {
              for i in 0..<columns {
                let (cx, cy) = (min(max(x + i, 0), width - 1), min(max(y + j, 0), height - 1))
                if out.pointer[j * columns + i] != source.pointer[cy * rowBytes + cx * step + channel] {
                  Issue.record("\(set), step \(step), \(width)×\(height) at \(x), \(y): \(i), \(j)")
                  return
                }
              }
            }
          }
        }
      }
    }
  }
}
