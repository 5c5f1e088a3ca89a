import FrameCore

/// The load since the last change of the ladder, in windows of about half a second.
struct LoadHistory: Sendable {
  /// Windows in ten seconds.
  static let limit = 20
  /// Drops are judged over this many windows, about three seconds.
  static let dropWindows = 6

  private(set) var windows: [FrameLoad] = []
  /// The window during which a change happened belongs to neither side.
  private var isSettling = false

  mutating func append(_ load: FrameLoad) {
    guard !isSettling else {
      isSettling = false
      return
    }
    guard load.frames + load.dropped > 0 else { return }
    windows.append(load)
    if windows.count > Self.limit { windows.removeFirst() }
  }

  mutating func beginAnew() { (windows, isSettling) = ([], true) }

  /// The mean frame time over the interval in the latest windows; nil without frames.
  func meanShare(ofLast count: Int = limit) -> Double? {
    let latest = windows.suffix(count)
    let frames = latest.reduce(0) { $0 + $1.frames }
    guard frames > 0 else { return nil }
    return latest.reduce(0) { $0 + $1.meanShare * Double($1.frames) } / Double(frames)
  }

  /// The part of frames that was dropped in the latest windows, 0…1, and their number.
  func drops(inLast count: Int) -> (share: Double, count: Int) {
    let latest = windows.suffix(count)
    let frames = latest.reduce(0) { $0 + $1.frames + $1.dropped }
    let dropped = latest.reduce(0) { $0 + $1.dropped }
    return (frames > 0 ? Double(dropped) / Double(frames) : 0, dropped)
  }

  /// How many times the present capacity the frames need; nil if they fit.
  ///
  /// - Parameter isUrgent: a change has just been made and was perhaps not enough, so one window tells.
  func overload(isUrgent: Bool) -> Double? {
    let latest = windows.suffix(isUrgent ? 1 : 2)
    guard latest.count == (isUrgent ? 1 : 2) else { return nil }
    let mean = meanShare(ofLast: latest.count) ?? 0
    // More than 1 % in 3 s and no single hiccup. Where an encoder has threads of its own, frame times may look
    // harmless while half of all frames are lost, so drops tell the load too.
    let drops = drops(inLast: Self.dropWindows)
    if drops.count > 1, drops.share > 0.01 { return max(mean, 1 / max(0.05, 1 - drops.share), 1.01) }
    if latest.allSatisfy({ $0.meanShare > 1 }) { return mean }
    // A queue that only grows is drops to come.
    if mean > 0.9, latest.allSatisfy({ $0.queueShare >= 0.75 }) { return max(mean, 1.01) }
    return nil
  }
}
