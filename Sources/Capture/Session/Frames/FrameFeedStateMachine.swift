import FrameCore

/// Numbers a source's frames, withholds those of an unsettled stream, and decides which outputs to open and close:
/// a state machine without clock, lock or thread.
///
/// Its methods are the events, in the order in which they happen; they return what to do. Frame events allocate
/// nothing.
struct FrameFeedStateMachine<Route: Identifiable> {
  /// A notification for an output.
  enum Action {
    case open(Route)
    case close(Route)
  }

  /// Frames that the source lost without reporting it; `number` is that of the first.
  struct Gap: Hashable {
    var number: UInt64
    var count: Int
  }

  /// What to do with a frame.
  struct Arrival: Hashable {
    /// Report it to the outputs before the frame.
    var gap: Gap?
    /// The frame's number among all frames of the session.
    var number: UInt64
    /// False if the stream has not settled yet; no output then gets the frame.
    var isDelivered: Bool
  }

  /// What to report when the source reports lost frames.
  struct Loss: Hashable {
    /// Report it to the outputs first.
    var gap: Gap?
    var lost: Gap
  }

  private(set) var routes: [Route] = []
  private(set) var isOpen = false
  private(set) var statistics = SessionStatistics()
  private var sequence = SequenceTracker()
  private var settling = Settling.off
  private var meter = SettlingMeter(.off)

  // MARK: The session's events

  /// Sets the outputs from the next frame on.
  mutating func setRoutes(_ list: [Route]) -> [Action] {
    let former = routes
    routes = list
    let removed = former.filter { route in !list.contains { $0.id == route.id } }
    let added = isOpen ? list.filter { route in !former.contains { $0.id == route.id } } : []
    return removed.map(Action.close) + added.map(Action.open)
  }

  /// Announces frames.
  mutating func open() -> [Action] {
    isOpen = true
    return routes.map(Action.open)
  }

  /// Announces the end of frames, also to outputs that were never opened: their consumers may already be waiting.
  mutating func close() -> [Action] {
    isOpen = false
    return routes.map(Action.close)
  }

  /// Sets whether the first frames of later streams are withheld until they settle.
  mutating func setSettling(_ settling: Settling) { self.settling = settling }

  // MARK: The source's events

  /// Begins a new stream.
  mutating func begin() {
    sequence.begin()
    meter = SettlingMeter(settling)
  }

  /// Whether the next frame's mean luma is needed.
  var needsLuma: Bool { !meter.isSettled }

  /// Records a frame.
  ///
  /// - Parameters:
  ///   - number: the source's frame number.
  ///   - meanLuma: 0…1; ignored unless `needsLuma`.
  mutating func frame(_ number: UInt64, meanLuma: Double, at time: Timestamp) -> Arrival {
    let (number, missing) = sequence.frame(number)
    count(missing: missing)
    let isDelivered = meter.passes(meanLuma: meanLuma, at: time)
    if isDelivered {
      statistics.frames.captured += 1
      statistics.frames.delivered += 1
    } else {
      statistics.unsettled += 1
    }
    return Arrival(gap: Self.gap(missing, before: number), number: number, isDelivered: isDelivered)
  }

  /// Records that the source lost `count` frames, starting with `number`; returns nil if none were lost.
  mutating func lost(_ number: UInt64, count: Int, _ reason: DropReason) -> Loss? {
    guard count > 0 else { return nil }
    let (number, missing) = sequence.lost(number, count: count)
    self.count(missing: missing)
    statistics.frames.captured += count
    statistics.frames[reason] += count
    return Loss(gap: Self.gap(missing, before: number), lost: Gap(number: number, count: count))
  }

  mutating func interrupted() { statistics.interruptions += 1 }

  mutating func setRaisedPriority(_ isRaised: Bool) { statistics.hasRaisedPriority = isRaised }

  private mutating func count(missing: Int) {
    statistics.frames.captured += missing
    statistics.frames.droppedDiscontinuity += missing
  }

  private static func gap(_ missing: Int, before number: UInt64) -> Gap? {
    missing > 0 ? Gap(number: number &- UInt64(missing), count: missing) : nil
  }
}
