import Safelight
import Libc

/// Signals that ask a program to end, taken by a thread of their own and asked after by the main one.
///
/// The first is a request. The second ends the program at once, and so does the first where nobody asks after it for a
/// while: the main thread may be stuck in writing to a reader that has stopped reading.
///
/// To be made before any other thread is started: threads inherit what is blocked.
final class Signals: Sendable {
  private struct State {
    /// The request, until it is seen.
    var pending: Int32?
    /// Whether a request was seen: the next signal is one too many.
    var isSeen = false
    /// Whether the main thread has something else to look at.
    var isWoken = false
  }
  private let state = Monitor(State())
  /// Seconds for the main thread to see a request.
  private static let patience = 3.0

  /// Blocks SIGINT, SIGTERM and SIGHUP, and ignores SIGPIPE, so that a reader's going is an error of `write`.
  ///
  /// - Throws: `SafelightError` where the system grants no more threads.
  /// - Parameter isHeld: whether the first signal is a request already; `hold` makes it one.
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
      // Handlers that give the terminal back and remove unfinished files run on the way out.
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      raise(number)
    }
  }

  /// Ends a `wait`, or the next one where nobody waits. Any thread may call it.
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

  /// Lets the next signal end the program at once: what follows may wait for a reader or a device.
  func release() { state.update { $0.isSeen = true } }
}
