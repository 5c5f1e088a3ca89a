import FrameCore

/// Decides which frames make a photo, when it is captured, and whether another may be asked for: a state machine
/// without clock, lock or thread.
///
/// Its methods are the events, in the order in which they happen; they return what to do. Each photo that was
/// pressed ends in exactly one `process` or `fail`.
struct PhotoOutputStateMachine<Picture> {
  typealias ID = UInt64

  enum Action {
    /// The photo is captured; `pressed` is the moment of the press on the source's clock.
    case process(ResolvedPhotoSettings, [PhotoRing<Picture>.Entry], reference: Int, pressed: Timestamp)
    case fail(ID, SafelightError)
  }

  /// A photo that waits for its frames.
  private struct Pending {
    var settings: ResolvedPhotoSettings
    /// The moment to show, on the source's clock.
    var moment: Timestamp
    /// Only frames from this time on are taken.
    var earliest: Timestamp?
    var count: Int
    /// When the best frames so far are taken, or the photo fails.
    var deadline: Timestamp
  }

  /// How long, in nanoseconds, a photo waits for its frames; slow streams get `patientIntervals` instead.
  static var patience: Int64 { 1_000_000_000 }
  static var patientIntervals: Int64 { 10 }
  /// How far, in intervals, a frame may be from the press if no nearer one comes.
  static var farthestIntervals: Int64 { 3 }
  /// The most that a press may lie in the future and in the past, in nanoseconds.
  static var largestLead: Int64 { 1_000_000_000 }
  static var largestDelay: Int64 { 3_600_000_000_000 }
  /// The number of photos in work from which on another one waits.
  static var processingLimit: Int { 8 }

  /// Whether a photo may be asked for while an earlier one is processed.
  let isResponsive: Bool
  /// Whether rapid presses lower the quality.
  let prioritizesFastCapture: Bool

  private(set) var ring = PhotoRing<Picture>()
  private var clock = FrameClock()
  private var isOpen = false
  /// Whether two frames do not fit into memory.
  private var hasRing = true
  private var pending: [Pending] = [] {
    didSet { ring.leastCount = max(PhotoRing<Picture>.usualCount, 1 + (pending.map(\.count).max() ?? 0)) }
  }
  /// Settings announced before their press.
  private var tracked: Set<ID> = []
  /// The number of photos that are captured and not processed yet.
  private var inWork = 0
  private var isBracketing = false
  /// The number of photos so far.
  private var photoCount = 0

  init(isResponsive: Bool = true, prioritizesFastCapture: Bool = false) {
    (self.isResponsive, self.prioritizesFastCapture) = (isResponsive, prioritizesFastCapture)
  }

  // MARK: The session's events

  mutating func opened() {
    isOpen = true
    ring.removeAll()
    clock.begin()
  }

  /// No more frames come: photos that wait take what there is.
  mutating func closed() -> [Action] {
    isOpen = false
    defer { ring.removeAll() }
    return settle(at: nil)
  }

  /// A frame was kept.
  ///
  /// - Parameter isOnly: whether there is no memory for another one.
  mutating func captured(_ picture: Picture, at time: Timestamp, isOnly: Bool = false, now: Timestamp)
    -> [Action]
  {
    guard isOpen else { return [] }
    hasRing = !isOnly
    clock.frame(time, arrivedAt: now)
    ring.append(picture, at: time)
    return pending.isEmpty ? [] : settle(at: now)
  }

  /// All memory is in use: drops the oldest frame to make room. Photos that wait for more frames than there is memory
  /// for make do with fewer.
  ///
  /// - Returns: whether there was a frame to drop.
  mutating func makeRoom(now: Timestamp) -> (hasRoom: Bool, actions: [Action]) {
    var actions: [Action] = []
    if !pending.isEmpty {
      let places = max(1, ring.entries.count)
      for index in pending.indices { pending[index].count = min(pending[index].count, places) }
      actions = settle(at: now)
    }
    return (ring.removeOldest(), actions)
  }

  // MARK: The photographer's events

  /// Announces a press, so that readiness changes before it.
  mutating func track(_ id: ID) { tracked.insert(id) }

  mutating func untrack(_ id: ID) { tracked.remove(id) }

  /// Returns what the settings come to for a press at `moment`, and counts the photo as pressed; `begin` must follow.
  ///
  /// - Parameters:
  ///   - moment: on CLOCK_MONOTONIC.
  ///   - lag: that of the first photo of the burst.
  mutating func resolve(
    _ settings: PhotoSettings, pressedAt moment: Timestamp, burst: BurstPosition? = nil,
    zeroShutterLag lag: ZeroShutterLag? = nil, now: Timestamp
  ) throws -> ResolvedPhotoSettings {
    tracked.remove(settings.id)
    guard isOpen else {
      throw SafelightError(
        .device, "No photo can be taken, since the session is not running", remedy: "start it first")
    }
    guard moment <= now.advanced(by: Self.largestLead), moment >= now.advanced(by: -Self.largestDelay) else {
      throw SafelightError(
        .invalidValue, "The photo's moment is more than a second ahead or an hour ago",
        remedy: "give a time on CLOCK_MONOTONIC, and wait for moments to come")
    }
    let quality = quality(of: settings)
    let count = quality == .speed ? 1 : settings.frameCount ?? quality.frameCount
    guard quality == .speed || PhotoSettings.frameCounts.contains(count) else {
      let range = PhotoSettings.frameCounts
      throw SafelightError(
        .invalidValue, "A photo of \(count) frames was asked for",
        remedy: "give \(range.lowerBound)…\(range.upperBound) frames")
    }
    photoCount += 1
    return ResolvedPhotoSettings(
      id: settings.id, number: photoCount, pressedAt: moment, qualityPrioritization: quality,
      frameCount: count,
      zeroShutterLag: lag ?? zeroShutterLag(settings, moment), isDeferred: settings.isDeferred,
      burst: burst)
  }

  /// Begins a photo; it may be captured at once.
  ///
  /// - Parameter predecessor: the time of a frame, on the source's clock; this photo shows the next one.
  mutating func begin(
    _ settings: ResolvedPhotoSettings, after predecessor: Timestamp? = nil, now: Timestamp
  ) -> [Action] {
    let interval = ring.interval ?? 0
    let wait = max(Self.patience, Self.patientIntervals * interval)
    var moment = clock.sourceTime(of: settings.pressedAt)
    var earliest: Timestamp?
    if let predecessor {
      moment = predecessor.advanced(by: 1)
      earliest = moment
    } else if case .doesNotApply(.notAllowed) = settings.zeroShutterLag {
      earliest = moment
    }
    pending.append(
      Pending(
        settings: settings, moment: moment, earliest: earliest,
        count: hasRing ? settings.frameCount : 1,
        deadline: max(now, settings.pressedAt).advanced(by: wait)))
    return settle(at: now)
  }

  private func quality(of settings: PhotoSettings) -> PhotoQualityPrioritization {
    // What is deferred takes no time now.
    guard prioritizesFastCapture, !settings.isDeferred else { return settings.qualityPrioritization }
    let most: PhotoQualityPrioritization =
      switch pending.count + inWork {
      case 0: .quality
      case 1...2: .balanced
      default: .speed
      }
    return min(settings.qualityPrioritization, most)
  }

  private func zeroShutterLag(_ settings: PhotoSettings, _ moment: Timestamp) -> ZeroShutterLag {
    guard settings.allowsZeroShutterLag else { return .doesNotApply(.notAllowed) }
    guard hasRing else { return .doesNotApply(.tooLittleMemory) }
    let time = clock.sourceTime(of: moment)
    let margin = (ring.interval ?? 0) / 2
    guard let oldest = ring.entries.first, oldest.time <= time.advanced(by: margin) else {
      return .doesNotApply(.noEarlierFrame)
    }
    return .applies
  }

  /// Ends a photo that is not captured yet.
  mutating func cancel(_ id: ID) -> [Action] {
    guard let index = pending.firstIndex(where: { $0.settings.id == id }) else { return [] }
    pending.remove(at: index)
    return [.fail(id, SafelightError(.device, "The photo was given up before it was captured"))]
  }

  /// Exposures are set for photos: the frames do not show what others would.
  mutating func bracketBegan() { isBracketing = true }

  /// The camera has its former exposure again.
  mutating func bracketEnded() {
    isBracketing = false
    // Those of the bracket are no photos of a press to come.
    if pending.isEmpty { ring.removeAll() }
  }

  /// A photo was captured in parts.
  mutating func assembled() { inWork += 1 }

  /// A photo was processed, or has failed in that.
  mutating func processed() { inWork -= 1 }

  // MARK: Time

  /// When `timePassed` is to be called at the latest.
  var deadline: Timestamp? { pending.map(\.deadline).min() }

  mutating func timePassed(now: Timestamp) -> [Action] { settle(at: now) }

  /// Captures the photos whose frames are there.
  ///
  /// - Parameter now: nil if no more frames come.
  private mutating func settle(at now: Timestamp?) -> [Action] {
    var actions: [Action] = []
    var waiting: [Pending] = []
    for photo in pending {
      let isLast = now.map { $0 >= photo.deadline } ?? true
      if let action = decide(photo, isLast: isLast) {
        if case .process = action { inWork += 1 }
        actions.append(action)
      } else {
        waiting.append(photo)
      }
    }
    if !actions.isEmpty { pending = waiting }
    return actions
  }

  private func decide(_ photo: Pending, isLast: Bool) -> Action? {
    let selection = ring.nearest(photo.count, to: photo.moment, notBefore: photo.earliest)
    if let selection, !ring.mayImprove(selection, of: photo.count, at: photo.moment) {
      return process(photo, selection)
    }
    guard isLast else { return nil }
    if let selection, isNear(selection, photo.moment) { return process(photo, selection) }
    let seconds = photo.deadline.seconds(since: photo.settings.pressedAt)
    return .fail(
      photo.settings.id,
      SafelightError(
        .device,
        isOpen
          ? "No frame came within \(max(1, Int(seconds.rounded()))) s of the press"
          : "The capture ended before the photo had a frame",
        remedy: "check that the source still sends pictures, and take it again"))
  }

  private func isNear(_ selection: PhotoRing<Picture>.Selection, _ moment: Timestamp) -> Bool {
    // Of recorded pictures that have ended, the nearest is the right one however far it is.
    if !isOpen, clock.isForeign { return true }
    let reference = ring.entries[selection.reference].time
    let farthest = max(Self.farthestIntervals * (ring.interval ?? 0), Self.patience / 10)
    return abs(reference.nanoseconds - moment.nanoseconds) <= farthest
  }

  private func process(_ photo: Pending, _ selection: PhotoRing<Picture>.Selection) -> Action {
    .process(
      photo.settings, Array(ring.entries[selection.range]),
      reference: selection.reference - selection.range.lowerBound,
      pressed: clock.sourceTime(of: photo.settings.pressedAt))
  }

  // MARK: Questions

  /// Whether a photo waits for its frames.
  var awaitsFrames: Bool { !pending.isEmpty }

  var readiness: PhotoReadiness {
    guard isOpen else { return .sessionNotRunning }
    let capturing = !tracked.isEmpty || !pending.isEmpty
    let blocks = pending.contains { $0.settings.zeroShutterLag != .applies }
    if isBracketing || blocks || capturing && !isResponsive { return .notReadyWaitingForCapture }
    if inWork >= (isResponsive ? Self.processingLimit : 1) { return .notReadyWaitingForProcessing }
    return ring.entries.isEmpty ? .notReadyMomentarily : .ready
  }
}
