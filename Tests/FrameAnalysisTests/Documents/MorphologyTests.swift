import AnalysisKernels
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Detail removed by closing and opening")
struct MorphologyTests {
  /// The extreme over a window that begins (or ends) at each sample, as defined, with the edge's samples beyond it.
  private func extreme(
    _ plane: [Float], _ w: Int, _ h: Int, _ window: Range<Int>, _ pick: (Float, Float) -> Float
  )
    -> [Float]
  {
    (0..<w * h).map { at in
      var result = plane[at]
      for dy in window {
        for dx in window {
          let (x, y) = (min(max(at % w + dx, 0), w - 1), min(max(at / w + dy, 0), h - 1))
          result = pick(result, plane[y * w + x])
        }
      }
      return result
    }
  }

  @Test(
    "The kernel is a closing and an opening by a square",
    arguments: [(37, 23, 3), (8, 8, 2), (5, 3, 3), (64, 1, 1)])
  func reference(width: Int, height: Int, steps: Int) {
    var random = SeededRandom(seed: UInt64(width * height))
    let plane = (0..<width * height).map { _ in Float.random(in: 0...1, using: &random) }
    let (ahead, back) = (0..<1 << steps, 1 - (1 << steps)..<1)
    var expected = extreme(plane, width, height, ahead, max)
    expected = extreme(expected, width, height, back, min)
    expected = extreme(expected, width, height, ahead, min)
    expected = extreme(expected, width, height, back, max)
    var output = [Float](repeating: 0, count: width * height)
    var scratch = [Float](repeating: 0, count: width)
    sla_remove_detail(plane, Int32(width), Int32(height), Int32(steps), &output, &scratch)
    #expect(output == expected)
  }
}
