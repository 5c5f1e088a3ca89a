import FrameCore

/// Which moments are recorded: from a start to an end, without the pauses. Maps each sample of the recording
/// to the moment that it shows. Pure; moments are nanoseconds of one clock, so that all tracks are cut at the
/// same ones.
struct RecordingTimeline: Sendable {
  struct Segment: Sendable {
    var start: Timestamp
    /// Nil while it is being recorded.
    var end: Timestamp?
    /// Nanoseconds recorded before it.
    var before: Int64
  }

  let sampleRate: Int
  private(set) var segments: [Segment] = []
  private(set) var isFinished = false

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  var isPaused: Bool { segments.last?.end != nil }

  /// - Throws: `SafelightError(.invalidValue)` if it was started before.
  mutating func start(at time: Timestamp) throws {
    guard segments.isEmpty else { throw Self.misuse("has already begun", "begin a new one") }
    segments.append(Segment(start: time, end: nil, before: 0))
  }

  /// - Parameter earliest: what was given out reaches up to here.
  mutating func pause(at time: Timestamp, earliest: Timestamp?) throws {
    guard let last = segments.last, last.end == nil, !isFinished else {
      throw Self.misuse("is not running", "pause it while it runs")
    }
    guard time >= last.start, time >= earliest ?? time else {
      throw Self.misuse(
        "cannot be cut at a moment that was given out", "cut it later, or hold more of it back")
    }
    segments[segments.count - 1].end = time
  }

  mutating func resume(at time: Timestamp) throws {
    guard let last = segments.last, let end = last.end, !isFinished else {
      throw Self.misuse("is not paused", "pause it first")
    }
    guard time >= end else { throw Self.misuse("cannot go on before its pause", "resume it later") }
    segments.append(
      Segment(start: time, end: nil, before: last.before + end.nanoseconds - last.start.nanoseconds))
  }

  /// Ends the recording; a pause that lasts ends it where it was paused.
  mutating func finish(at time: Timestamp) throws {
    guard let last = segments.last, !isFinished else {
      throw Self.misuse("is not running", "finish it while it runs")
    }
    if last.end == nil { try pause(at: time, earliest: nil) }
    isFinished = true
  }

  /// The first sample of a segment. Rounded from the sum of all durations, so that pauses do not add up to an
  /// error.
  func firstSample(of segment: Segment) -> Int64 { sample(segment.before) }

  /// The sample after the last one of a segment; nil while it is being recorded.
  func endSample(of segment: Segment) -> Int64? {
    segment.end.map { sample(segment.before + $0.nanoseconds - segment.start.nanoseconds) }
  }

  private func sample(_ nanoseconds: Int64) -> Int64 {
    let (rate, second) = (Int64(sampleRate), 1_000_000_000 as Int64)
    // By whole seconds and the rest: the product of both would overflow after two days.
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: second)
    return seconds * rate + (rest * rate + second / 2) / second
  }

  /// The moment that a sample of a segment shows.
  func time(of sample: Int64, in segment: Segment) -> Timestamp {
    let rate = Int64(sampleRate)
    let (seconds, rest) = sample.quotientAndRemainder(dividingBy: rate)
    let nanoseconds = seconds * 1_000_000_000 + (rest * 1_000_000_000 + rate / 2) / rate
    return Timestamp(nanoseconds: segment.start.nanoseconds + nanoseconds - segment.before)
  }

  private static func misuse(_ what: String, _ remedy: String) -> SafelightError {
    SafelightError(.invalidValue, "The recording of sound \(what)", remedy: remedy)
  }
}
