import Safelight
import Libc

/// Signals that ask the program to end, received by a thread of their own and polled by the main thread.
///
/// The first is a request. The second ends the program at once, and so does the first if it is not noticed for a
/// while: the main thread may be blocked writing to a reader that has stopped reading.
///
/// Must be created before any other thread is started: threads inherit the signal mask.
final class Signals: Sendable {
  private struct State {
    /// The request, until it is noticed.
    var pending: Int32?
    /// Whether a request was noticed: the next signal ends the program.
    var isSeen = false
    /// Whether the main thread has something else to do.
    var isWoken = false
  }
  private let state = Monitor(State())
  /// The time for the main thread to notice a request, in seconds.
  private static let patience = 3.0

  /// Blocks SIGINT, SIGTERM and SIGHUP, and ignores SIGPIPE, so that a closed reader is an error of `write`.
  ///
  /// - Throws: `SafelightError` if the system grants no more threads.
  /// - Parameter isHeld: whether the first signal is already a request; otherwise `hold` makes it one.
  init(isHeld: Bool = true) throws {
    state.update { $0.isSeen = !isHeld }
    signal(SIGPIPE, SIG_IGN)
    var set = Self.requests()
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let state = state
    try WorkerThread(name: "signals") { Self.run(state) }.detach()
  }

  /// SIGINT, SIGTERM and SIGHUP.
  private static func requests() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
    return set
  }

  private static func run(_ state: Monitor<State>) {
    var set = requests()
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      let isFirst = state.update { state in
        guard !state.isSeen, state.pending == nil else { return false }
        state.pending = number
        return true
      }
      let deadline = Timestamp.now.advanced(bySeconds: patience)
      if isFirst, state.wait(until: deadline, for: { $0.isSeen ? true : nil }) == true { continue }
      // Handlers that restore the terminal and remove unfinished files run on exit.
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      raise(number)
    }
  }

  /// Ends the current `wait`, or the next one. Any thread may call it.
  func wake() { state.update { $0.isWoken = true } }

  /// Waits for one of the signals.
  ///
  /// - Returns: its number, or nil after `seconds` or a `wake`.
  func wait(seconds: Double) -> Int32? {
    let number: Int32? =
      state.wait(until: Timestamp.now.advanced(bySeconds: seconds)) { state -> Int32?? in
        if let number = state.pending.take() { return .some(number) }
        guard state.isWoken else { return nil }
        state.isWoken = false
        return .some(nil)
      } ?? nil
    // Wakes the thread that waits for another signal; a wait that changes the state wakes nobody.
    if number != nil { state.update { $0.isSeen = true } }
    return number
  }

  /// Makes the next signal a request.
  func hold() { state.update { $0.isSeen = false } }

  /// Lets the next signal end the program at once: the rest may wait for a reader or a device.
  func release() { state.update { $0.isSeen = true } }
}
