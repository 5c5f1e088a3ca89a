import FrameCore

/// The positions and times of a stream of captured sound, and what it lost.
struct CaptureTimeline {
  /// Samples per second and channel.
  let rate: Int
  /// The samples per channel so far, lost ones included.
  private(set) var position: Int64 = 0
  /// The measured time of the sample after the last one; nil before the first.
  private(set) var end: Timestamp?
  /// Why the next samples do not follow the last ones; nil if they do.
  private(set) var interruption: SilenceReason?

  init(rate: Int) { self.rate = rate }

  /// Returns the time of the first unread sample.
  ///
  /// - Parameters:
  ///   - unread: samples per channel captured but not read at `time`.
  func start(unread: Int, at time: Timestamp) -> Timestamp {
    time.advanced(bySeconds: -seconds(Int64(unread)))
  }

  /// Notes that samples were lost while the hardware ran on, so that their number is known; returns when the
  /// first of them was due.
  ///
  /// - Parameter next: the time of the first sample after them.
  mutating func lose(_ count: Int, before next: Timestamp) -> Timestamp {
    position += Int64(count)
    end = next
    return next.advanced(bySeconds: -seconds(Int64(count)))
  }

  /// Notes that the hardware stopped. The first cause of several counts.
  mutating func interrupt(_ reason: SilenceReason) { interruption = interruption ?? reason }

  /// Returns what an interruption lost, now that sound has begun again at `time`; nil without interruption.
  ///
  /// The number is the time between the last sample and the next, at the nominal rate. It is as exact as
  /// these times.
  mutating func resume(at time: Timestamp) -> (count: Int, reason: SilenceReason, at: Timestamp)? {
    guard let reason = interruption else { return nil }
    interruption = nil
    // Before the first sample nothing was lost.
    guard let end else { return nil }
    let count = max(0, Int((time.seconds(since: end) * Double(rate)).rounded()))
    position += Int64(count)
    self.end = time
    return (count, reason, end)
  }

  /// Notes samples that were delivered; returns their position.
  mutating func deliver(_ count: Int, at time: Timestamp) -> Int64 {
    defer { position += Int64(count) }
    end = time.advanced(bySeconds: seconds(Int64(count)))
    return position
  }

  private func seconds(_ count: Int64) -> Double { Double(count) / Double(rate) }
}
