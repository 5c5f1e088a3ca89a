import FrameCore
import Synchronization

/// The way from a capture thread to a session's outputs: counts, withholds unsettled frames, turns, fans out.
///
/// `begin`, `deliver` and `lost` are the capture thread's; everything else may be called from anywhere.
final class FrameFeed: Sendable {
  /// One output and what its frames' orientation is followed by.
  struct Route: Sendable {
    let output: any CaptureOutput
    let orientation: Orientation
  }

  private struct Routes {
    var list: [Route] = []
    var isOpen = false
  }

  private struct Source {
    var statistics = SessionStatistics()
    var sequence = SequenceTracker()
    var settling = Settling.off
    var meter = SettlingMeter(.off)
  }

  private let routes = Mutex(Routes())
  private let source = Mutex(Source())

  // MARK: The session's side

  /// The outputs from the next frame on. Those that are new are opened where the feed is open; those that are gone
  /// are closed.
  func setRoutes(_ list: [Route]) {
    let (former, isOpen) = routes.withLock { routes in
      let former = routes.list
      routes.list = list
      return (former, routes.isOpen)
    }
    for route in former where !list.contains(where: { $0.output === route.output }) { route.output.close() }
    guard isOpen else { return }
    for route in list where !former.contains(where: { $0.output === route.output }) { route.output.open() }
    // The source may have ended meanwhile.
    if !routes.withLock({ $0.isOpen }) { close() }
  }

  /// Frames are going to come.
  func open() {
    for route in routes.withLock({ routes in
      routes.isOpen = true
      return routes.list
    }) { route.output.open() }
  }

  /// No more frames come: the outputs end once what waits is taken.
  func close() {
    for route in routes.withLock({ routes in
      routes.isOpen = false
      return routes.list
    }) { route.output.close() }
  }

  /// Whether the first frames of the streams to come are withheld until they settle.
  func setSettling(_ settling: Settling) { source.withLock { $0.settling = settling } }

  var statistics: SessionStatistics { source.withLock { $0.statistics } }

  // MARK: The capture thread's side

  /// A stream was opened.
  func begin() {
    source.withLock { source in
      source.sequence.begin()
      source.meter = SettlingMeter(source.settling)
    }
  }

  func countInterruption() { source.withLock { $0.statistics.interruptions += 1 } }

  func setRaisedPriority(_ isRaised: Bool) { source.withLock { $0.statistics.hasRaisedPriority = isRaised } }

  /// Counts a frame and hands it to all outputs.
  func deliver(_ frame: Frame) {
    // Measured outside of the lock: a reader of statistics must not wait for it.
    let isSettled = source.withLock { $0.meter.isSettled }
    let luma = isSettled ? 0 : LumaProbe.meanLuma(of: frame.buffer)
    let (sequence, missing, passes) = source.withLock { source in
      let (sequence, missing) = source.sequence.frame(frame.sequence)
      source.statistics.frames.captured += missing
      source.statistics.frames.droppedDiscontinuity += missing
      let passes = source.meter.passes(meanLuma: luma, at: frame.time)
      if passes {
        source.statistics.frames.captured += 1
        source.statistics.frames.delivered += 1
      } else {
        source.statistics.unsettled += 1
      }
      return (sequence, missing, passes)
    }
    let routes = routes.withLock { $0.list }
    if missing > 0 {
      let first = DroppedFrame(
        sequence: sequence &- UInt64(missing), time: frame.time, reason: .discontinuity)
      for route in routes { route.output.sourceDropped(first: first, count: missing) }
    }
    guard passes else { return }
    for route in routes {
      var turned = frame
      turned.sequence = sequence
      turned.orientation = frame.orientation.then(route.orientation)
      route.output.accept(turned)
    }
  }

  /// Counts frames that the source lost and tells all outputs.
  func lost(_ first: DroppedFrame, count: Int) {
    guard count > 0 else { return }
    let (sequence, missing) = source.withLock { source in
      let (sequence, missing) = source.sequence.lost(first.sequence, count: count)
      source.statistics.frames.captured += count + missing
      source.statistics.frames.droppedDiscontinuity += missing
      source.statistics.frames[first.reason] += count
      return (sequence, missing)
    }
    var gap = first
    gap.sequence = sequence &- UInt64(missing)
    gap.reason = .discontinuity
    var reported = first
    reported.sequence = sequence
    for route in routes.withLock({ $0.list }) {
      if missing > 0 { route.output.sourceDropped(first: gap, count: missing) }
      route.output.sourceDropped(first: reported, count: count)
    }
  }

  /// Whether some output keeps so many frames that the source may lack memory.
  var holdsFrames: Bool {
    for route in routes.withLock({ $0.list }) where route.output.holdsFrames { return true }
    return false
  }

  /// Blocks until all outputs could take a frame, or until `deadline`; false where they cannot.
  func waitForRoom(until deadline: Timestamp) -> Bool {
    for route in routes.withLock({ $0.list }) where !route.output.waitForRoom(until: deadline) {
      return false
    }
    return true
  }
}
