#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Signals that ask a program to end, taken as answers to a question instead of interrupting it anywhere.
///
/// To be made before any thread is started: threads inherit what is blocked.
struct Signals {
  private var set = sigset_t()

  /// Blocks SIGINT, SIGTERM and SIGHUP, and ignores SIGPIPE, so that a reader's going is an error of `write`.
  init() {
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Waits for one of the signals.
  ///
  /// - Returns: its number, or nil after `seconds`.
  mutating func wait(seconds: Double) -> Int32? {
    var time = timespec()
    time.tv_sec = Int(seconds)
    time.tv_nsec = Int((seconds - seconds.rounded(.down)) * 1e9)
    let number = sigtimedwait(&set, nil, &time)
    return number > 0 ? number : nil
  }

  /// Lets the signals end the process again: a second Ctrl-C must not wait for anybody.
  mutating func release() { pthread_sigmask(SIG_UNBLOCK, &set, nil) }
}
