import Libc

/// The identity of the file under a name, with attributes that change when it is written.
package struct FileVersion: Sendable, Hashable {
  private let device: UInt64
  private let inode: UInt64
  /// In bytes.
  package let length: Int
  /// When it was written last, since 1970.
  package let seconds: Int
  package let nanoseconds: Int

  /// Follows symbolic links; nil if nothing exists there.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    length = Int(status.st_size)
    (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
  }
}
