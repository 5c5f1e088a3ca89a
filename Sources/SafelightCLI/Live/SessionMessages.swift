import Safelight
import Synchronization

/// What happens beside the pictures, as a sentence.
struct SessionNote: Sendable {
  enum Kind: String {
    case note
    /// A source is away.
    case waiting
    /// It is back.
    case back
    /// What is done because the machine is under pressure.
    case pressure
  }

  var kind: Kind
  var text: String

  init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
}

/// A session's states as messages for people, collected by a task and read by the main thread.
final class SessionMessages: Sendable {
  private struct State {
    var messages: [SessionNote] = []
    var wasInterrupted = false
    var failure: CaptureFailure?
  }
  private let state = Mutex(State())
  /// What is said when the source is back.
  private let resumed: String

  init(resumed: String = "Frames are arriving again.") { self.resumed = resumed }

  func note(_ next: CaptureState) {
    state.withLock { state in
      switch next {
      case .interrupted(let failure):
        state.wasInterrupted = true
        state.messages.append(SessionNote(.waiting, "Waiting: \(failure)"))
      case .running where state.wasInterrupted:
        state.wasInterrupted = false
        state.messages.append(SessionNote(.back, resumed))
      case .failed(let failure): state.failure = failure
      default: break
      }
    }
  }

  /// Collects states until the last one.
  ///
  /// - Parameter states: of the pictures or of the sound of a session.
  func follow(_ states: AsyncStream<CaptureState>) throws {
    _ = try Blocking { [self] _ in
      for await state in states {
        note(state)
        if state.isFinal { return }
      }
    }
  }

  /// The messages since the last call.
  func take() -> [SessionNote] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  /// Why the session has given up, if it has.
  var failure: CaptureFailure? { state.withLock { $0.failure } }
}
