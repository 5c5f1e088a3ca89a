import FrameCore

/// Assigns pictures with arbitrary time stamps to the frames of a constant-rate video: a state machine without
/// clock or sink.
///
/// A place is the time slot of one frame of the video. A picture takes the next place unless it is nearly a whole
/// place early or late: cameras jitter and time stamps are rounded, and neither should cost a picture. The video
/// therefore never deviates from the pictures' own times by more than one place, except for gaps left out when a
/// clock was reset: see `takeGap`.
struct ConstantRate {
  /// What to do with a picture.
  struct Step: Hashable {
    /// How many times the previous picture is repeated first.
    var repeats = 0
    /// Whether it is written; false if it came too early to have a place of its own.
    var isWritten = true
  }

  /// The frame rate of the video, in frames per second.
  let rate: Double
  /// When place 0 is shown.
  private var origin: Timestamp?
  /// The first free place.
  private var next = 0
  /// The length of the last gap left out, in seconds, until it is queried.
  private var gap: Double?

  /// How early or late a picture may be, in places.
  private static let tolerance = 0.9
  /// A clock that jumps back or forward by more seconds than these was reset. The forward limit bounds how much
  /// one damaged time stamp can write: at 30 frames per second a picture is repeated at most 1800 times.
  private static let longestReturn = 1.0
  let longestGap: Double

  /// - Parameter fraction: the rate as the video's header states it; the initializer returns nil for an unknown
  ///   one.
  init?(_ fraction: FrameRateFraction) {
    guard fraction.numerator > 0, fraction.denominator > 0 else { return nil }
    rate = Double(fraction.numerator) / Double(fraction.denominator)
    // One place of a slow video, such as a time-lapse, may be longer than a minute.
    longestGap = max(60, 1.5 / rate)
  }

  /// Assigns a place to a picture captured at `time`.
  mutating func place(_ time: Timestamp) -> Step {
    let distance = distance(to: time)
    guard distance > -Self.tolerance else { return Step(isWritten: false) }
    let repeats = distance < Self.tolerance ? 0 : Int(distance.rounded())
    next += repeats + 1
    return Step(repeats: repeats)
  }

  /// Records that a picture captured at `time` was dropped before it got here. Its place is dropped too, so that a
  /// consumer that cannot keep up is not given repeats instead.
  mutating func lose(_ time: Timestamp) {
    let distance = distance(to: time)
    guard distance > -Self.tolerance, let origin else { return }
    let places = max(1, (distance + 1).rounded())
    self.origin = origin.advanced(bySeconds: places / rate)
  }

  /// Returns how many times to repeat the last picture, captured at `time` and shown for `duration` seconds.
  mutating func end(_ time: Timestamp, duration: Double) -> Int {
    guard let origin, duration > 0 else { return 0 }
    guard duration <= longestGap else {
      gap = duration
      return 0
    }
    let end = (time.seconds(since: origin) + duration) * rate
    let repeats = max(0, Int(end.rounded()) - next)
    next += repeats
    return repeats
  }

  /// Returns the last gap left out since the previous call, in seconds; a gap is a time without pictures longer
  /// than `longestGap`.
  mutating func takeGap() -> Double? { gap.take() }

  /// The distance in places from the next free place to that of `time`; negative if `time` is earlier.
  private mutating func distance(to time: Timestamp) -> Double {
    let origin = origin ?? time
    self.origin = origin
    let distance = time.seconds(since: origin) * rate - Double(next)
    guard distance < -Self.longestReturn * rate - 1 || distance > longestGap * rate else {
      return distance
    }
    if distance > 0 { gap = distance / rate }
    self.origin = time.advanced(bySeconds: -Double(next) / rate)
    return 0
  }
}
