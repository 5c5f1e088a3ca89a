import FrameCore
import Synchronization

/// The way from a capture thread to a session's outputs: does for them what `FrameFeedStateMachine` says.
///
/// `begin`, `deliver` and `lost` are the capture thread's; everything else may be called from anywhere.
final class FrameFeed: Sendable {
  /// One output and what its frames' orientation is followed by.
  struct Route: Sendable, Identifiable {
    let output: any CaptureOutput
    let orientation: Orientation

    var id: ObjectIdentifier { ObjectIdentifier(output) }
  }

  private typealias Machine = FrameFeedStateMachine<Route>

  private let machine = Mutex(Machine())
  /// Held while outputs are opened and closed, so that they hear of it in the order in which it happened: one that is
  /// removed while the source ends must not be opened last. Readers of statistics and frames do not wait for it.
  private let opening = Mutex(())

  // MARK: The session's side

  /// The outputs from the next frame on. Those that are new are opened where the feed is open; those that are gone
  /// are closed.
  func setRoutes(_ list: [Route]) { change { $0.setRoutes(list) } }

  /// Frames are going to come.
  func open() { change { $0.open() } }

  /// No more frames come: the outputs end once what waits is taken.
  func close() { change { $0.close() } }

  private func change(_ event: (inout Machine) -> [Machine.Action]) {
    opening.withLock { _ in
      for action in machine.withLock({ event(&$0) }) {
        switch action {
        case .open(let route): route.output.open()
        case .close(let route): route.output.close()
        }
      }
    }
  }

  /// Whether the first frames of the streams to come are withheld until they settle.
  func setSettling(_ settling: Settling) { machine.withLock { $0.setSettling(settling) } }

  var statistics: SessionStatistics { machine.withLock { $0.statistics } }

  // MARK: The capture thread's side

  /// A stream was opened.
  func begin() { machine.withLock { $0.begin() } }

  func countInterruption() { machine.withLock { $0.interrupted() } }

  func setRaisedPriority(_ isRaised: Bool) { machine.withLock { $0.setRaisedPriority(isRaised) } }

  /// Counts a frame and hands it to all outputs.
  func deliver(_ frame: Frame) {
    // Measured outside of the lock: a reader of statistics must not wait for it.
    let luma = machine.withLock { $0.needsLuma } ? LumaProbe.meanLuma(of: frame.buffer) : 0
    let (arrival, routes) = machine.withLock { machine in
      (machine.frame(frame.sequence, meanLuma: luma, at: frame.time), machine.routes)
    }
    if let gap = arrival.gap { tell(gap, at: frame.time, .discontinuity, routes) }
    guard arrival.isDelivered else { return }
    for route in routes {
      var turned = frame
      turned.sequence = arrival.number
      turned.orientation = frame.orientation.then(route.orientation)
      route.output.accept(turned)
    }
  }

  /// Counts frames that the source lost and tells all outputs.
  func lost(_ first: DroppedFrame, count: Int) {
    let (loss, routes) = machine.withLock { machine in
      (machine.lost(first.sequence, count: count, first.reason), machine.routes)
    }
    guard let loss else { return }
    if let gap = loss.gap { tell(gap, at: first.time, .discontinuity, routes) }
    tell(loss.lost, at: first.time, first.reason, routes)
  }

  private func tell(_ gap: Machine.Gap, at time: Timestamp, _ reason: DropReason, _ routes: [Route]) {
    let first = DroppedFrame(sequence: gap.number, time: time, reason: reason)
    for route in routes { route.output.sourceDropped(first: first, count: gap.count) }
  }

  /// Whether some output keeps so many frames that the source may lack memory.
  var holdsFrames: Bool {
    for route in machine.withLock({ $0.routes }) where route.output.holdsFrames { return true }
    return false
  }

  /// Blocks until all outputs could take a frame, or until `deadline`; false where they cannot.
  func waitForRoom(until deadline: Timestamp) -> Bool {
    for route in machine.withLock({ $0.routes }) where !route.output.waitForRoom(until: deadline) {
      return false
    }
    return true
  }
}
