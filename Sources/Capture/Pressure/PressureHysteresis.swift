import FrameCore

/// The level of one gauge over time, without flutter.
///
/// A level begins when two readings in a row reach it, and ends, one level at a time, once no reading for ten
/// seconds has reached its release. Where a gauge has noise, ten seconds pass between two changes, except
/// that values beyond the noise, and `shutdown`, begin without that delay: a machine about to switch off must
/// not be waited for.
struct PressureHysteresis: Sendable {
  /// Seconds below the release before a level ends, and between two changes by noise.
  static let hold = 10.0

  private(set) var level = SystemPressure.Level.nominal
  /// What the previous reading reached, with and without the noise; nil if there was none.
  private var previous: (reached: SystemPressure.Level, beyondNoise: SystemPressure.Level)?
  private var changed: Timestamp?
  /// Since when every reading has been below the release.
  private var calmSince: Timestamp?

  /// Takes a reading and returns whether the level changed. `time` must not be before the last one.
  mutating func read(_ value: Double?, of gauge: PressureGauge, at time: Timestamp) -> Bool {
    guard let value else {
      previous = nil
      return false
    }
    let reached = gauge.level(of: value)
    let beyondNoise = gauge.level(of: value, exceedingBy: gauge.noise)
    defer { previous = (reached, beyondNoise) }
    if let next = rise(reached, beyondNoise, gauge, time), next > level { return set(next, time) }
    guard level > .nominal, value < gauge.release(of: level) else {
      calmSince = nil
      return false
    }
    let since = calmSince ?? time
    calmSince = since
    guard time.seconds(since: since) >= Self.hold else { return false }
    _ = set(level.lower, time)
    // This reading may be the first of those that end the next level.
    if value < gauge.release(of: level) { calmSince = time }
    return true
  }

  /// The level that two readings in a row have reached; nil if there was no reading before.
  private func rise(
    _ reached: SystemPressure.Level, _ beyondNoise: SystemPressure.Level, _ gauge: PressureGauge,
    _ time: Timestamp
  ) -> SystemPressure.Level? {
    guard let previous else { return nil }
    let both = min(reached, previous.reached)
    let isHeld = gauge.noise > 0 && changed.map { time.seconds(since: $0) < Self.hold } ?? false
    return isHeld && both != .shutdown ? min(beyondNoise, previous.beyondNoise) : both
  }

  private mutating func set(_ next: SystemPressure.Level, _ time: Timestamp) -> Bool {
    (level, changed, calmSince) = (next, time, nil)
    return true
  }
}
