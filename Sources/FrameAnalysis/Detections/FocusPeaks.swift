import FrameCore

/// The sharpest moment between two that are less sharp.
public struct FocusPeak: Sendable, Hashable {
  /// The time and the sequence number of the sharpest frame.
  public var time: Timestamp
  public var sequence: UInt64
  /// Its sharpness, 0…1, as `Sharpness.value`.
  public var value: Double
}

/// Finds the sharpest moments of a sequence of readings, as of a lens that is turned through its range.
///
/// A pure state machine, without a clock. A peak is told once the readings have risen by `step` and then fallen by
/// half of it, or have stayed without a sharper one for a while. Of three readings the median counts, so
/// that a single wrong one is no peak.
public struct FocusPeaks: Sendable {
  private struct Reading: Sendable {
    var time: Timestamp
    var sequence: UInt64
    var value: Double
    /// The median of this value and its neighbours'.
    var smoothed = 0.0
  }

  private let step: Double
  private let patience: Double
  private var recent: [Reading] = []
  private var valley = Double.infinity
  private var best: Reading?

  /// - Parameters:
  ///   - step: the least rise before a peak, in units of `Sharpness.value`.
  ///   - patience: seconds without a sharper frame after which the best one is the peak.
  public init(step: Double = 0.04, patience: Double = 0.4) {
    (self.step, self.patience) = (step, patience)
  }

  /// Takes the next reading.
  ///
  /// - Parameter value: as `Sharpness.value`; nil, where there are no edges, counts as 0.
  /// - Returns: a peak, at most once for each.
  public mutating func take(_ value: Double?, at time: Timestamp, sequence: UInt64) -> FocusPeak? {
    if let last = recent.last, time < last.time { (recent, best, valley) = ([], nil, .infinity) }
    recent.append(Reading(time: time, sequence: sequence, value: value ?? 0))
    guard recent.count >= 3 else { return nil }
    if recent.count > 3 { recent.removeFirst() }
    var middle = recent[1]
    middle.smoothed = recent.map(\.value).sorted()[1]
    if let peak = best {
      // Of equal ones the sharpest by itself, and of a plateau the first.
      if (middle.smoothed, middle.value) > (peak.smoothed, peak.value) { best = middle }
    } else {
      valley = min(valley, middle.smoothed)
      if middle.smoothed >= valley + step { best = middle }
    }
    guard let peak = best else { return nil }
    let hasFallen = middle.smoothed <= peak.smoothed - step / 2
    guard hasFallen || middle.time.seconds(since: peak.time) >= patience else { return nil }
    (best, valley) = (nil, middle.smoothed)
    return FocusPeak(time: peak.time, sequence: peak.sequence, value: peak.value)
  }
}
