import PixelKernels
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests {
  @Suite("Nodes between computed ones")
  struct NodeRefinements {
    @Test(
      "are the scalar code's within two codes, with and without threads", arguments: InstructionSet.available)
    func equality(set: InstructionSet) throws {
      var random = SeededRandom(seed: 31)
      for shape in TableForm.shapes {
        guard let grid = ThinGrid.ofShapes[shape] else { continue }
        let count = grid.axis.count
        let codes = (0..<4 * count * count * count).map { index -> Int16 in
          index % 4 == 3 ? 0 : Int16.random(in: -16_320...16_320, using: &random)
        }
        let expected = grid.refined(codes)
        let pool = WorkerPool(threads: 3)
        for evaluator in [KernelEvaluator(), KernelEvaluator(pool: pool)] {
          var refined: [Int16] = []
          set.limit { refined = evaluator.refined(codes, by: grid) }
          let worst = zip(refined, expected).map { abs(Int($0) - Int($1)) }.max() ?? .max
          #expect(worst <= 2, "\(set), \(shape.size)")
        }
      }
    }
  }
}
