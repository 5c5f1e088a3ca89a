import FrameCore

/// Selects the analyses to run on a frame, and their order: within the budget, each in turn and at its own rate.
///
/// An analysis starts if it is due and the budget is not yet used up. Those left over come first on the next frame, so that
/// a costly one does not starve the others. Where any is due, at least one runs.
struct AnalysisSchedule {
  /// The least time between two runs of each analysis, in nanoseconds; 0 for every frame.
  private let intervals: [Int64]
  /// The times from which each analysis is due; nil before its first run.
  private var due: [Int64?]
  /// The analyses that are due on the current frame, in their order.
  private var order: [Int]
  /// The time of the current frame.
  private var time: Int64?
  /// In nanoseconds.
  private let budget: Int64
  /// The first analysis of the next frame.
  private var first = 0
  /// Analyses already run on the current frame.
  private var done = 0
  private var spent: Int64 = 0

  /// - Parameter intervals: the least seconds between two runs of each analysis; 0 for every frame.
  init(intervals: [Double], budget: Int64) {
    self.intervals = intervals.map { $0 > 0 ? Int64(min($0, 3600) * 1e9) : 0 }
    self.budget = budget
    due = Array(repeating: nil, count: intervals.count)
    order = Array(intervals.indices)
  }

  init(count: Int, budget: Int64) {
    self.init(intervals: Array(repeating: 0, count: count), budget: budget)
  }

  /// Begins a frame of this time; returns whether any analysis is due.
  mutating func beginFrame(at time: Timestamp) -> Bool {
    let now = time.nanoseconds
    // A file that begins again.
    if let last = self.time, now < last { due = Array(repeating: nil, count: due.count) }
    self.time = now
    let count = intervals.count
    order = (0..<count).map { (first + $0) % count }.filter { due[$0].map { now >= $0 } ?? true }
    return !order.isEmpty
  }

  /// Returns the index of the analysis to run next on this frame; nil when the frame is finished.
  func next() -> Int? {
    guard done < order.count, done == 0 || spent < budget else { return nil }
    return order[done]
  }

  /// Records the duration of the analysis returned by `next()`.
  mutating func ran(for nanoseconds: Int64) {
    if let time {
      let index = order[done]
      // In step with the rate that was asked for, unless it cannot be kept.
      due[index] = max((due[index] ?? time) + intervals[index], time + intervals[index] / 2)
    }
    done += 1
    spent += nanoseconds
  }

  /// Ends the frame; returns the analyses left over and whether the budget was exceeded.
  mutating func endFrame() -> (skipped: [Int], isOverrun: Bool) {
    let skipped = Array(order[min(done, order.count)...])
    let isOverrun = spent > budget
    first = skipped.first ?? 0
    order = intervals.indices.map { (first + $0) % intervals.count }
    done = 0
    spent = 0
    return (skipped, isOverrun)
  }
}
