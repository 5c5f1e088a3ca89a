/// Selects the analyses to run on a frame, and their order: within the budget, and each in turn.
///
/// An analysis starts if the budget is not yet used up. Those left over come first on the next frame, so that a
/// costly one does not starve the others. At least one runs on every frame.
struct AnalysisSchedule {
  private let count: Int
  /// In nanoseconds.
  private let budget: Int64
  /// The first analysis of the next frame.
  private var first = 0
  /// Analyses already run on the current frame.
  private var done = 0
  private var spent: Int64 = 0

  init(count: Int, budget: Int64) {
    self.count = count
    self.budget = budget
  }

  /// Returns the index of the analysis to run next on this frame; nil when the frame is finished.
  func next() -> Int? {
    guard done < count, done == 0 || spent < budget else { return nil }
    return (first + done) % count
  }

  /// Records the duration of the analysis returned by `next()`.
  mutating func ran(for nanoseconds: Int64) {
    done += 1
    spent += nanoseconds
  }

  /// Ends the frame; returns the analyses left over and whether the budget was exceeded.
  mutating func endFrame() -> (skipped: [Int], isOverrun: Bool) {
    let skipped = (done..<max(done, count)).map { (first + $0) % count }
    let isOverrun = spent > budget
    first = skipped.first ?? 0
    done = 0
    spent = 0
    return (skipped, isOverrun)
  }
}
