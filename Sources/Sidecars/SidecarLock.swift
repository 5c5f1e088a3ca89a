import Files
import FrameCore
import Libc

/// Prevents other programs from changing a photo's edit for as long as it exists.
///
/// The photo itself is locked. It is opened for reading only, so nothing is written, and the kernel releases the
/// lock when the process ends, however that happens. The lock is advisory (flock(2)), on this machine and, if the
/// file system shares its locks, on others. If the photo cannot be locked, as on NFS, which requires files open
/// for writing, or because it no longer exists, a hidden file beside it is locked and later removed. If neither is
/// possible, there is no lock, but `RecipeSidecar.change` still compares before it writes.
final class SidecarLock {
  private let descriptor: Int32
  /// The hidden file that is locked instead of the photo; nil if the photo is locked.
  private let hiddenFile: String?

  /// - Parameters:
  ///   - patience: seconds to wait for other programs.
  ///   - locksPhoto: false uses the hidden file at once.
  /// - Throws: `SafelightError` if another program holds the lock for longer.
  init(forPhoto photo: String, patience: Double = 60, locksPhoto: Bool = true) throws {
    let deadline = Timestamp.now.advanced(bySeconds: patience)
    func lock(_ path: String, _ flags: Int32) throws -> Int32? {
      do {
        return try Self.lock(path, flags, until: deadline)
      } catch is Occupied {
        throw SafelightError(
          .file, "Cannot change the edit of \(photo): another program has held it for \(Int(patience)) s",
          remedy: "wait for that program, or end it")
      }
    }
    if locksPhoto, let descriptor = try lock(photo, O_RDONLY | O_NONBLOCK) {
      (self.descriptor, hiddenFile) = (descriptor, nil)
      return
    }
    let name = "." + (photo.split(separator: "/").last.map(String.init) ?? "") + ".safelight.lock"
    let path = FolderListing.path(name, in: FolderListing.parent(of: photo))
    descriptor = try lock(path, O_RDWR | O_CREAT | O_NOFOLLOW) ?? -1
    hiddenFile = descriptor >= 0 ? path : nil
  }

  deinit {
    // Remove the file while it is still locked; otherwise the next owner's file would be removed.
    if let hiddenFile { unlink(hiddenFile) }
    if descriptor >= 0 { close(descriptor) }
  }

  private struct Occupied: Error {}

  /// - Returns: nil if the file cannot be opened or locked.
  /// - Throws: `Occupied` if another program holds the lock until the deadline.
  private static func lock(_ path: String, _ flags: Int32, until deadline: Timestamp) throws -> Int32? {
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
      if isAt(path, descriptor) { return descriptor }
      // The path now leads to another file, which the next program will lock.
      close(descriptor)
    }
  }

  /// Whether the path still leads to the open file.
  private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
    var (opened, found) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, stat(path, &found) == 0 else { return false }
    return opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
  }
}
