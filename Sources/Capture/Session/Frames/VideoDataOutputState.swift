import Dispatch
import FrameCore

extension VideoDataOutput {
  /// Whom to notify of a captured frame once the lock is released.
  enum WakeUp {
    /// Nobody, or a thread waiting at the monitor.
    case nobody
    case task(CheckedContinuation<Frame?, Never>, Frame)
    /// The delegate's pump has work but is not scheduled.
    case delegate
  }

  /// The result for a waiting thread.
  struct Pulled {
    var frame: Frame?
  }

  /// Everything behind the output's lock.
  struct State {
    typealias Consumer = OutputConsumer<Delegate>

    var queue: LateFrameQueue<Frame>
    var consumer = Consumer.nobody
    /// The session that owns the output.
    var session = SessionClaim()
    /// A frame for a thread that has not yet woken up.
    var handed: Frame?
    var isWoken = false
    /// The task waiting for a frame.
    var continuation: CheckedContinuation<Frame?, Never>?
    var sequences = 0
    /// For a delegate: deliveries and drops in order.
    var reports: RingBuffer<Report>?
    var isPumping = false

    init(queue: LateFrameQueue<Frame>) { self.queue = queue }

    var isPulling: Bool { consumer.isSame(as: .puller) }

    /// Returns what a waiting thread should return; nil to keep waiting.
    mutating func pulled() -> Pulled? {
      if isPulling, let frame = handed.take() { return Pulled(frame: frame) }
      if isWoken {
        isWoken = false
        if isPulling { queue.pause() }
        return Pulled(frame: nil)
      }
      return queue.isClosed || !isPulling ? Pulled(frame: nil) : nil
    }

    mutating func captured(_ frame: Frame) -> (WakeUp, DroppedFrame?) {
      switch queue.captured(frame) {
      case .ignore, .keep: return (.nobody, nil)
      case .drop(let frame, let reason):
        let drop = DroppedFrame(sequence: frame.sequence, time: frame.time, reason: reason)
        return (report(.drop(drop)) ? .delegate : .nobody, drop)
      case .deliver(let frame):
        switch consumer {
        case .sequence:
          guard let continuation = continuation.take() else { return (.nobody, nil) }
          return (.task(continuation, frame), nil)
        case .delegate:
          return (report(.frame(frame)) ? .delegate : .nobody, nil)
        case .puller, .nobody:
          handed = frame
          return (.nobody, nil)
        }
      }
    }

    /// Queues a report for the delegate; returns whether its pump must be scheduled.
    ///
    /// A delegate that lets thousands of reports accumulate loses the newest drops, which are still in the
    /// statistics.
    mutating func report(_ report: Report) -> Bool {
      // The last place is reserved for a frame; otherwise the delegate would never be ready again.
      if case .drop = report, let places = reports?.freeCount, places <= 1 { return false }
      guard reports?.append(report) == true, !isPumping else { return false }
      isPumping = true
      return true
    }
  }
}
