import Libc
import Safelight

/// Tells of files that come, change and go in a folder.
///
/// Waiting costs nothing. `WatchLoop` says how it finds out.
final class FolderWatch: Sendable {
  enum Change: Sendable, Equatable {
    /// It is watched from now on; what came before is not told.
    case begun
    /// Files with these names came, changed or went.
    case names(Set<String>)
    /// It is not known which.
    case unknown
  }

  private struct State {
    var isWatched = false
    var isClosed = false
  }
  private let state = Monitor(State())
  /// A pipe that wakes the thread.
  private let wake: (read: Int32, write: Int32)
  private let thread: Joinable

  /// - Parameters:
  ///   - folder: which need not exist yet.
  ///   - report: called on the watch's own thread.
  /// - Throws: `SafelightError` if the system grants no more threads or files.
  init(_ folder: String, report: @escaping @Sendable (Change) -> Void) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw SafelightError(
        .file, "Cannot watch \(folder): \(errorText(errno))", remedy: "close other programs")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wake = (ends[0], ends[1])
    let (state, reading) = (state, ends[0])
    thread = Joinable(
      try WorkerThread(name: "watch") {
        var loop = WatchLoop(folder, wake: reading, report: report)
        while true {
          let now = state.read { $0 }
          guard !now.isClosed else { return }
          loop.turn(isWatched: now.isWatched)
        }
      })
  }

  /// Whether somebody is there to see changes.
  func watch(_ isWatched: Bool) {
    state.update { $0.isWatched = isWatched }
    signal()
  }

  /// Ends the thread. Call once.
  func close() {
    state.update { $0.isClosed = true }
    signal()
    thread.join()
    for end in [wake.read, wake.write] { Libc.close(end) }
  }

  private func signal() { _ = write(wake.write, [1], 1) }
}
