import Capture
import FrameCore

/// Which of a movie's frames are left out on purpose, and which were lost on the way to it.
struct FrameSelection {
  /// Leaves frames out under pressure.
  var limiter = FrameRateLimiter()
  /// The number of the newest picture that came; nil before the first one.
  private var newest: UInt64?
  /// The numbers of frames after it that were left out.
  private var leftOut: [UInt64] = []

  /// Whether a frame is to be recorded; asked once for each.
  mutating func takes(_ sequence: UInt64, at time: Timestamp) -> Bool {
    guard !limiter.keeps(time) else { return true }
    leftOut.append(sequence)
    return false
  }

  /// Notes a picture.
  ///
  /// - Returns: whether it is to be recorded, and how many frames before it were lost.
  mutating func came(_ sequence: UInt64) -> (isWanted: Bool, lost: Int) {
    // Those that were rendered for others come too.
    let isWanted = !leftOut.contains(sequence)
    let before = leftOut.count { $0 < sequence }
    leftOut.removeAll { $0 <= sequence }
    defer { newest = sequence }
    // After a change of cameras, numbers may begin anew.
    guard let newest, sequence > newest else { return (isWanted, 0) }
    return (isWanted, max(0, Int(clamping: sequence - newest - 1) - before))
  }
}
