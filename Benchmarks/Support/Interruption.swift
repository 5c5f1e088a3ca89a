import Glibc

/// Cleans up if a measurement is ended by Ctrl-C or a signal.
public enum Interruption {
  /// From now on, SIGINT, SIGTERM and SIGHUP end the processes that this process has started, remove `folder`
  /// and exit with 130.
  ///
  /// Call before threads are started, because they inherit the blocked signals.
  public static func removes(_ folder: String) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // Reading from a helper that died is an error of its own.
    signal(SIGPIPE, SIG_IGN)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Folder(path: folder)).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let folder = Unmanaged<Folder>.fromOpaque(context).takeRetainedValue()
        folder.waitAndRemove()
      }, context)
    pthread_detach(thread)
  }

  private final class Folder: Sendable {
    let path: String
    init(path: String) { self.path = path }

    func waitAndRemove() -> Never {
      var signals = sigset_t()
      sigemptyset(&signals)
      for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
      var received: Int32 = 0
      sigwait(&signals, &received)
      // The measuring thread keeps running: until the folder is gone, it may add files and processes.
      repeat {
        ProcessGroup.endDescendants()
        removeFolder(path)
      } while access(path, F_OK) == 0
      ProcessGroup.endDescendants()
      _exit(130)
    }
  }
}
