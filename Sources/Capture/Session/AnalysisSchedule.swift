/// Which analyses run on a frame, and in which order: within the budget, and each in its turn.
///
/// An analysis starts as long as the budget is not spent; where it is, those left over come first on the next frame,
/// so that a costly one does not keep the others from ever running. At least one runs on every frame.
struct AnalysisSchedule {
  private let count: Int
  /// In nanoseconds.
  private let budget: Int64
  /// The analysis to begin the next frame with.
  private var first = 0
  /// Analyses that have run on the present frame.
  private var done = 0
  private var spent: Int64 = 0

  init(count: Int, budget: Int64) {
    self.count = count
    self.budget = budget
  }

  /// The index of the analysis to run next on this frame; nil when the frame is done.
  func next() -> Int? {
    guard done < count, done == 0 || spent < budget else { return nil }
    return (first + done) % count
  }

  /// The analysis given by `next()` took so many nanoseconds.
  mutating func ran(for nanoseconds: Int64) {
    done += 1
    spent += nanoseconds
  }

  /// Ends the frame: the analyses that were left over, and whether the budget was exceeded.
  mutating func endFrame() -> (skipped: [Int], isOverrun: Bool) {
    let skipped = (done..<max(done, count)).map { (first + $0) % count }
    let isOverrun = spent > budget
    first = skipped.first ?? 0
    done = 0
    spent = 0
    return (skipped, isOverrun)
  }
}
