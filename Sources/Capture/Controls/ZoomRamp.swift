import FrameCore

/// A zoom from one value to another over time, as a state machine: it is told the time, and tells what to do.
///
/// The zoom moves by equal positions of its scale in equal times, which multiplies the magnification equally.
struct ZoomRamp {
  enum Action: Hashable {
    case set(Int64)
    case wait(until: Timestamp)
    case finished
  }
  /// A step is set at most this often, in seconds: setting takes USB cameras some milliseconds.
  static let interval = 0.02

  private let scale: ZoomScale
  private let start: Timestamp
  private let seconds: Double
  private let from: Double
  private let to: Double
  private let target: Int64
  /// What the device has as far as is known.
  private var value: Int64
  private var isOver = false
  /// Nothing is set before this, after a refusal.
  private var pause: Timestamp

  /// - Parameter target: a value of the control.
  init(_ scale: ZoomScale, from value: Int64, to target: Int64, seconds: Double, at start: Timestamp) {
    self.scale = scale
    self.start = start
    pause = start
    self.seconds = max(0, seconds)
    self.value = value
    self.target = target
    from = scale.position(of: value)
    to = scale.position(of: target)
  }

  /// Returns what to do at `time`. A step whose time has passed is left out; the last one never is.
  mutating func next(at time: Timestamp) -> Action {
    let elapsed = time.seconds(since: start)
    if isOver || (elapsed >= seconds && value == target) {
      isOver = true
      return .finished
    }
    guard time >= pause else { return .wait(until: pause) }
    let wanted =
      elapsed >= seconds
      ? target : scale.value(position: from + (to - from) * max(0, elapsed) / seconds)
    if wanted != value {
      value = wanted
      return .set(wanted)
    }
    return .wait(until: min(time.advanced(bySeconds: Self.interval), start.advanced(bySeconds: seconds)))
  }

  /// The value of the last `set` did not reach the device, which still has `present`; the next step comes
  /// later.
  mutating func refused(keeping present: Int64, at time: Timestamp) {
    value = present
    pause = time.advanced(bySeconds: Self.interval)
  }

  /// Ends the ramp where it is.
  mutating func cancel() { isOver = true }
}
