import FrameCore
import Libc

/// An exclusive lock on a file or folder, for as long as the value exists.
///
/// The lock is advisory (flock(2)), on this machine and, if the file system shares its locks, on others. The kernel
/// releases it when the process ends, however that happens.
package final class FileLock {
  private let descriptor: Int32

  /// Another program has held the lock until the deadline.
  package struct Occupied: Error {}

  /// Waits for the lock. Nil if the file cannot be opened or locked, as on NFS, which requires files open for
  /// writing.
  ///
  /// - Parameter flags: how open(2) opens the file.
  /// - Throws: `Occupied` if another program holds the lock until the deadline.
  package init?(_ path: String, _ flags: Int32 = O_RDONLY | O_NONBLOCK, until deadline: Timestamp) throws {
    while true {
      let descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY, 0o666)
      guard descriptor >= 0 else { return nil }
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        let code = errno
        guard code == EWOULDBLOCK || code == EINTR else {
          close(descriptor)
          return nil
        }
        guard Timestamp.now < deadline else {
          close(descriptor)
          throw Occupied()
        }
        // A random interval keeps waiting programs out of step.
        usleep(.random(in: 2000...12_000))
      }
      if Self.isAt(path, descriptor) {
        self.descriptor = descriptor
        return
      }
      // The path now leads to another file, which the next program will lock.
      close(descriptor)
    }
  }

  deinit { closeLocked(descriptor) }

  /// Whether the path still leads to the open file.
  private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
    var (opened, found) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, stat(path, &found) == 0 else { return false }
    return opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
  }
}

/// Closes a file that is locked by flock(2), and releases the lock at once.
///
/// The kernel holds a lock until the last descriptor of the opened file is closed, and a program that another thread
/// is starting has all descriptors between fork and exec.
package func closeLocked(_ descriptor: Int32) {
  flock(descriptor, LOCK_UN)
  close(descriptor)
}
