import FrameCore

/// Relates the clock of a source's frames to CLOCK_MONOTONIC, on which presses are timed: a state machine without
/// clock.
///
/// Cameras stamp frames on CLOCK_MONOTONIC. Other sources count from their own zero; then the shortest delay seen
/// lately between a frame's time and its arrival is the best estimate of the difference.
struct FrameClock {
  /// The delays, in nanoseconds, that are plausible between a frame's capture and its arrival.
  static let plausibleDelays: ClosedRange<Int64> = -1_000_000...10_000_000_000
  /// The number of frames that the estimate covers.
  static let span = 64

  /// Whether frames are on another clock.
  private(set) var isForeign = false
  private var delays: [Int64] = []
  private var next = 0

  /// Begins a stream, whose clock may be another one.
  mutating func begin() { self = FrameClock() }

  /// Records a frame's time and its arrival.
  mutating func frame(_ time: Timestamp, arrivedAt now: Timestamp) {
    let delay = now.nanoseconds &- time.nanoseconds
    if !isForeign {
      if Self.plausibleDelays.contains(delay) { return }
      isForeign = true
      delays.reserveCapacity(Self.span)
    }
    if delays.count < Self.span {
      delays.append(delay)
    } else {
      delays[next] = delay
      next = (next + 1) % Self.span
    }
  }

  /// The source's time at a moment on CLOCK_MONOTONIC.
  func sourceTime(of moment: Timestamp) -> Timestamp {
    guard isForeign, let shortest = delays.min() else { return moment }
    return Timestamp(nanoseconds: moment.nanoseconds &- shortest)
  }
}
