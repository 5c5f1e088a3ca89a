import CFiles
import Libc

/// The identity of an original file, independent of its content: distinguishes a photo that was rewritten from
/// another photo that took its name.
package struct OriginalIdentity: Sendable, Hashable {
  /// The bits of the inode number. The device is omitted because its number may change after a restart.
  package var inode: Int
  /// When the file was created, in seconds since 1970 and nanoseconds, because inode numbers are reused. Zeros if
  /// the file system does not record it.
  package var born: [Int]

  package init(inode: Int, born: [Int] = [0, 0]) { (self.inode, self.born) = (inode, born) }

  /// Returns nil if there is no file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = Int(truncatingIfNeeded: status.st_ino)
    var (seconds, nanoseconds): (Int64, Int64) = (0, 0)
    born = cfiles_birth(path, &seconds, &nanoseconds) == 0 ? [Int(seconds), Int(nanoseconds)] : [0, 0]
  }
}
