import FrameAnalysis
import FrameCore

/// Decides which of several patterns events set off, each at most once in a while.
///
/// A pure state machine: its clock is the events' own times.
public struct TriggerBoard: Sendable {
  /// What came of one pattern.
  public struct Count: Sendable, Hashable {
    /// How often it was set off, and how often it would have been but for the rate.
    public var fired = 0
    public var suppressed = 0
  }

  fileprivate struct Rule: Sendable {
    var pattern: EventPattern
    var presence: DetectionPresence?
    /// What set it off and is still there.
    var holding: Set<UInt64> = []
    var last: Timestamp?
    var count = Count()
  }

  private var rules: [Rule]
  private let interval: Double

  /// - Parameter interval: the least seconds between two times that one pattern is set off.
  public init(_ patterns: [EventPattern], interval: Double) {
    self.interval = interval
    rules = patterns.map { pattern in
      Rule(
        pattern: pattern, presence: pattern.kind.map { DetectionPresence(of: $0, in: pattern.zone) })
    }
  }

  /// What came of each pattern, in their order.
  public var counts: [Count] { rules.map(\.count) }

  /// Whether something that set off a pattern is still there.
  public func isHeld(_ index: Int) -> Bool {
    guard rules[index].holding.isEmpty else { return true }
    return rules[index].pattern.moment == .start && rules[index].count.fired > 0
      && rules[index].presence?.isPresent == true
  }

  /// Takes the next event; returns the indices of the patterns that it sets off.
  public mutating func take(_ event: LiveEvent) -> [Int] {
    rules.indices.filter { index in
      guard rules[index].take(event.subject) else { return false }
      if let last = rules[index].last {
        let seconds = event.time.seconds(since: last)
        guard seconds >= interval || seconds < 0 else {
          rules[index].count.suppressed += 1
          return false
        }
      }
      rules[index].last = event.time
      rules[index].count.fired += 1
      return true
    }
  }
}

extension TriggerBoard.Rule {
  /// Whether an event is what the pattern is about.
  mutating func take(_ subject: LiveEvent.Subject) -> Bool {
    guard case .detection(let event) = subject else { return pattern.moment == .peak }
    let change = presence?.take(event)
    let track = event.track
    guard track.detection.kind == pattern.kind else { return false }
    if event.phase == .end { holding.remove(track.id) }
    let isHere = pattern.zone.map(track.zones.contains) ?? true
    switch pattern.moment {
    case .start: return change == .start
    case .end: return change == .end
    case .still:
      guard event.phase == .still, isHere else { return false }
    case .text(let text):
      guard event.phase == .new || event.phase == .update && event.changes.contains(.text),
        let said = track.detection.text, text.matches(said)
      else { return false }
    case .peak: return false
    }
    holding.insert(track.id)
    return true
  }
}

/// When to record because of events: from the first of them, until all is over and a while has passed.
///
/// A pure state machine, without a clock.
public struct TriggeredRecording: Sendable {
  public enum Order: Sendable, Hashable {
    case begin, end
  }

  /// Seconds that are recorded after the last event.
  private let postRoll: Double
  private var end: Timestamp?

  public init(postRoll: Double) { self.postRoll = postRoll }

  /// - Parameters:
  ///   - hasFired: whether an event wants a recording now.
  ///   - isHeld: whether something that set one off is still there.
  /// - Returns: what to do with the recording.
  public mutating func step(hasFired: Bool, isHeld: Bool, at now: Timestamp) -> Order? {
    if hasFired || isHeld && end != nil {
      let isNew = end == nil
      end = now.advanced(bySeconds: postRoll)
      return isNew ? .begin : nil
    }
    guard let end, now >= end else { return nil }
    self.end = nil
    return .end
  }
}
