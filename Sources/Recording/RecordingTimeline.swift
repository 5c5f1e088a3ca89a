import FrameCore

/// Leaves the pauses out of a recording: maps moments of the clock to a time that stands still while it is paused.
///
/// Pictures and sound go through the same cuts, so a pause moves neither against the other. The times are nanoseconds
/// on the clock, less the pauses before them.
struct RecordingTimeline: Sendable {
  private struct Pause {
    var begin: Timestamp
    /// Nil while the recording is paused.
    var end: Timestamp?
  }

  private var pauses: [Pause] = []

  var isPaused: Bool { pauses.last.map { $0.end == nil } ?? false }

  /// Begins a pause at `time`, or at the end of the last one if that is later. Does nothing during a pause.
  mutating func pause(at time: Timestamp) {
    guard !isPaused else { return }
    pauses.append(Pause(begin: max(time, pauses.last?.end ?? time), end: nil))
  }

  /// Ends the pause at `time`, but not before it began. Does nothing without a pause.
  mutating func resume(at time: Timestamp) {
    guard isPaused, let last = pauses.indices.last else { return }
    pauses[last].end = max(time, pauses[last].begin)
  }

  /// Returns the recorded time of a moment; nil within a pause.
  func recordedTime(of time: Timestamp) -> Int64? {
    var removed: Int64 = 0
    for pause in pauses {
      guard pause.begin <= time else { break }
      guard let end = pause.end, end <= time else { return nil }
      removed += end.nanoseconds - pause.begin.nanoseconds
    }
    return time.nanoseconds - removed
  }

  /// Returns the recorded time at which a moment lies or, within a pause, at which the pause was cut out.
  func nearestRecordedTime(of time: Timestamp) -> Int64 {
    var removed: Int64 = 0
    for pause in pauses {
      guard pause.begin <= time else { break }
      guard let end = pause.end, end <= time else { return pause.begin.nanoseconds - removed }
      removed += end.nanoseconds - pause.begin.nanoseconds
    }
    return time.nanoseconds - removed
  }

  /// A run of samples that is kept.
  struct KeptSamples: Equatable {
    /// The position within the run that was asked about.
    var offset: Int
    var count: Int
    /// The number of the first sample in the recording.
    var position: Int64
  }

  /// Returns the parts of a run of samples that lie outside of pauses.
  ///
  /// Samples are numbered from `epoch`, at `rate` a second. Each cut is at the sample nearest to the pause's begin or
  /// end, so that many pauses do not add up to an offset.
  func keptSamples(from position: Int64, count: Int, rate: Int, epoch: Timestamp) -> [KeptSamples] {
    var parts: [KeptSamples] = []
    let end = position + Int64(count)
    var next = position
    func add(until limit: Int64) {
      guard limit > next else { return }
      let removed = removedSamples(before: next, rate, epoch)
      parts.append(
        KeptSamples(offset: Int(next - position), count: Int(limit - next), position: next - removed))
    }
    for pause in pauses {
      let begin = SampleTime.samples(pause.begin.nanoseconds - epoch.nanoseconds, rate: rate)
      let finish = pause.end.map { SampleTime.samples($0.nanoseconds - epoch.nanoseconds, rate: rate) }
      guard (finish ?? .max) > next else { continue }
      guard begin < end else { break }
      add(until: min(begin, end))
      next = max(next, min(finish ?? end, end))
      if finish == nil { return parts }
    }
    add(until: end)
    return parts
  }

  /// The samples that pauses before `position` took away. Counted from the whole length of the pauses, so that
  /// roundings do not add up.
  private func removedSamples(before position: Int64, _ rate: Int, _ epoch: Timestamp) -> Int64 {
    var nanoseconds: Int64 = 0
    for pause in pauses {
      guard let end = pause.end else { break }
      guard SampleTime.samples(end.nanoseconds - epoch.nanoseconds, rate: rate) <= position else { break }
      nanoseconds += end.nanoseconds - pause.begin.nanoseconds
    }
    return SampleTime.samples(nanoseconds, rate: rate)
  }
}
