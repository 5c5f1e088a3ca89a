import Libc

/// Which file stands under a name, and what changes when somebody writes to it.
package struct FileVersion: Sendable, Hashable {
  private let device: UInt64
  private let inode: UInt64
  /// Bytes.
  package let length: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Follows symbolic links; nil where there is nothing.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    length = Int(status.st_size)
    (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
  }
}
