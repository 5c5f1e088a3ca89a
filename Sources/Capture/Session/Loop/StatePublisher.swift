import FrameCore
import Synchronization

/// The current state of a session's pictures or sound, their format, and the sequences of states.
final class StatePublisher<Format: Sendable>: Sendable {
  private struct Present {
    var state = CaptureState.idle
    var format: Format?
  }
  private let present = Mutex(Present())
  private let broadcast = Broadcast<CaptureState>(keepingNewest: 256)

  var state: CaptureState { present.withLock { $0.state } }
  var format: Format? { present.withLock { $0.format } }

  /// The current state and those that follow.
  var states: AsyncStream<CaptureState> {
    // Under the lock, so that no state is lost between the first element and the rest.
    present.withLock { broadcast.stream(after: $0.state) }
  }

  func publish(_ state: CaptureState) {
    present.withLock { present in
      guard present.state != state else { return }
      present.state = state
      broadcast.send(state)
    }
  }

  func setFormat(_ format: Format?) { present.withLock { $0.format = format } }
}
