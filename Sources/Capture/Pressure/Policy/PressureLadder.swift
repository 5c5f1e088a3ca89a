import FrameCore

/// Which steps a session takes under pressure and when it takes them back: the state machine behind
/// `PressurePolicy`. Does nothing itself.
///
/// Steps are taken in one order: analyses, encoder, frame rate, size, interruption. Missed deadlines are
/// answered within a second or two, with several steps at once where far too much is asked of the machine,
/// and learn what each step gains. Other pressure is answered at `serious` with a step every ten seconds, at
/// `critical` with two every four. A step is taken back ten seconds after the last change if what it costs is
/// known to fit; twice as long, and again, after it proved wrong.
struct PressureLadder: Sendable {
  /// Seconds of calm before a step is taken back, and between steps at `serious`.
  static let hold = 10.0
  /// Seconds between steps at `critical`.
  static let criticalHold = 4.0
  /// Seconds at `critical`, with all else done, before an interruption.
  static let patience = 30.0
  /// The part of the capacity that frames may need after a step is taken back.
  static let room = 0.75
  /// The same of the slowest frames.
  static let slowestRoom = 1.1
  /// Seconds without a change after which a step whose gain is not known is tried on an even guess.
  static let trialHold = 60.0
  /// The share below which several steps are taken back at once.
  static let ampleRoom = 0.4

  private(set) var rungs: [PressureRung]
  /// The steps `0..<engaged` are in force.
  private(set) var engaged = 0
  private var history = LoadHistory()
  private var gains = RungGains()
  private var changed: Timestamp?
  /// The steps last taken at once: the first one's index, the mean share before them, and why.
  private var batch: (begin: Int, before: Double?, reason: String)?
  private var lastWasUndo = false
  /// Since when nothing has pressed.
  private var calmSince: Timestamp?
  /// Since when the level has been `critical` with every other step taken.
  private var helplessSince: Timestamp?
  private var capacity = LoadCapacity()
  /// The part of the capacity that is believed to fit. Falls below what was too much.
  private var ceiling = room

  init(_ abilities: PressureAbilities) { rungs = PressureRung.ladder(abilities) }

  /// What is in force, in the order of the steps.
  var measures: [PressureMeasure] { rungs[..<engaged].map(\.engaged) }

  /// Takes the present load and pressure, and returns the steps to take now.
  ///
  /// - Parameter load: the window just ended; nil if none did. Its deadlines count, those in `pressure` do
  ///   not.
  mutating func advance(
    to time: Timestamp, load: FrameLoad?, pressure: SystemPressure
  ) -> [PressureStep] {
    if let load {
      history.append(load)
      gains.learn(history, &rungs)
    }
    let cause = pressure.worst { $0 != .deadlines }
    let level = cause?.level ?? .nominal
    let elapsed = changed.map { time.seconds(since: $0) } ?? .infinity
    if let cause, let count = steps(at: level, time, elapsed) {
      calmSince = nil
      noteFailure(elapsed)
      return engage(count, because: "pressure is \(level.rawValue) (\(cause.sentence))", time)
    }
    if load != nil { capacity.learn(history) }
    let isUrgent = elapsed < 3 && !lastWasUndo
    if let load, let excess = history.overload(capacity: capacity.share, isUrgent: isUrgent) {
      calmSince = nil
      let count = steps(for: excess)
      if count > 0, noteFailure(elapsed), let mean = history.meanShare(), mean < capacity.share {
        ceiling = max(0.2, min(ceiling, 0.85 * mean / capacity.share))
      }
      return engage(count, because: Self.reason(load, history), time)
    }
    guard level <= .fair else {
      calmSince = nil
      return []
    }
    let calm = calmSince ?? time
    calmSince = calm
    return release(calm: time.seconds(since: calm), elapsed, time)
  }

  /// The session refused a step of the last `advance`. One to take is not offered again; one to take back
  /// stays in force, and so do those that were to follow it.
  ///
  /// - Returns: the step to take instead, for the same reason; nil if there is none.
  mutating func refuse(_ step: PressureStep) -> PressureStep? {
    if step.isUndo {
      guard let index = rungs.firstIndex(where: { $0.released == step.measure }) else { return nil }
      rungs[index].failures = min(5, rungs[index].failures + 1)
      engaged = index + 1
      gains.abandon()
      return nil
    }
    guard let index = rungs.firstIndex(where: { $0.engaged == step.measure }), index < engaged else {
      return nil
    }
    let refused = rungs.remove(at: index)
    if index < rungs.count { rungs[index].swallow(refused) }
    gains.removed(index)
    engaged -= 1
    guard let batch, engaged < rungs.count, rungs[engaged].kind != .interruption else { return nil }
    engaged += 1
    gains.changed(min(batch.begin, engaged - 1)..<engaged, isUndo: false, before: batch.before)
    return self.step(rungs[engaged - 1].engaged, false, batch.reason, step.time)
  }

  // MARK: Engaging

  /// The number of steps that other pressure than deadlines asks for now; nil for none.
  private mutating func steps(
    at level: SystemPressure.Level, _ time: Timestamp, _ elapsed: Double
  ) -> Int? {
    let rest = rungs.count - engaged
    let untilInterruption = rungs[engaged...].count { $0.kind != .interruption }
    if level < .critical || untilInterruption > 0 { helplessSince = nil }
    switch level {
    case .nominal, .fair: return nil
    case .serious:
      return elapsed >= Self.hold && untilInterruption > 0 ? 1 : nil
    case .critical:
      guard untilInterruption == 0 else {
        return elapsed >= Self.criticalHold ? min(2, untilInterruption) : nil
      }
      let since = helplessSince ?? time
      helplessSince = since
      return rest > 0 && time.seconds(since: since) >= Self.patience ? rest : nil
    case .shutdown:
      return rest > 0 ? rest : nil
    }
  }

  /// The number of steps that bring the load from `excess` to where it fits, as far as that is known.
  private func steps(for excess: Double) -> Int {
    let isFar = excess > 1.5
    // From far above, guesses only lead near; the last steps are taken one by one, and learned.
    let (goal, most) = isFar ? (1.15, 4) : (0.9, 2)
    var (load, count, guesses) = (excess, 0, 0)
    while engaged + count < rungs.count, load > goal || count == 0, guesses < most {
      let rung = rungs[engaged + count]
      guard rung.kind != .interruption else { break }
      if rung.gain == nil { guesses += 1 }
      load *= gains.expected(engaged + count, rungs)
      count += 1
    }
    return count
  }

  /// Too much again soon after a step was taken back: it waits longer the next time.
  ///
  /// - Returns: whether that is so.
  @discardableResult
  private mutating func noteFailure(_ elapsed: Double) -> Bool {
    guard engaged < rungs.count else { return false }
    guard lastWasUndo, elapsed < 3 * Self.hold else {
      rungs[engaged].failures = 0
      return false
    }
    rungs[engaged].failures = min(5, rungs[engaged].failures + 1)
    return true
  }

  private mutating func engage(_ count: Int, because reason: String, _ time: Timestamp) -> [PressureStep] {
    guard count > 0 else { return [] }
    let range = engaged..<(engaged + count)
    let before = change(range, isUndo: false, time)
    batch = (engaged, before, reason)
    engaged += count
    return range.map { step(rungs[$0].engaged, false, reason, time) }
  }

  // MARK: Taking back

  private mutating func release(calm: Double, _ elapsed: Double, _ time: Timestamp) -> [PressureStep] {
    guard engaged > 0 else {
      // Nothing is in force; what was learned of a busy hour need not hold in the next.
      if elapsed > 60 { (capacity, ceiling) = (LoadCapacity(), Self.room) }
      return []
    }
    // One bad moment is not held against a session for ever.
    if elapsed > 300 { ceiling = Self.room }
    let wait = Self.hold * Double(1 << rungs[engaged - 1].failures)
    guard calm >= Self.hold, elapsed >= wait else { return [] }
    let mean = history.meanShare()
    var count = 0
    var load = (mean ?? 0) / capacity.share
    var slowest = (history.windows.last?.p99Share ?? 0) / capacity.share
    while count < engaged {
      let isTrial = count == 0 && elapsed >= Self.trialHold
      let factor = gains.cost(engaged - 1 - count, rungs, atWorst: !isTrial)
      load *= factor
      slowest *= factor
      let fits = count == 0 ? load <= ceiling && slowest <= Self.slowestRoom : load <= Self.ampleRoom
      // Without frames, as in an interruption, only one at a time shows what each does.
      guard fits, count == 0 || mean != nil else { break }
      count += 1
    }
    guard count > 0 else { return [] }
    let range = (engaged - count)..<engaged
    change(range, isUndo: true, time)
    engaged -= count
    let reason =
      mean.map { "frames take only \(PlainNumber.fixed(100 * $0, 0)) % of their time" }
      ?? "the pressure has fallen"
    return range.reversed().map { step(rungs[$0].released, true, reason, time) }
  }

  /// Begins to measure a change; returns the mean share before it.
  @discardableResult
  private mutating func change(_ range: Range<Int>, isUndo: Bool, _ time: Timestamp) -> Double? {
    let before = history.meanShare(ofLast: 4)
    gains.changed(range, isUndo: isUndo, before: before)
    history.beginAnew()
    (changed, lastWasUndo) = (time, isUndo)
    return before
  }

  private func step(
    _ measure: PressureMeasure, _ isUndo: Bool, _ reason: String, _ time: Timestamp
  ) -> PressureStep {
    PressureStep(
      measure: measure, isUndo: isUndo, time: time,
      sentence: "\(measure.text(isUndo: isUndo)) because \(reason)")
  }

  private static func reason(_ load: FrameLoad, _ history: LoadHistory) -> String {
    let drops = history.drops(inLast: LoadHistory.dropWindows)
    if drops.count > 0 { return "\(PlainNumber.fixed(100 * drops.share, 1)) % of the frames are dropped" }
    return "frames take \(PlainNumber.fixed(100 * load.meanShare, 0)) % of the time they have"
  }
}
