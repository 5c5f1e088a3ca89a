import Libc

/// How many photos a second are edited, smoothed so that one large photo does not make what is left jump.
///
/// An exponential average of the rate with a time constant of half a minute, corrected for its start: the average of what
/// there is, until there is more than that.
struct BatchRate {
  private static let timeConstant = 30.0
  /// Seconds that a step takes at least: photos end in bursts.
  private static let step = 1.0

  private var last: (finished: Int, time: Double) = (0, 0)
  private var average = 0.0
  /// The weight that the average rests on, 0…1.
  private var weight = 0.0

  /// - Parameters:
  ///   - finished: photos that were edited so far, without those that were skipped.
  ///   - time: seconds since the beginning.
  mutating func add(finished: Int, at time: Double) {
    let seconds = time - last.time
    guard seconds >= Self.step else { return }
    let keep = exp(-seconds / Self.timeConstant)
    average = keep * average + (1 - keep) * Double(finished - last.finished) / seconds
    weight = keep * weight + 1 - keep
    last = (finished, time)
  }

  /// Photos a second; nil while nothing is known.
  var perSecond: Double? {
    let rate = weight > 0 ? average / weight : 0
    return rate > 0 ? rate : nil
  }
}
