import ColorScience
import Filters
import FrameCore
import Synchronization
import Testing

@testable import FilterGraph

/// Counts how often colours are run through stages: each bake does so several times, a remembered table never.
private final class CountingEvaluator: ColorEvaluator {
  private let calls = Mutex(0)
  var count: Int { calls.withLock { $0 } }

  func evaluate(_ stages: [Stage], on colors: inout ColorPlanes) {
    calls.withLock { $0 += 1 }
    ExactEvaluator().evaluate(stages, on: &colors)
  }
}

@Suite("A cache of baked tables")
struct BakeCacheTests {
  private func plan(_ filters: [any Filter], _ evaluator: CountingEvaluator, _ cache: BakeCache?) throws
    -> Plan
  {
    try Plan(
      Recipe(filters: filters), input: PlanInput(size: PixelSize(width: 90, height: 60)),
      output: PlanOutput(),
      evaluator: evaluator, bakes: cache)
  }

  @Test("gives the same plan as baking does, without baking, while only geometry changes")
  func geometryChanges() throws {
    let (evaluator, cache) = (CountingEvaluator(), BakeCache())
    let first = try plan([Saturation(20), Straighten(1)], evaluator, cache)
    let calls = evaluator.count
    #expect(calls > 0)
    let second = try plan([Saturation(20), Straighten(2)], evaluator, cache)
    #expect(evaluator.count == calls)
    #expect(try second == plan([Saturation(20), Straighten(2)], evaluator, nil))
    #expect(evaluator.count == 2 * calls)
    guard case .baked(let one)? = first.stages.last, case .baked(let other)? = second.stages.last else {
      Issue.record("a saturation has a table")
      return
    }
    #expect(one.nodes === other.nodes)
  }

  @Test("keeps apart what differs in a number or in the output's space, and forgets the least used")
  func eviction() throws {
    let (evaluator, cache) = (CountingEvaluator(), BakeCache(capacity: 2))
    func bakes(_ amount: Float) throws -> Bool {
      let before = evaluator.count
      _ = try plan([Saturation(amount)], evaluator, cache)
      return evaluator.count > before
    }
    #expect(try bakes(10) && bakes(11))
    #expect(try !bakes(10) && !bakes(11) && !bakes(10))
    #expect(try bakes(12))
    #expect(try !bakes(10) && bakes(11))
  }
}
