/// Extends a driver's 32-bit frame counter to a 64-bit position in the stream, and finds gaps.
struct DriverSequence: Sendable {
  private var last: UInt32?
  /// The position of the last frame; the first one is 0.
  private(set) var position: UInt64 = 0

  /// Records the counter of the next frame.
  ///
  /// The counter wraps from 2³²−1 to 0. If it does not change, or goes back by less than half its range, the
  /// driver is faulty or has restarted, and the frame counts as the next one.
  ///
  /// - Returns: the frame's position, and the number of frames missing before it.
  mutating func advance(to counter: UInt32) -> (position: UInt64, missing: Int) {
    guard let last else {
      self.last = counter
      return (position, 0)
    }
    let step = counter &- last
    let missing = step == 0 || step > UInt32.max / 2 ? 0 : Int(step) - 1
    self.last = counter
    position += UInt64(missing) + 1
    return (position, missing)
  }
}
