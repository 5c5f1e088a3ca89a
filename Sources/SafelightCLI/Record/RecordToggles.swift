import Libc
import Safelight

/// SIGUSR1 as the key r, for programs without a terminal.
///
/// Threads inherit the signals that are blocked, and one that is not blocked in all of them ends the program: `block`
/// comes before the first thread.
final class RecordToggles {
  private let count = Monitor(0)

  static func block() {
    var set = set()
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// - Throws: `SafelightError` if the system grants no more threads.
  init() throws {
    let count = count
    try WorkerThread(name: "toggles") {
      var set = Self.set()
      while true {
        var number: Int32 = 0
        guard sigwait(&set, &number) == 0 else { continue }
        count.update { $0 += 1 }
      }
    }.detach()
  }

  private static func set() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGUSR1)
    return set
  }

  /// Returns how many signals have come since the last call.
  func take() -> Int {
    guard count.read({ $0 > 0 }) else { return 0 }
    return count.update { count in
      defer { count = 0 }
      return count
    }
  }
}
