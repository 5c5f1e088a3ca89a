import FrameCore
import MovieIO

/// Puts compressed pictures and samples of sound together into files: before the recording they wait as pre-roll, then
/// they go into one file or segment after another, both cut at the same moment.
///
/// A pure state machine: events go in, `next()` gives what to do. All times are recorded times in nanoseconds
/// (`RecordingTimeline`).
struct MovieAssembly {
  /// A compressed picture with its recorded time.
  struct Picture {
    var bytes: [UInt8]
    var time: Int64
    /// How much earlier it is decoded than shown, in nanoseconds.
    var decodeLead: Int64 = 0
    var isKey: Bool
  }

  /// What to do next, in this order.
  enum Action {
    /// Begins file `file`, whose time 0 is the recorded time `start`.
    case open(file: Int, start: Int64)
    /// `time` counts from the start of the file; all in nanoseconds.
    case picture(file: Int, Picture, time: Int64, duration: Int64)
    /// Samples, interleaved; `position` counts samples per channel from the start of the file.
    case sound(file: Int, samples: [Float], position: Int64)
    case close(file: Int)
  }

  struct Settings {
    /// How much to keep before the recording begins, in nanoseconds.
    var preRoll: Int64 = 0
    /// The length of a segment; nil for one file.
    var segment: Int64?
    /// Between two pictures, in nanoseconds, as long as no two have come.
    var interval: Int64 = 33_333_333
    /// Samples per second and their channels; nil without sound.
    var sound: (rate: Int, channels: Int)?
  }

  enum Phase: Equatable {
    /// Pictures and sound are kept for the pre-roll.
    case standby
    /// The recording begins with the next key picture.
    case awaitingKey
    case recording
    case ended
  }

  private struct OpenFile {
    var number: Int
    var start: Int64
    /// Where the next file begins; nil if this is the last so far.
    var end: Int64?
  }

  private(set) var settings: Settings
  /// Whether the next key picture begins a new file, whatever the length of this one.
  var isCutWanted = false
  private(set) var phase = Phase.standby
  /// The recorded time at which the recording began.
  private(set) var start: Int64?
  private var kept: [Picture] = []
  /// A picture whose duration the next one tells.
  private var held: Picture?
  /// The interval between the last two pictures.
  private var interval: Int64
  /// Files whose sound is not complete yet, oldest first; the last one takes the pictures.
  private var files: [OpenFile] = []
  private var fileCount = 0
  var sound: PendingSound
  private var actions: [Action] = []
  private var nextAction = 0

  /// Sound that waits longer than this for pictures goes ahead: the camera may be away.
  var patience: Int64 { max(2_000_000_000, 12 * settings.interval) }
  /// Sound that is kept before the recording, besides the pre-roll: pictures take time to compress.
  var soundMargin: Int64 { max(3_000_000_000, 12 * settings.interval) }

  /// - Parameter sound: what waits from an earlier recording; nil for none.
  init(_ settings: Settings, after sound: PendingSound? = nil) {
    self.settings = settings
    interval = settings.interval
    self.sound = sound ?? PendingSound(channels: settings.sound?.channels ?? 1)
  }

  mutating func next() -> Action? {
    guard nextAction < actions.count else {
      actions.removeAll(keepingCapacity: true)
      nextAction = 0
      return nil
    }
    defer { nextAction += 1 }
    return actions[nextAction]
  }

  // MARK: Events

  /// Tells the form of the sound, before the first event.
  mutating func expectSound(rate: Int, channels: Int) {
    settings.sound = (rate, channels)
    sound = PendingSound(channels: channels)
  }

  /// Begins the recording: with the oldest picture of the pre-roll, or else with the next key picture.
  mutating func begin() {
    guard phase == .standby else { return }
    phase = .awaitingKey
    let waiting = kept
    kept = []
    for picture in waiting { add(picture) }
  }

  /// Adds a picture. Times increase.
  mutating func add(_ picture: Picture) {
    switch phase {
    case .standby: keep(picture)
    case .awaitingKey:
      guard picture.isKey else { return }
      phase = .recording
      start = picture.time
      openFile(at: picture.time)
      held = picture
    case .recording:
      record(picture)
      releaseSound(until: picture.time)
    case .ended: break
    }
  }

  /// Adds samples; `position` counts samples per channel from recorded time 0 and never decreases.
  mutating func add(samples: [Float], position: Int64) {
    guard let format = settings.sound, phase != .ended else { return }
    sound.append(samples, at: position)
    switch phase {
    case .standby, .awaitingKey:
      let newest = SampleTime.nanoseconds(sound.end, rate: format.rate)
      let oldest = min(kept.first?.time ?? newest, newest - settings.preRoll) - soundMargin
      sound.drop(before: SampleTime.samples(oldest, rate: format.rate))
    case .recording:
      let newest = SampleTime.nanoseconds(sound.end, rate: format.rate)
      releaseSound(until: min(soundLimit ?? .max, max(held?.time ?? 0, newest - patience)))
    case .ended: break
    }
  }

  /// The recorded time at which the recording is to end, after which no sound is passed on; nil if not known yet.
  var soundLimit: Int64?

  /// Whether sound has come up to a recorded time, or there is none.
  func hasSound(until time: Int64) -> Bool {
    guard let format = settings.sound else { return true }
    return sound.end >= SampleTime.samples(time, rate: format.rate)
  }

  /// Ends the recording at a recorded time, after which nothing is recorded; all earlier pictures have been added.
  mutating func end(at time: Int64) {
    defer {
      phase = .ended
      kept = []
    }
    guard phase == .recording else { return }
    if let last = held {
      let longest = max(2 * interval, Self.shortestEnd)
      write(last, until: min(max(time, last.time + 1), last.time + longest))
      held = nil
    }
    releaseSound(until: time, isLast: true)
    for file in files { actions.append(.close(file: file.number)) }
    files = []
  }

  /// A last picture may be shown this long without another one.
  private static let shortestEnd: Int64 = 100_000_000

  // MARK: Pictures

  private mutating func keep(_ picture: Picture) {
    guard settings.preRoll > 0 else { return }
    guard !kept.isEmpty || picture.isKey else { return }
    kept.append(picture)
    // The oldest pictures go once the pre-roll is complete from the next key picture on.
    while let next = kept.dropFirst().firstIndex(where: \.isKey),
      kept[next].time <= picture.time - settings.preRoll
    {
      kept.removeFirst(next)
    }
  }

  private mutating func record(_ picture: Picture) {
    guard let last = held else {
      held = picture
      return
    }
    interval = picture.time - last.time
    write(last, until: picture.time)
    held = picture
    if picture.isKey, isDue(picture.time) {
      if let index = files.indices.last { files[index].end = picture.time }
      openFile(at: picture.time)
    }
  }

  /// Whether a new file begins with a key picture at this time.
  func isDue(_ time: Int64) -> Bool {
    guard let file = files.last else { return false }
    // Half an interval of tolerance: the boundary falls between pictures.
    let isLong = settings.segment.map { time - file.start >= $0 - interval / 2 } ?? false
    guard isLong || isCutWanted else { return false }
    // Sound that went ahead of missing pictures is already in the file.
    return settings.sound.map { time >= SampleTime.nanoseconds(sound.begin, rate: $0.rate) } ?? true
  }

  private mutating func write(_ picture: Picture, until end: Int64) {
    guard let file = files.last else { return }
    actions.append(
      .picture(
        file: file.number, picture, time: picture.time - file.start, duration: max(1, end - picture.time)))
  }

  private mutating func openFile(at time: Int64) {
    isCutWanted = false
    actions.append(.open(file: fileCount, start: time))
    files.append(OpenFile(number: fileCount, start: time, end: nil))
    fileCount += 1
    if settings.sound == nil, files.count > 1 { closeFirst() }
  }

  private mutating func closeFirst() {
    actions.append(.close(file: files.removeFirst().number))
  }

  // MARK: Sound

  /// Passes sound on up to a recorded time, into the file that it belongs to.
  ///
  /// - Parameter isLast: whether no more sound comes.
  private mutating func releaseSound(until time: Int64, isLast: Bool = false) {
    guard let format = settings.sound else { return }
    let limit = SampleTime.samples(time, rate: format.rate)
    while let file = files.first {
      let begin = SampleTime.samples(file.start, rate: format.rate)
      let end = file.end.map { SampleTime.samples($0, rate: format.rate) }
      sound.drop(before: begin)
      for run in sound.take(until: min(limit, end ?? limit)) {
        actions.append(.sound(file: file.number, samples: run.samples, position: run.position - begin))
      }
      guard let end, limit >= end else { return }
      // Sound may come later than pictures; what is missing for long does not come at all.
      let late = SampleTime.samples(patience, rate: format.rate)
      guard sound.end >= end || limit - max(sound.end, begin) > late || isLast else { return }
      closeFirst()
    }
  }
}
