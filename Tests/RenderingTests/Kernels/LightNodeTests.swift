import FrameCore
import PixelKernels
import TestSupport
import Testing

@testable import Rendering

extension KernelTests {
  /// What light grids are made with, against plain code in double precision, at each instruction set.
  @Suite("Nodes of light grids")
  struct LightNodes {
    /// Widths around those of vectors, windows wider and higher than the plane, bands that end anywhere.
    static let cases: [(width: Int, height: Int, radius: Int, ends: [Int])] = [
      (1, 1, 1, [1]), (2, 5, 3, [1, 5]), (15, 4, 1, [3, 4]), (16, 9, 20, [9]), (17, 40, 2, [5, 5, 21, 40]),
      (33, 24, 7, [8, 16, 24]), (130, 9, 4, [1, 8, 9]),
    ]

    private func random(_ count: Int, _ random: inout SeededRandom) -> [Float] {
      (0..<count).map { _ in Float.random(in: -4...4, using: &random) }
    }

    /// The means of the windows around all nodes.
    private func means(_ plane: [Double], _ width: Int, _ height: Int, _ radius: Int) -> [Double] {
      func mean(_ place: Int, _ count: Int, _ value: (Int) -> Double) -> Double {
        let window = max(0, place - radius)...min(count - 1, place + radius)
        return window.reduce(0) { $0 + value($1) } / Double(window.count)
      }
      let rows = plane.indices.map { i in mean(i % width, width) { plane[i / width * width + $0] } }
      return plane.indices.map { i in mean(i / width, height) { rows[$0 * width + i % width] } }
    }

    /// Both planes of the guided filter by its definition.
    private func lines(
      _ guide: [Float], _ input: [Float], _ width: Int, _ height: Int, _ radius: Int, epsilon: Double
    ) -> [Double] {
      let (guide, input) = (guide.map(Double.init), input.map(Double.init))
      func mean(_ plane: [Double]) -> [Double] { means(plane, width, height, radius) }
      let (m, n) = (mean(guide), mean(input))
      let (squares, products) = (mean(zip(guide, guide).map(*)), mean(zip(guide, input).map(*)))
      let a = m.indices.map {
        (products[$0] - m[$0] * n[$0]) / (max(squares[$0] - m[$0] * m[$0], 0) + epsilon)
      }
      let b = m.indices.map { n[$0] - a[$0] * m[$0] }
      return mean(a) + mean(b)
    }

    @Test("The guided filter, in bands", arguments: InstructionSet.available)
    func guided(set: InstructionSet) {
      for (width, height, radius, ends) in Self.cases {
        var random = SeededRandom(seed: UInt64(width))
        let count = width * height
        let (guide, other) = (self.random(count, &random), self.random(count, &random))
        let filter = sl_guided_filter(radius: Int32(radius), epsilon: 0.25)
        for input in [guide, other] {
          let guideRow = GuardedRow<Float>(guide)
          let inputRow = input == guide ? guideRow : GuardedRow<Float>(input)
          let scratch = GuardedRow<Float>(
            [Float](repeating: 7, count: sl_guided_scratch(Int32(width), filter)))
          let first = GuardedRow<Float>([Float](repeating: 0, count: 2 * count))
          let nodes = GuardedRow<Float>([Float](repeating: 0, count: 2 * count))
          set.limit {
            for step in 0..<2 {
              for (start, end) in zip([0] + ends, ends) {
                let rows = sl_node_rows(
                  width: Int32(width), height: Int32(height), first: Int32(start), end: Int32(end))
                if step == 0 {
                  sl_guided_lines(
                    guideRow.pointer, inputRow.pointer, rows, filter, scratch.pointer, first.pointer)
                } else {
                  sl_mean_lines(first.pointer, rows, filter, scratch.pointer, nodes.pointer)
                }
              }
            }
          }
          let exact = lines(guide, input, width, height, radius, epsilon: 0.25)
          let worst = exact.indices.map { abs(Double(nodes.pointer[$0]) - exact[$0]) }.max() ?? 1
          #expect(worst < 2e-4, "\(set), \(width) × \(height), \(radius): \(worst)")
          let isIntact = [guideRow, inputRow, scratch, first, nodes].allSatisfy(\.isIntact)
          #expect(isIntact, "\(set), \(width) × \(height)")
        }
      }
    }

    /// Samples side by side, and so far apart that most bytes of a row are none.
    @Test("Nodes of a camera are means of their samples", arguments: 1...4, [1, 3, 40])
    func camera(perNode: Int, step: Int) {
      var random = SeededRandom(seed: UInt64(10 * perNode + step))
      let (count, rowCount) = (150, 3)
      let columns = (0..<3).map { c in (0..<count * perNode).map { Int32($0 * step + c) } }
      let rows = (0..<3).map { _ in
        (0..<rowCount).map { _ in
          GuardedRow<UInt8>((0..<count * perNode * step + 3).map { _ in UInt8(random.next() % 256) })
        }
      }
      let planes = (0..<3).map { _ in GuardedRow<Float>([Float](repeating: -1, count: count)) }
      var nodes = sl_camera_nodes()
      (nodes.row_count, nodes.columns_per_node) = (Int32(rowCount), Int32(perNode))
      // Each channel as it is.
      (nodes.matrix.0, nodes.matrix.4, nodes.matrix.8) = (1 / 255, 1 / 255, 1 / 255)
      withUnsafeMutableBytes(of: &nodes.rows) { bytes in
        let pointers = bytes.bindMemory(to: UnsafePointer<UInt8>?.self)
        for c in 0..<3 {
          for row in 0..<rowCount {
            pointers[c * Int(SL_SAMPLES_PER_NODE) + row] = UnsafePointer(rows[c][row].pointer)
          }
        }
      }
      columns[0].withUnsafeBufferPointer { first in
        columns[1].withUnsafeBufferPointer { second in
          columns[2].withUnsafeBufferPointer { third in
            nodes.columns = (first.baseAddress, second.baseAddress, third.baseAddress)
            sl_sample_camera_nodes(
              &nodes, planes[0].pointer, planes[1].pointer, planes[2].pointer, count)
          }
        }
      }
      for c in 0..<3 {
        for node in 0..<count {
          let samples = rows[c].flatMap { row in
            (0..<perNode).map { Double(row.pointer[Int(columns[c][node * perNode + $0])]) }
          }
          let mean = samples.reduce(0, +) / Double(samples.count) / 255
          #expect(abs(Double(planes[c].pointer[node]) - mean) < 1e-6, "channel \(c), node \(node)")
        }
      }
      let isIntact = planes.allSatisfy(\.isIntact)
      #expect(isIntact)
    }
  }
}
