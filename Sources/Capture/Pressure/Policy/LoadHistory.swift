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

  /// The mean frame time over the interval in the latest windows that had frames; nil if none had.
  func meanShare(ofLast count: Int = limit) -> Double? {
    let latest = windows.filter { $0.frames > 0 }.suffix(count)
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

  /// The part of the latest window that was spent on frames, in the terms in which times are told; nil
  /// without frames.
  var use: Double? {
    guard let last = windows.last, last.seconds > 0, last.frames > 1 else { return nil }
    return Double(last.frames) * last.meanTime / last.seconds
  }

  /// Whether all that the machine can do was used in the latest window: frames were lost for want of time.
  var isSaturated: Bool { (windows.last?.dropShare ?? 0) > 0.05 }

  /// How many times the present capacity the frames need; nil if they fit.
  ///
  /// - Parameters:
  ///   - capacity: the mean share that the machine can do.
  ///   - isUrgent: a change has just been made and was perhaps not enough, so one window tells.
  func overload(capacity: Double, isUrgent: Bool) -> Double? {
    let latest = windows.suffix(isUrgent ? 1 : 2)
    guard latest.count == (isUrgent ? 1 : 2) else { return nil }
    let load = (meanShare(ofLast: latest.count) ?? 0) / capacity
    // More than 1 % in 3 s and no single hiccup. Where an encoder has threads of its own, frame times may
    // look harmless while half of all frames are lost, so drops tell the load too.
    let drops = drops(inLast: Self.dropWindows)
    if drops.count > 1, drops.share > 0.01 { return max(load, 1 / max(0.05, 1 - drops.share), 1.01) }
    // Where several workers share the frames, each may take longer than an interval; then nothing waits.
    let isWaiting = latest.allSatisfy { $0.queueCapacity == 0 || $0.standingQueue > 0 }
    if isWaiting, latest.allSatisfy({ $0.meanShare > max(1, capacity) }) { return load }
    // A queue that only grows is drops to come.
    if load > 0.9, latest.allSatisfy({ $0.queueShare >= 0.75 }) { return max(load, 1.01) }
    return nil
  }
}
