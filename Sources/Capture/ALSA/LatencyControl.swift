/// Keeps the age of played sound at a target although two clocks differ, by playing slightly faster or
/// slower.
///
/// A proportional and integral controller: a constant difference of the clocks leaves no error.
struct LatencyControl {
  /// The age to keep, in seconds.
  var target: Double
  /// The error of the age, smoothed, in seconds; nil before the first measurement.
  private(set) var error: Double?
  private var integral = 0.0

  /// The largest change of speed: 1.7 cents, which nobody hears.
  static let largestChange = 0.001
  /// The controller's natural frequency in radians a second, and its damping.
  private static let frequency = 0.15
  private static let damping = 1.0
  /// The time constant of the smoothing, in seconds, against the jitter of times.
  private static let smoothing = 0.5

  init(target: Double) { self.target = target }

  /// Forgets the error, but not what is known of the clocks.
  mutating func restart() { error = nil }

  /// Returns the speed, near 1.
  ///
  /// - Parameters:
  ///   - age: seconds since the next sample to play was captured.
  ///   - interval: seconds since the last update.
  mutating func update(age: Double, interval: Double) -> Double {
    let measured = age - target
    let smoothed: Double
    if let error {
      smoothed = error + (measured - error) * min(1, interval / Self.smoothing)
    } else {
      smoothed = measured
    }
    error = smoothed
    let proportional = 2 * Self.damping * Self.frequency * smoothed
    let step = Self.frequency * Self.frequency * smoothed * interval
    let limit = Self.largestChange
    // At the limit the integral would only wind up.
    if abs(proportional + integral) < limit || (proportional + integral) * step < 0 { integral += step }
    integral = min(max(integral, -limit), limit)
    return 1 + min(max(proportional + integral, -limit), limit)
  }
}
