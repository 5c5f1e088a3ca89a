import FrameCore

/// Turns the horizons of single frames into a level that can be shown live: it does not jitter, follows a turning
/// camera within half a second, and holds when frames give no answer.
///
/// A median of three outvotes single wrong frames; it is followed by a low pass whose cutoff rises with the speed
/// of turning. Source of the latter: G. Casiez, N. Roussel, D. Vogel, 1€ Filter, CHI 2012.
///
/// The same frames at the same times always give the same levels.
public struct HorizonTracker: Sendable {
  /// Where the level comes from.
  public enum State: Sendable, Hashable {
    /// No frame was confident yet.
    case searching
    /// The last frame counted.
    case following
    /// The level is kept from the last frame that counted, captured at that time.
    case holding(since: Timestamp)
  }

  /// The level, in degrees as in `Horizon.degrees`; nil before the first confident frame.
  public private(set) var degrees: Double?
  public private(set) var state = State.searching

  /// The cutoff for a camera at rest, in Hz.
  private static let restingCutoff = 0.7
  /// How much the cutoff rises with speed, in Hz per degree per second.
  private static let cutoffPerSpeed = 0.12
  /// The cutoff of the speed itself, in Hz.
  private static let speedCutoff = 1.0
  /// Less confident frames may confirm the followed level if they nearly agree with it.
  private static let confirmingConfidence = 0.3
  private static let confirmingDifference = 2.0
  /// After a gap the level glides as if this much time had passed, in seconds, instead of jumping.
  private static let longestStep = 0.1

  private var last: Timestamp?
  private var recent = SIMD3<Double>()
  private var recentCount = 0
  private var median = 0.0
  private var speed = 0.0

  public init() {}

  /// Takes the horizon of the frame captured at `time`, and returns the level to show with it.
  ///
  /// A frame that is not newer than the previous one changes nothing.
  @discardableResult
  public mutating func update(_ horizon: Horizon, at time: Timestamp) -> Double? {
    guard let measured = horizon.degrees, counts(horizon, measured) else {
      if state == .following, let last { state = .holding(since: last) }
      return degrees
    }
    guard let last, let level = degrees else {
      start(at: measured, time)
      return degrees
    }
    let elapsed = time.seconds(since: last)
    guard elapsed > 0 else { return degrees }
    let step = min(elapsed, Self.longestStep)
    let value = outvoted(measured)
    let turned = (value - median) / step
    median = value
    speed += Self.share(cutoff: Self.speedCutoff, step) * (turned - speed)
    let cutoff = Self.restingCutoff + Self.cutoffPerSpeed * abs(speed)
    degrees = level + Self.share(cutoff: cutoff, step) * (value - level)
    self.last = time
    state = .following
    return degrees
  }

  private func counts(_ horizon: Horizon, _ measured: Double) -> Bool {
    guard measured.isFinite else { return false }
    if horizon.isConfident { return true }
    guard horizon.confidence >= Self.confirmingConfidence, let degrees else { return false }
    return abs(measured - degrees) <= Self.confirmingDifference
  }

  private mutating func start(at measured: Double, _ time: Timestamp) {
    degrees = measured
    median = measured
    recent = SIMD3(repeating: measured)
    recentCount = 1
    last = time
    state = .following
  }

  /// The median of the last three, including `measured`.
  private mutating func outvoted(_ measured: Double) -> Double {
    recent = SIMD3(recent.y, recent.z, measured)
    recentCount += 1
    // Nothing can outvote the first frame until the second arrives.
    if recentCount == 2 { recent = SIMD3(recent.y, measured, measured) }
    return max(min(recent.x, recent.y), min(max(recent.x, recent.y), recent.z))
  }

  /// How far a first-order low pass moves towards its input in `step` seconds.
  private static func share(cutoff: Double, _ step: Double) -> Double {
    1 / (1 + 1 / (2 * Double.pi * cutoff * step))
  }
}
