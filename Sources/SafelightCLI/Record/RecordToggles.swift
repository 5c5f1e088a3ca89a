import Libc
import Safelight

/// SIGUSR1 as the key r, for programs without a terminal.
///
/// Must be created before any thread is started: threads inherit the signal mask.
final class RecordToggles {
  private let count = Monitor(0)

  /// - Throws: `SafelightError` if the system grants no more threads.
  init() throws {
    var set = Self.set()
    pthread_sigmask(SIG_BLOCK, &set, nil)
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
