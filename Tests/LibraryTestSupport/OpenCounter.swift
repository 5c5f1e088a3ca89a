import Libc
import Safelight

/// Counts how often a file is opened, by any process and under any name, from inotify(7).
package final class OpenCounter {
  private let descriptor: Int32

  package init(_ path: String) throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw SafelightError(.file, "The system grants no inotify instance") }
    // Equal events in a row count as one, so the accesses between two openings are asked for too.
    let watch = inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE))
    guard watch >= 0 else { throw SafelightError(.file, "\(path) cannot be watched") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns the number of times since the previous call.
  package func take() -> Int {
    var opened = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return opened }
      var place = 0
      while place + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self) }
        if event.mask & UInt32(IN_OPEN) != 0 { opened += 1 }
        place += MemoryLayout<inotify_event>.size + Int(event.len)
      }
    }
  }
}
