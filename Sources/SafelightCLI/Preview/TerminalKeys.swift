import Safelight
import Libc

/// Reads keys from the terminal on a separate thread.
final class TerminalKeys {
  private let thread: WorkerThread
  private let wakeWriter: Int32
  private var isStopped = false

  /// How long after ESC the rest of a key's sequence may arrive, in milliseconds.
  private static let escapeTime: Int32 = 50

  /// - Parameter handler: called on the thread that reads keys; it must not call `stop`.
  /// - Throws: `SafelightError` if the system grants no more threads or descriptors.
  convenience init(_ terminal: Terminal, _ handler: @escaping @Sendable (LiveKey) -> Void) throws {
    try self.init(eventsOf: terminal) { event in if let key = LiveKey(event) { handler(key) } }
  }

  /// - Parameter handler: as above, for presses, repetitions and releases of all keys.
  init(eventsOf terminal: Terminal, _ handler: @escaping @Sendable (KeyEvent) -> Void) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw SafelightError(
        .noResources, "Cannot read keys: \(errorText(errno))",
        remedy: "raise the limit of open files (ulimit -n)")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (wakeReader, wakeWriter) = (ends[0], ends[1])
    self.wakeWriter = wakeWriter
    do {
      thread = try WorkerThread(name: "keys") {
        Self.run(terminal, wakeReader, handler)
        close(wakeReader)
      }
    } catch {
      close(wakeReader)
      close(wakeWriter)
      throw error
    }
  }

  deinit { stop() }

  /// Ends the thread; no key is delivered after this has returned.
  func stop() {
    guard !isStopped else { return }
    isStopped = true
    close(wakeWriter)
    thread.join()
  }

  private static func run(_ terminal: Terminal, _ wake: Int32, _ handler: (KeyEvent) -> Void) {
    var parser = KeyParser()
    var chunk = [UInt8](repeating: 0, count: 256)
    while true {
      var requests = [
        pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0),
        // Closing the write end wakes the poll.
        pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&requests, 2, parser.isAfterEscape ? escapeTime : -1)
      if requests[1].revents != 0 { return }
      if ready == 0 { parser.timeOut() }
      guard ready > 0 else { continue }
      let count = read(terminal.descriptor, &chunk, chunk.count)
      // The terminal is gone.
      if count <= 0, requests[0].revents & Int16(POLLHUP | POLLERR) != 0 { return }
      for byte in chunk.prefix(max(count, 0)) {
        if let key = parser.feed(byte) { handler(key) }
      }
    }
  }
}
