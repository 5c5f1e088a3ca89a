/// Samples that wait for their file, in runs without gaps.
struct PendingSound {
  struct Run {
    /// Interleaved.
    var samples: [Float]
    /// The number of the first sample per channel.
    var position: Int64
  }

  private let channels: Int
  private var runs: [Run] = []
  /// The number after that of the last sample that was appended.
  private(set) var end: Int64 = 0
  /// The number of the first sample that waits, or that is to come.
  private(set) var begin: Int64 = 0

  init(channels: Int) { self.channels = channels }

  private func count(_ run: Run) -> Int64 { Int64(run.samples.count / channels) }

  /// Appends samples; what overlaps with earlier ones is left out.
  mutating func append(_ samples: [Float], at position: Int64) {
    var run = Run(samples: samples, position: position)
    if run.position < end, end > begin || !runs.isEmpty || begin > 0 { trim(&run, before: end) }
    guard !run.samples.isEmpty else { return }
    if runs.isEmpty { begin = max(begin, run.position) }
    end = run.position + count(run)
    runs.append(run)
  }

  /// Takes the samples before `limit` away.
  mutating func take(until limit: Int64) -> [Run] {
    var taken: [Run] = []
    while let first = runs.first, first.position < limit {
      let excess = first.position + count(first) - limit
      if excess <= 0 {
        taken.append(runs.removeFirst())
      } else {
        let split = first.samples.count - Int(excess) * channels
        taken.append(Run(samples: Array(first.samples[..<split]), position: first.position))
        runs[0] = Run(samples: Array(first.samples[split...]), position: limit)
      }
    }
    begin = max(begin, runs.first?.position ?? min(limit, end))
    return taken
  }

  mutating func drop(before limit: Int64) { _ = take(until: limit) }

  private func trim(_ run: inout Run, before limit: Int64) {
    let surplus = min(count(run), limit - run.position)
    guard surplus > 0 else { return }
    run.samples.removeFirst(Int(surplus) * channels)
    run.position += surplus
  }
}
