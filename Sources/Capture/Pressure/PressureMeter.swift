import FrameCore

/// Readings in, pressure out: the state machine behind `SystemPressureMonitor`. Reads nothing itself.
struct PressureMeter: Sendable {
  /// How long a gauge that cannot be read any more keeps its level, in seconds.
  static let memory = 10.0

  private struct State: Sendable {
    var gauge: PressureGauge
    var hysteresis = PressureHysteresis()
    var value: Double
    var seen: Timestamp
  }
  /// In the order in which gauges were first seen.
  private var states: [State] = []
  private var positions: [String: Int] = [:]

  private(set) var pressure = SystemPressure.nominal

  /// Takes readings of some or all gauges.
  ///
  /// - Parameter unavailable: the sources that cannot be read; nil if that was not looked at this time.
  /// - Returns: whether a level, or what is available, changed. Sentences follow the values without being a
  ///   change.
  mutating func read(
    _ samples: [PressureSample], unavailable: [SystemPressure.UnavailableSource]? = nil, at time: Timestamp
  ) -> Bool {
    for sample in samples { read(sample, time) }
    forget(before: time)
    let before = pressure
    pressure = SystemPressure(
      causes: SystemPressure.Reason.allCases.compactMap(cause),
      unavailable: unavailable ?? before.unavailable)
    return !before.isLike(pressure)
  }

  private mutating func read(_ sample: PressureSample, _ time: Timestamp) {
    let position: Int
    if let known = positions[sample.gauge.id] {
      position = known
      states[position].gauge = sample.gauge
    } else {
      guard let value = sample.value else { return }
      position = states.count
      positions[sample.gauge.id] = position
      states.append(State(gauge: sample.gauge, value: value, seen: time))
    }
    _ = states[position].hysteresis.read(sample.value, of: sample.gauge, at: time)
    guard let value = sample.value else { return }
    (states[position].value, states[position].seen) = (value, time)
  }

  private mutating func forget(before time: Timestamp) {
    guard states.contains(where: { time.seconds(since: $0.seen) >= Self.memory }) else { return }
    states.removeAll { time.seconds(since: $0.seen) >= Self.memory }
    positions = Dictionary(uniqueKeysWithValues: states.enumerated().map { ($1.gauge.id, $0) })
  }

  private func cause(_ reason: SystemPressure.Reason) -> SystemPressure.Cause? {
    var worst: State?
    for state in states where state.gauge.reason == reason && state.hysteresis.level > .nominal {
      if let present = worst, present.hysteresis.level >= state.hysteresis.level { continue }
      worst = state
    }
    guard let worst else { return nil }
    let level = worst.hysteresis.level
    return SystemPressure.Cause(
      reason: reason, level: level, sentence: worst.gauge.sentence(worst.value, level))
  }
}

extension SystemPressure {
  /// Whether levels and what is available are the same; values may differ.
  fileprivate func isLike(_ other: SystemPressure) -> Bool {
    causes.count == other.causes.count && unavailable == other.unavailable
      && zip(causes, other.causes).allSatisfy { $0.reason == $1.reason && $0.level == $1.level }
  }
}
