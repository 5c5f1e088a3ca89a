import FrameCore

/// Waits for times on the monotonic clock; can be woken from any thread.
///
/// Times are absolute, so that pacing does not drift. Waiting allocates no memory.
package final class FramePacer: Sendable {
  /// How a wait ended.
  package enum End: Sendable, Hashable {
    /// The time has come.
    case due
    /// The deadline passed first.
    case deadline
    case woken
  }

  private let isWoken = Monitor(false)

  package init() {}

  /// Waits until `moment`, or until `deadline` if that is earlier.
  ///
  /// A wake-up before the wait is remembered: the next wait returns at once.
  package func wait(for moment: Timestamp, until deadline: Timestamp) -> End {
    let wasWoken = isWoken.wait(until: min(moment, deadline)) { isWoken -> Bool? in
      guard isWoken else { return nil }
      isWoken = false
      return true
    }
    if wasWoken == true { return .woken }
    return moment <= deadline ? .due : .deadline
  }

  /// Waits for an unused buffer, for streams that lose no frame. Polls, since nothing signals that a buffer is
  /// released.
  ///
  /// - Returns: nil after a wake-up, or when the deadline has passed.
  package func takeBuffer(from ring: BufferRing, until deadline: Timestamp) -> PixelBuffer? {
    while true {
      if let buffer = ring.take() { return buffer }
      let pause = Timestamp.now.advanced(bySeconds: 0.001)
      guard wait(for: pause, until: deadline) == .due else { return nil }
    }
  }

  /// Ends the current wait, or the next one if there is none.
  package func wake() { isWoken.update { $0 = true } }
}
