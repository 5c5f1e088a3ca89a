import FrameCore

/// Leaves frames out so that those that stay come evenly at a lower rate: 30 → 24 → 15 of a camera whose
/// times jitter.
///
/// Moments lie on a grid of the wanted rate; of the frames around each the nearest stays. So exactly one
/// frame stays for each moment, at most half a source interval and its jitter away, and errors do not add up.
public struct FrameRateLimiter: Sendable {
  /// A source up to this much faster than the wanted rate is left as it is: leaving out one frame in twenty
  /// would stutter more than the rate is worth.
  public static let tolerance = 1.05

  /// Frames a second; nil leaves nothing out.
  public private(set) var rate: Double?
  /// Frames that stayed.
  public private(set) var kept = 0
  /// Frames that were left out on purpose.
  public private(set) var leftOut = 0

  private var last: Timestamp?
  private var lastKept: Timestamp?
  /// The next moment of the grid.
  private var due: Timestamp?
  /// The mean of the source's intervals, in seconds; nil before its second frame.
  private var sourceInterval: Double?

  public init() {}

  /// Sets the wanted rate in frames a second, above 0; nil for the source's.
  ///
  /// - Throws: `SafelightError` for a rate that is not above 0.
  public mutating func setRate(_ rate: Double?) throws {
    if let rate, !(rate > 0 && rate.isFinite) {
      throw SafelightError(
        .invalidValue, "The frame rate is \(rate)", remedy: "give it frames a second above 0, such as 15")
    }
    self.rate = rate
    due = rate.flatMap { rate in lastKept?.advanced(bySeconds: 1 / rate) }
  }

  /// Returns whether the frame of this capture time stays.
  public mutating func keeps(_ time: Timestamp) -> Bool {
    measure(time)
    let stays = isDue(time)
    if stays {
      kept += 1
      lastKept = time
    } else {
      leftOut += 1
    }
    return stays
  }

  private mutating func measure(_ time: Timestamp) {
    defer { last = time }
    guard let last else { return }
    let interval = time.seconds(since: last)
    // A clock that was set back, or a source that was opened again.
    guard interval > 0 else {
      due = nil
      return
    }
    guard let mean = sourceInterval else {
      sourceInterval = interval
      return
    }
    // A lost frame is not a slower source; one that became slower is followed within a second.
    sourceInterval = mean + (min(interval, 1.5 * mean) - mean) / 8
  }

  private mutating func isDue(_ time: Timestamp) -> Bool {
    guard let rate else { return true }
    let period = 1 / rate
    guard let due, let sourceInterval, period > sourceInterval * Self.tolerance else {
      self.due = time.advanced(bySeconds: period)
      return true
    }
    let early = due.seconds(since: time)
    guard early <= sourceInterval / 2 else { return false }
    // After a gap the grid begins anew; catching up would keep frames that come close together.
    self.due = (-early > period ? time : due).advanced(bySeconds: period)
    return true
  }
}
