import Libc

/// Repeats a call if a signal interrupts it.
package func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Writes all of `bytes` to a file or a pipe.
///
/// - Returns: false if that fails, as when the disk is full or the reader is gone; `errno` says why.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var done = 0
  while done < bytes.count {
    let count = bytes.withUnsafeBytes {
      write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
    }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    done += count
  }
  return true
}

/// A file descriptor that is closed when the last reference is released.
package final class Descriptor: Sendable {
  package let number: Int32
  package init(_ number: Int32) { self.number = number }
  deinit { close(number) }
}
