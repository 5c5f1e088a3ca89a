import Dispatch
import FrameCore

extension VideoDataOutput {
  /// An event reported to a delegate.
  enum Report {
    case frame(Frame)
    case drop(DroppedFrame)
  }

  /// The user's closures and their queue.
  final class Delegate: Sendable {
    let queue: DispatchQueue
    let didOutput: @Sendable (Frame) -> Void
    let didDrop: (@Sendable (DroppedFrame) -> Void)?

    init(
      queue: DispatchQueue, didOutput: @escaping @Sendable (Frame) -> Void,
      didDrop: (@Sendable (DroppedFrame) -> Void)?
    ) {
      self.queue = queue
      self.didOutput = didOutput
      self.didDrop = didDrop
    }
  }

  /// Calls `didOutput` for each frame and `didDrop` for each dropped one on `queue`, one call at a time, in order.
  /// The consumer is busy while `didOutput` runs.
  ///
  /// Takes over the output from its former consumer. Keep no frame longer than needed: it holds the source's
  /// buffer.
  public func setDelegate(
    queue: DispatchQueue, didOutput: @escaping @Sendable (Frame) -> Void,
    didDrop: (@Sendable (DroppedFrame) -> Void)? = nil
  ) {
    let delegate = Delegate(queue: queue, didOutput: didOutput, didDrop: didDrop)
    _ = takeOver(.delegate(delegate), asking: false)
    let isIdle = monitor.update { state in
      guard state.consumer.isSame(as: .delegate(delegate)) else { return false }
      state.reports = RingBuffer(capacity: 1024)
      if case .deliver(let frame) = state.queue.ready() { return state.report(.frame(frame)) }
      return false
    }
    if isIdle { schedulePump() }
  }

  /// Ends the delegate's calls, without waiting for a running one.
  public func removeDelegate() {
    if case .delegate = monitor.read({ $0.consumer }) { _ = takeOver(.nobody, asking: false) }
  }

  func schedulePump() {
    guard case .delegate(let delegate) = monitor.read({ $0.consumer }) else {
      monitor.update { $0.isPumping = false }
      return
    }
    delegate.queue.async { [self] in pump(delegate) }
  }

  /// Makes one call, then reschedules itself, so that the queue's other work gets its turn.
  private func pump(_ delegate: Delegate) {
    let report = monitor.update { state -> Report? in
      guard state.consumer.isSame(as: .delegate(delegate)) else {
        // Another delegate may have taken over meanwhile; its own pump does the work.
        return nil
      }
      return state.reports?.popFirst()
    }
    switch report {
    case .frame(let frame): delegate.didOutput(frame)
    case .drop(let drop): delegate.didDrop?(drop)
    case nil: break
    }
    let wasFrame = if case .frame = report { true } else { false }
    let goesOn = monitor.update { state in
      guard state.consumer.isSame(as: .delegate(delegate)) else {
        if case .delegate = state.consumer, state.reports?.isEmpty == false { return true }
        state.isPumping = false
        return false
      }
      if wasFrame, case .deliver(let frame) = state.queue.ready() { _ = state.reports?.append(.frame(frame)) }
      state.isPumping = state.reports?.isEmpty == false
      return state.isPumping
    }
    if goesOn { schedulePump() }
  }
}
