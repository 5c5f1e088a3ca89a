import CFiles
import Libc

/// Which file an original is, whatever its content: tells a photo that was written anew from another one that came under
/// the same name.
public struct OriginalIdentity: Sendable, Hashable {
  /// The inode number as bits. Without its device, whose number may be another after a restart.
  public var inode: Int
  /// When the file was made, seconds since 1970 and nanoseconds: inode numbers are given again. Zeros where the file
  /// system does not keep it.
  public var born: [Int]

  public init(inode: Int, born: [Int] = [0, 0]) { (self.inode, self.born) = (inode, born) }

  /// Nil where there is no file.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = Int(truncatingIfNeeded: status.st_ino)
    var (seconds, nanoseconds): (Int64, Int64) = (0, 0)
    born = cfiles_birth(path, &seconds, &nanoseconds) == 0 ? [Int(seconds), Int(nanoseconds)] : [0, 0]
  }
}
