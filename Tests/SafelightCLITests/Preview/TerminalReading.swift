import Safelight
import Synchronization
import Libc

/// Reads a terminal's screen on a thread of its own until it is joined.
final class TerminalReading: @unchecked Sendable {
  private let isDone = Atomic(false)
  private let bytes = Mutex<[UInt8]>([])
  private var thread: WorkerThread?

  init(_ screen: PseudoTerminal) throws {
    thread = try WorkerThread(name: "screen") { [unowned self] in
      while true {
        let wasDone = isDone.load(ordering: .acquiring)
        let more = screen.read()
        bytes.withLock { $0 += more }
        if more.isEmpty {
          if wasDone { return }
          usleep(1000)
        }
      }
    }
  }

  func join() -> [UInt8] {
    isDone.store(true, ordering: .releasing)
    thread?.join()
    return bytes.withLock { $0 }
  }
}
