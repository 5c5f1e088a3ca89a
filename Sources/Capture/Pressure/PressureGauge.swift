import FrameCore

/// One measured quantity, and from which values on it means which level. Greater values are worse.
struct PressureGauge: Sendable, Hashable {
  /// A level and the values at which it begins and ends.
  struct Limit: Sendable, Hashable {
    let level: SystemPressure.Level
    /// The level begins at this value.
    let rise: Double
    /// The level ends some time after the value has fallen below this one.
    let release: Double

    init(_ level: SystemPressure.Level, rise: Double, release: Double) {
      (self.level, self.rise, self.release) = (level, rise, release)
    }
  }

  /// How values are said.
  enum Unit: Sendable, Hashable {
    /// Degrees Celsius.
    case celsius
    /// Of 1.
    case percent
    /// Of 100; the number as the kernel tells it.
    case hundredths
    /// A number of events in a second.
    case perSecond
    /// The value is `mark` ÷ free bytes, so that less is worse.
    case bytesFree(mark: Double)
  }

  /// Unique among all gauges, and the same each time that the sources are looked for: `thermal_zone0`.
  let id: String
  let reason: SystemPressure.Reason
  /// How a sentence about it begins, before the value: `The processor is at`.
  let subject: String
  let unit: Unit
  /// By level; not empty.
  let limits: [Limit]
  /// What the value's noise may add to it. Soon after a change, a level begins only this much above its
  /// limit.
  let noise: Double

  init(
    id: String, reason: SystemPressure.Reason, subject: String, unit: Unit, limits: [Limit],
    noise: Double = 0
  ) {
    (self.id, self.reason, self.subject, self.unit) = (id, reason, subject, unit)
    self.limits = limits
    self.noise = noise
  }

  /// The level of a value by itself; with `excess`, of a value more than that above the limits.
  func level(of value: Double, exceedingBy excess: Double? = nil) -> SystemPressure.Level {
    let reached = limits.last { limit in
      if let excess { value > limit.rise + excess } else { value >= limit.rise }
    }
    return reached?.level ?? .nominal
  }

  /// The value below which a level ends. A level without a limit of its own ends as the next higher one does.
  func release(of level: SystemPressure.Level) -> Double {
    (limits.first { $0.level >= level } ?? limits.last)?.release ?? .infinity
  }

  /// Says the value and what it means: `The zone cpu is at 96.0 °C; 95.0 °C and more are serious`.
  func sentence(_ value: Double, _ level: SystemPressure.Level) -> String {
    guard let limit = limits.last(where: { $0.level <= level }) ?? limits.first else { return subject }
    let reached = text(value)
    switch unit {
    case .bytesFree:
      return "\(subject) \(reached); \(text(limit.rise)) and less are \(limit.level.rawValue)"
    case .celsius, .percent, .hundredths, .perSecond:
      return "\(subject) \(reached); \(text(limit.rise)) and more are \(limit.level.rawValue)"
    }
  }

  private func text(_ value: Double) -> String {
    switch unit {
    case .celsius: PlainNumber.fixed(value, 1) + " °C"
    case .percent: PlainNumber.fixed(100 * value, 1) + " %"
    case .hundredths: PlainNumber.fixed(value, 1) + " %"
    case .perSecond: PlainNumber.fixed(value, 1) + " a second"
    case .bytesFree(let mark):
      value > 0 ? PlainNumber.fixed(mark / value / 1_048_576, 0) + " MiB" : "plenty"
    }
  }
}

/// A gauge's value at one reading; nil if it could not be read this time.
struct PressureSample: Sendable {
  let gauge: PressureGauge
  let value: Double?

  init(_ gauge: PressureGauge, _ value: Double?) { (self.gauge, self.value) = (gauge, value) }
}
