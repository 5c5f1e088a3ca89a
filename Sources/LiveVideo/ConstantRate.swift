import FrameCore

/// Gives pictures that come at any times their places in a video of one rate: a state machine without clock or sink.
///
/// A place is the time of one frame of the video. A picture takes the place that is next unless it is nearly
/// a whole place early or late: cameras jitter, and time stamps are rounded, and neither is to cost a
/// picture. So the video is never further from the pictures' own times than one place, but for what a clock
/// that is set anew leaves out: see `takeGap`.
struct ConstantRate {
  /// What to do with a picture.
  struct Step: Hashable {
    /// How often the picture before it is written again first.
    var repeats = 0
    /// Whether it is written; otherwise there is no place for it, and the next one follows too soon.
    var isWritten = true
  }

  /// Frames a second of the video.
  let rate: Double
  /// When place 0 is shown.
  private var origin: Timestamp?
  /// The first place that is free.
  private var next = 0
  /// Seconds that were left out last, until they are asked for.
  private var gap: Double?

  /// How early or late a picture may be, in places.
  private static let tolerance = 0.9
  /// A clock that goes back by more seconds, or forward by more, was set anew. The latter bounds how much one
  /// damaged time stamp can write: at 30 frames a second a picture is repeated at most 1800 times.
  private static let longestReturn = 1.0
  let longestGap: Double

  /// - Parameter fraction: the rate as the video's header states it; nil is returned for an unknown one.
  init?(_ fraction: FrameRateFraction) {
    guard fraction.numerator > 0, fraction.denominator > 0 else { return nil }
    rate = Double(fraction.numerator) / Double(fraction.denominator)
    // One place of a slow video, as of a time-lapse, may be longer than a minute.
    longestGap = max(60, 1.5 / rate)
  }

  /// A picture of `time` is there to be written.
  mutating func place(_ time: Timestamp) -> Step {
    let distance = distance(to: time)
    guard distance > -Self.tolerance else { return Step(isWritten: false) }
    let repeats = distance < Self.tolerance ? 0 : Int(distance.rounded())
    next += repeats + 1
    return Step(repeats: repeats)
  }

  /// A picture of `time` was lost on its way here: its place is lost with it, so that whoever cannot take all pictures is
  /// not given others instead.
  mutating func lose(_ time: Timestamp) {
    let distance = distance(to: time)
    guard distance > -Self.tolerance, let origin else { return }
    let places = max(1, (distance + 1).rounded())
    self.origin = origin.advanced(bySeconds: places / rate)
  }

  /// The last picture, of `time`, stands for `duration` seconds: how often it is written again.
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

  /// Seconds without a picture, more than `longestGap`, that the video leaves out since the last call.
  mutating func takeGap() -> Double? { gap.take() }

  /// Places between the free one and that of `time`; negative where `time` is before it.
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
