import FrameCore
import MovieIO

/// Decides for a recorder which pictures are compressed and where they go; used by its threads under a lock.
///
/// Orders (`record`, `pause`, `end` …) come from any thread and take effect at boundaries between pictures: the time
/// of the next picture is foretold from the last two.
struct RecordingPlan {
  struct Settings {
    var assembly = MovieAssembly.Settings()
    /// Nanoseconds after which a recording ends by itself; nil for none.
    var duration: Int64?
  }

  /// What to do with a picture.
  enum Decision: Equatable {
    /// Compress it, as a key picture if asked.
    case encode(time: Int64, isKey: Bool)
    /// Neither recorded nor kept.
    case skip
    /// Not after the picture before.
    case outOfOrder
  }

  private var settings: Settings
  private(set) var timeline = RecordingTimeline()
  private(set) var assembly: MovieAssembly
  /// Where the current recording ends, in recorded time; nil as long as it goes on.
  private(set) var ending: Int64? {
    didSet { assembly.soundLimit = ending }
  }
  private var lastTime: Timestamp?
  private var lastRecorded: Int64?
  private var lastKey: Int64?
  private var interval: Int64

  /// Key pictures are at most this far apart.
  private static let keyInterval: Int64 = 1_000_000_000

  /// - Parameter framesPerSecond: 0 if the source has no rate.
  init(_ settings: Settings, framesPerSecond: Double) {
    interval = framesPerSecond > 0.01 ? Int64(1e9 / framesPerSecond) : 33_333_333
    var settings = settings
    settings.assembly.interval = interval
    self.settings = settings
    assembly = MovieAssembly(settings.assembly)
  }

  var phase: MovieStatus.Phase {
    switch assembly.phase {
    case .standby: .standby
    case .awaitingKey, .recording: timeline.isPaused ? .paused : .recording
    case .ended: .ended
    }
  }

  /// Whether a picture of this time is recorded or kept, if it comes.
  func takes(_ time: Timestamp) -> Bool {
    guard let recorded = timeline.recordedTime(of: time) else { return false }
    return takes(recorded)
  }

  /// Returns how many of the pictures right before one of this time would have been recorded or kept.
  func missing(of count: Int, before time: Timestamp) -> Int {
    guard let recorded = timeline.recordedTime(of: time) else { return 0 }
    // Between pictures, since their times vary.
    return (0..<count).count { takes(recorded - Int64($0) * interval - interval / 2) }
  }

  private func takes(_ recorded: Int64) -> Bool {
    guard !isIdle, assembly.phase != .ended else { return false }
    let length = settings.duration.flatMap { length in start.map { $0 + length } }
    return (ending ?? length).map { recorded < $0 } ?? true
  }

  /// Whether pictures are neither recorded nor kept.
  private var isIdle: Bool { assembly.phase == .standby && settings.assembly.preRoll == 0 }

  /// The recorded time at which the recording began; nil in standby.
  var start: Int64? { assembly.start }

  /// The recorded time of the newest picture.
  var now: Int64? { lastRecorded }

  /// The recorded time at which the newest picture ends.
  var end: Int64? { lastRecorded.map { $0 + interval } }

  /// The length of a recording that ends, in seconds.
  var recordedSeconds: Double {
    guard let start, let ending else { return seconds }
    return Double(ending - start) / 1e9
  }

  /// Seconds recorded up to the newest picture.
  var seconds: Double {
    guard let start = assembly.start, let last = lastRecorded else { return 0 }
    return Double(max(0, last + interval - start)) / 1e9
  }

  // MARK: Orders

  /// Begins a recording, or resumes it. While one ends, the next one begins after it.
  mutating func record() {
    guard ending == nil else {
      isNextWanted = true
      return
    }
    assembly.begin()
    leavePause(at: .now)
  }

  /// Whether a recording is to begin once the current one has ended.
  private var isNextWanted = false

  /// Returns whether the recording was going on.
  mutating func pause(at moment: Timestamp) -> Bool {
    guard phase == .recording, ending == nil else { return false }
    timeline.pause(at: boundary(after: moment))
    return true
  }

  /// Returns whether the recording was paused.
  mutating func resume(at moment: Timestamp) -> Bool {
    guard phase == .paused, ending == nil else { return false }
    timeline.resume(at: boundary(after: moment))
    return true
  }

  /// Lets the recording go on in a new file from the next key picture on.
  mutating func cut() { assembly.isCutWanted = true }

  /// Ends the recording at a moment; pictures from then on are not part of it.
  mutating func end(at moment: Timestamp) {
    isNextWanted = false
    guard phase == .recording || phase == .paused, ending == nil else { return }
    ending = Self.onTick(timeline.nearestRecordedTime(of: moment))
    leavePause(at: moment)
  }

  /// Lets pictures come again, of which the first one says that those before the end are all there.
  private mutating func leavePause(at moment: Timestamp) {
    if timeline.isPaused { timeline.resume(at: boundary(after: moment)) }
  }

  /// Ends the recording with the picture before this recorded time. Returns false if it has none yet, or ends already.
  mutating func end(before time: Int64) -> Bool {
    guard phase == .recording || phase == .paused, ending == nil, let start, time > start else {
      return false
    }
    ending = time
    leavePause(at: .now)
    return true
  }

  /// The nearest time that a packet can have, so that times of both kinds compare exactly.
  private static func onTick(_ time: Int64) -> Int64 {
    let scale = Int(EncodedVideoFormat.timeScale)
    return SampleTime.nanoseconds(SampleTime.samples(time, rate: scale), rate: scale)
  }

  /// Prepares for another recording after one has ended. The pauses stay: times go on.
  mutating func standBy() {
    assembly = MovieAssembly(settings.assembly, after: assembly.sound)
    ending = nil
    for picture in afterEnd { assembly.add(picture) }
    afterEnd = []
    leavePause(at: .now)
    if isNextWanted {
      isNextWanted = false
      assembly.begin()
    }
  }

  /// The foretold time of the first picture after a moment, or that moment if pictures do not come.
  private func boundary(after moment: Timestamp) -> Timestamp {
    guard let last = lastTime, moment.nanoseconds - last.nanoseconds < 4 * interval else { return moment }
    var next = last.nanoseconds + interval
    while next < moment.nanoseconds { next += interval }
    // Half an interval earlier, so that jitter does not put the picture on the other side.
    return Timestamp(nanoseconds: next - interval / 2)
  }

  // MARK: Pictures

  /// Decides about a picture.
  mutating func decide(_ time: Timestamp) -> Decision {
    if let lastTime {
      guard time > lastTime else { return .outOfOrder }
      let step = time.nanoseconds - lastTime.nanoseconds
      if step < 2 * interval || step < 200_000_000 { interval = (3 * interval + step) / 4 }
    }
    lastTime = time
    guard let recorded = timeline.recordedTime(of: time) else { return .skip }
    if let length = settings.duration, let start = assembly.start, ending == nil, recorded - start >= length {
      ending = Self.onTick(start + length)
    }
    guard !isIdle, assembly.phase != .ended else { return .skip }
    // Two pictures cannot have one tick.
    if let last = lastRecorded, Self.onTick(recorded) <= Self.onTick(last) { return .outOfOrder }
    let isKey =
      assembly.phase == .awaitingKey && !hasKeyUnderway || assembly.isDue(recorded) && !hasKeyUnderway
      || lastKey.map { recorded - $0 >= Self.keyInterval - interval / 2 } ?? true
    lastRecorded = recorded
    if isKey {
      lastKey = recorded
      keyUnderway = recorded
    }
    return .encode(time: recorded, isKey: isKey)
  }

  /// The key picture that was asked for and has not come out of the encoder yet.
  private var keyUnderway: Int64?
  private var hasKeyUnderway: Bool { keyUnderway != nil }

  /// Adds a compressed picture.
  mutating func add(_ picture: MovieAssembly.Picture) {
    if let key = keyUnderway, picture.time >= key { keyUnderway = nil }
    if let ending, picture.time >= ending {
      afterEnd.append(picture)
    } else {
      assembly.add(picture)
      // Pictures may stay long in the encoder, and sound must not run ahead of them beyond the end.
      if ending == nil, let length = settings.duration, let start { assembly.soundLimit = start + length }
    }
  }

  /// Pictures that come after the end of the recording, for the pre-roll of the next one.
  private var afterEnd: [MovieAssembly.Picture] = []

  /// Whether all pictures of a recording that is to end have come, and its sound, unless that is overdue.
  var isComplete: Bool {
    guard let first = afterEnd.first, let last = afterEnd.last else { return false }
    return hasSoundUntilEnd || last.time - first.time >= Self.soundPatience
  }

  /// How long an ended recording waits for its last sound, in nanoseconds.
  static let soundPatience: Int64 = 700_000_000

  // MARK: Sound

  /// Tells the form of the sound, before the first picture.
  mutating func expectSound(rate: Int, channels: Int) {
    settings.assembly.sound = (rate, channels)
    assembly.expectSound(rate: rate, channels: channels)
  }

  var soundChannels: Int { settings.assembly.sound?.channels ?? 1 }

  /// Adds samples that are numbered from `epoch`; those in pauses are left out.
  mutating func add(samples: [Float], position: Int64, epoch: Timestamp) {
    guard let format = settings.assembly.sound else { return }
    let count = samples.count / format.channels
    for part in timeline.keptSamples(from: position, count: count, rate: format.rate, epoch: epoch) {
      let range = part.offset * format.channels..<(part.offset + part.count) * format.channels
      assembly.add(
        samples: part.count == count ? samples : Array(samples[range]),
        position: part.position + SampleTime.samples(epoch.nanoseconds, rate: format.rate))
    }
  }

  /// Adds samples of a file, whose numbers count from recorded time 0.
  mutating func add(fileSamples samples: [Float], position: Int64) {
    assembly.add(samples: samples, position: position)
  }

  /// Samples per channel up to a recorded time that have not been passed on.
  func samplesOwed(until time: Int64) -> Int64 {
    guard let format = settings.assembly.sound else { return 0 }
    let from = max(assembly.sound.begin, SampleTime.samples(start ?? time, rate: format.rate))
    return max(0, SampleTime.samples(time, rate: format.rate) - from)
  }

  /// Whether the sound of the recording has come up to its end.
  var hasSoundUntilEnd: Bool { ending.map { assembly.hasSound(until: $0) } ?? true }

  /// Ends the recording where `end(at:)` said.
  mutating func finish() {
    assembly.end(at: ending ?? end ?? 0)
  }

  mutating func next() -> MovieAssembly.Action? { assembly.next() }
}
