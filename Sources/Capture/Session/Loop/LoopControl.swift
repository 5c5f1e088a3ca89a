import FrameCore
import Synchronization

/// What a session and the thread that drives one of its inputs tell each other.
///
/// To allow switching, the thread opens its source and then waits for `begin()` or `stop()`, so that the
/// session keeps its former source until the new one is known to work.
final class LoopControl<Opened: Sendable>: Sendable {
  private struct State {
    var opening: Result<Opened, CaptureFailure>?
    var mayBegin = false
    var isStopping = false
    var hasEnded = false
    var wake: (@Sendable () -> Void)?
  }

  private let state = Monitor(State())
  private let thread = Mutex<WorkerThread?>(nil)

  // MARK: The session's side

  /// Starts the thread.
  ///
  /// - Throws: `SafelightError` if the system grants none.
  func launch(name: String, _ body: @escaping @Sendable () -> Void) throws {
    let started = try WorkerThread(name: name) { [self] in
      body()
      end()
    }
    thread.withLock { $0 = started }
  }

  /// Blocks until the thread has tried to open its source.
  ///
  /// - Throws: `CaptureFailure` if opening failed; the thread keeps trying if it outlasts failures, and
  ///   otherwise has ended.
  @discardableResult func waitUntilOpened() throws -> Opened { try state.wait { $0.opening }.get() }

  /// Allows the thread to deliver and to publish states.
  func begin() { state.update { $0.mayBegin = true } }

  /// Asks the thread to end; returns at once. Any thread may call it.
  func requestStop() {
    state.update { state in
      state.isStopping = true
      // Under the lock, so that the stream is not closed meanwhile.
      state.wake?()
    }
  }

  /// Ends the thread and blocks until the source is closed.
  func stop() {
    requestStop()
    thread.withLock { $0.take() }?.join()
  }

  /// Whether the thread has finished by itself, since the source has no more or is gone for good. It may
  /// still be closing the outputs until `stop()` returns.
  var hasEnded: Bool { state.read { $0.hasEnded } }

  // MARK: The thread's side

  var isStopping: Bool { state.read { $0.isStopping } }

  /// Tells the session the outcome of the first attempt to open; later ones are nobody's to hear.
  func tellOpening(_ result: Result<Opened, CaptureFailure>) {
    state.update { $0.opening = $0.opening ?? result }
  }

  /// Sets what ends a blocked read; nil before the stream is closed.
  func setWake(_ wake: (@Sendable () -> Void)?) { state.update { $0.wake = wake } }

  /// Blocks until the session has decided; returns false if the thread must end.
  func mayBegin() -> Bool {
    state.wait { state in
      if state.isStopping { return false }
      return state.mayBegin ? true : nil
    }
  }

  /// Blocks until the thread must end, or until `deadline`.
  func pause(until deadline: Timestamp) { _ = state.wait(until: deadline) { $0.isStopping ? true : nil } }

  func end() { state.update { $0.hasEnded = true } }
}
