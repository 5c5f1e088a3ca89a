import ColorScience
import Filters
import FrameCore
import Testing

@testable import FilterGraph
@testable import Rendering

/// Tables whose error comes close to the bound, from both sides.
@Suite("Tables close to their bound")
struct AcceptedErrorTests {
  @Test("Of chains that get harder step by step no table is taken beyond the bound, and those just below are")
  func sweep() throws {
    var taken: [Double] = []
    var refused: [Double] = []
    for step in 0..<40 {
      let recipe = Recipe(filters: [Contrast(Float(step) * 2), Saturation(Float(step))])
      let plan = try Plan(
        recipe, input: PlanInput(size: PixelSize(width: 8, height: 8)), output: PlanOutput(),
        evaluator: KernelEvaluator())
      let baker = Baker(evaluator: KernelEvaluator(), outputSpace: .sRGB)
      let tables = baker.bake(plan.exactStages) { _, error in refused.append(error.maximum) }
      if let table = tables.first { taken.append(table.error.maximum) }
    }
    print("TAKEN", taken, "REFUSED", refused)
    // Nobody promises more than the largest of all colours tried.
    #expect(taken.allSatisfy { $0 <= BakeError.maximumBound })
    #expect(taken.contains { $0 > 0.8 })
    #expect(refused.contains { (BakeError.maximumBound..<1.5).contains($0) })
  }
}
