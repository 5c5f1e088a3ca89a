import FrameCore
import Synchronization
import Libc

/// The state shared by the encoding thread and the network thread: the newest frame and the number of clients
/// waiting for it.
final class StreamHub: Sendable {
  private struct State {
    var newest: EncodedFrame?
    var size: PixelSize
  }
  private let state: Mutex<State>
  /// The number of clients that wait for frames; nothing is encoded while it is 0.
  let watchers = Atomic(0)
  private let isStopped = Atomic(false)
  private let wakeReader: Int32
  private let wakeWriter: Int32

  init(size: PixelSize) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw SafelightError(
        .noResources, "Cannot start the stream: \(errorText(errno))",
        remedy: "raise the limit of open files (ulimit -n)")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (wakeReader, wakeWriter) = (ends[0], ends[1])
    state = Mutex(State(size: size))
  }

  deinit {
    close(wakeReader)
    close(wakeWriter)
  }

  var newest: EncodedFrame? { state.withLock { $0.newest } }
  var size: PixelSize { state.withLock { $0.size } }
  var isStopping: Bool { isStopped.load(ordering: .acquiring) }

  func publish(_ frame: EncodedFrame, size: PixelSize) {
    state.withLock {
      $0.newest = frame
      $0.size = size
    }
    wake()
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    wake()
  }

  /// A descriptor that is readable when there is something new.
  var wakeDescriptor: Int32 { wakeReader }

  func clearWake() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(wakeReader, &bytes, 16) == 16 {}
  }

  /// Ends the network thread's wait.
  func wake() {
    var byte: UInt8 = 1
    // A full pipe wakes the reader as well.
    _ = write(wakeWriter, &byte, 1)
  }
}
