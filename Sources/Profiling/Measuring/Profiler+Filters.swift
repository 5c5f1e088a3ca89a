import FilterGraph
import FrameCore
import Rendering

/// Measures the cost of each filter.
extension Profiler {
  /// Measures each filter alone and within the plan, from plans with and without it, rendered in rotation.
  func measureFilters(seconds: Double, frame: Double) throws -> [ProfileReport.FilterCost] {
    let recipe = settings.recipe
    let filters = recipe.filtersInPlanOrder
    guard !filters.isEmpty else { return [] }
    // The whole plan, an empty one, and for each filter a plan with only it and one without it.
    let bakes = BakeCache(capacity: 2 * filters.count + 2)
    func make(_ filters: [any Filter]) throws -> ProfileWorkload {
      var part = recipe
      part.filters = filters
      let plan = try Self.plan(part, source.planInput, settings, renderer, bakes: bakes)
      return try Self.workload(plan, on: chosen, from: source, sharing: outputs)
    }
    var workloads = [workload, try make([])]
    for index in filters.indices {
      try progress("filters", 0.65 + 0.05 * Double(index) / Double(filters.count))
      var others = filters
      others.remove(at: index)
      do {
        workloads.append(try make([filters[index]]))
        workloads.append(try make(others))
      } catch let error as SafelightError {
        // Caused by a crop in pixels that only fits another filter's output, for example.
        notes.append(
          "what filters cost was not measured, since they do not fit without each other: " + error.problem)
        return []
      }
    }
    let round = frame * Double(workloads.count) / 1000
    // At least three rounds are needed.
    guard 3 * round < max(settings.seconds, 2) else {
      notes.append("frames take too long to measure each filter; more --seconds allow it")
      return []
    }
    for workload in workloads { _ = try workload.renderFrame() }
    let affordable = Int(seconds / round)
    let rounds = min(max(affordable, 3), 25)
    let frames = min(max(affordable / rounds, 1), 200)
    var times = workloads.map { _ in [Double]() }
    for index in 0..<rounds {
      try progress("filters", 0.7 + 0.1 * Double(index) / Double(rounds))
      for (number, workload) in workloads.enumerated() {
        times[number].append(1000 * (try workload.median(of: frames)))
      }
    }
    /// Returns the median of the differences within rounds, during which the machine's speed was the same.
    func difference(_ first: Int, _ second: Int) -> Double {
      OrderStatistics.median(zip(times[first], times[second]).map { $0 - $1 })
    }
    return filters.enumerated().map { index, filter in
      ProfileReport.FilterCost(
        id: type(of: filter).id.name, text: filter.profileText,
        aloneMilliseconds: difference(2 + 2 * index, 1), inPlanMilliseconds: difference(0, 3 + 2 * index))
    }
  }
}
