import Libc

/// How many photos are edited per second, smoothed so that one large photo does not make the remaining time
/// jump.
///
/// An exponential average of the rate with a time constant of half a minute. It is corrected for its start:
/// until then it is the average of what has been measured.
struct BatchRate {
  private static let timeConstant = 30.0
  /// The shortest time between two measurements, in seconds: photos finish in bursts.
  private static let step = 1.0

  private var last: (finished: Int, time: Double) = (0, 0)
  private var average = 0.0
  /// The total weight behind the average, 0…1.
  private var weight = 0.0

  /// - Parameters:
  ///   - finished: photos edited so far, without those that were skipped.
  ///   - time: seconds since the beginning.
  mutating func add(finished: Int, at time: Double) {
    let seconds = time - last.time
    guard seconds >= Self.step else { return }
    let keep = exp(-seconds / Self.timeConstant)
    average = keep * average + (1 - keep) * Double(finished - last.finished) / seconds
    weight = keep * weight + 1 - keep
    last = (finished, time)
  }

  /// Photos per second; nil while nothing is known.
  var perSecond: Double? {
    let rate = weight > 0 ? average / weight : 0
    return rate > 0 ? rate : nil
  }
}
