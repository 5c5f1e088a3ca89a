import FrameCore
import Synchronization

/// Connects a capture thread to a session's outputs, following `FrameFeedStateMachine`.
///
/// `begin`, `deliver` and `lost` belong to the capture thread; everything else may be called from any thread.
final class FrameFeed: Sendable {
  /// An output and the connection applied to its frames' orientation.
  struct Route: Sendable, Identifiable {
    let output: any CaptureOutput
    let orientation: Orientation

    var id: ObjectIdentifier { ObjectIdentifier(output) }
  }

  private typealias Machine = FrameFeedStateMachine<Route>

  private let machine = Mutex(Machine())
  /// Held while outputs are opened and closed, so that they are notified in order: one removed while the source
  /// ends must not be opened last. Readers of statistics and frames do not wait for it.
  private let opening = Mutex(())

  // MARK: The session's side

  /// Sets the outputs from the next frame on. New ones are opened if the feed is open; removed ones are closed.
  func setRoutes(_ list: [Route]) { change { $0.setRoutes(list) } }

  /// Announces frames.
  func open() { change { $0.open() } }

  /// Announces that no more frames come: the outputs end once waiting frames are taken.
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

  /// Sets whether the first frames of later streams are withheld until they settle.
  func setSettling(_ settling: Settling) { machine.withLock { $0.setSettling(settling) } }

  var statistics: SessionStatistics { machine.withLock { $0.statistics } }

  // MARK: The capture thread's side

  /// Begins a new stream.
  func begin() { machine.withLock { $0.begin() } }

  func countInterruption() { machine.withLock { $0.interrupted() } }

  func setRaisedPriority(_ isRaised: Bool) { machine.withLock { $0.setRaisedPriority(isRaised) } }

  /// Counts a frame and passes it to all outputs.
  func deliver(_ frame: Frame) {
    // Measure outside the lock, so that readers of statistics do not wait.
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
      // Outputs that keep frames would withhold the driver's memory for nothing.
      if !route.output.takesEncodedPictures { (turned.encoded, turned.mosaic) = (nil, nil) }
      route.output.accept(turned)
    }
  }

  /// Counts frames lost by the source and reports them to all outputs.
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

  /// Whether an output holds so many frames that the source may lack memory.
  var holdsFrames: Bool {
    for route in machine.withLock({ $0.routes }) where route.output.holdsFrames { return true }
    return false
  }

  /// Blocks until all outputs can accept a frame, or until `deadline`; returns whether they can.
  func waitForRoom(until deadline: Timestamp) -> Bool {
    for route in machine.withLock({ $0.routes }) where !route.output.waitForRoom(until: deadline) {
      return false
    }
    return true
  }
}
