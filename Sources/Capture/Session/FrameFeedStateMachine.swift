import FrameCore

/// Numbers a source's frames, withholds those of a stream that has not settled, and says which outputs to open and to
/// close: a state machine without clock, lock or thread.
///
/// Events are its methods, in the order in which they happen; what to do about them is what they return. Events of
/// frames allocate nothing.
struct FrameFeedStateMachine<Route: Identifiable> {
  /// What to tell an output.
  enum Action {
    case open(Route)
    case close(Route)
  }

  /// Frames that the source lost without a word; `number` is that of the first.
  struct Gap: Hashable {
    var number: UInt64
    var count: Int
  }

  /// What to do with a frame.
  struct Arrival: Hashable {
    /// Told to the outputs before the frame.
    var gap: Gap?
    /// The frame's number among all that the session has seen.
    var number: UInt64
    /// False where the stream has not settled yet: no output gets the frame.
    var isDelivered: Bool
  }

  /// What to tell of frames that the source reports as lost.
  struct Loss: Hashable {
    /// Told to the outputs first.
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

  /// The outputs from the next frame on.
  mutating func setRoutes(_ list: [Route]) -> [Action] {
    let former = routes
    routes = list
    let removed = former.filter { route in !list.contains { $0.id == route.id } }
    let added = isOpen ? list.filter { route in !former.contains { $0.id == route.id } } : []
    return removed.map(Action.close) + added.map(Action.open)
  }

  /// Frames are going to come.
  mutating func open() -> [Action] {
    isOpen = true
    return routes.map(Action.open)
  }

  /// No more frames come. Outputs that were never opened are told too: their consumers may wait already.
  mutating func close() -> [Action] {
    isOpen = false
    return routes.map(Action.close)
  }

  /// Whether the first frames of the streams to come are withheld until they settle.
  mutating func setSettling(_ settling: Settling) { self.settling = settling }

  // MARK: The source's events

  /// A stream was opened.
  mutating func begin() {
    sequence.begin()
    meter = SettlingMeter(settling)
  }

  /// Whether the next frame's mean luma is wanted.
  var needsLuma: Bool { !meter.isSettled }

  /// A frame came.
  ///
  /// - Parameters:
  ///   - number: the source's.
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

  /// The source lost `count` frames, the first being `number`; nil where it lost none.
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
