import FrameCore
import Synchronization

/// The states of a session's sound, which are the session's own where it has no pictures.
final class SoundStates: Sendable {
  let publisher = StatePublisher<AudioFormat>()
  private let session: StatePublisher<StreamFormat>
  private let isAlone = Mutex(false)

  init(session: StatePublisher<StreamFormat>) { self.session = session }

  func publish(_ state: CaptureState) {
    publisher.publish(state)
    // Under the lock, so that a state of sound never follows one of pictures that came later.
    isAlone.withLock { if $0 { session.publish(state) } }
  }

  /// Sets whether the session has sound only.
  func setAlone(_ alone: Bool) {
    isAlone.withLock { isAlone in
      guard alone != isAlone else { return }
      isAlone = alone
      if alone, publisher.state != .idle { session.publish(publisher.state) }
    }
  }
}
