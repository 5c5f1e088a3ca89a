import Files
import FrameCore
import Libc

/// Keeps others from changing the edit of a photo, from `init` until it goes.
///
/// The lock is on the photo itself, which is opened for reading only, so that nothing is written anywhere, and the kernel
/// lets go of it with the process, however that ends. It holds among programs that ask for it (flock(2)), on this machine
/// and, where the file system shares its locks, on others. Where the photo cannot be locked, as on NFS, which wants files
/// open for writing, or because it is gone, a hidden file beside it is locked and removed afterwards. Where neither can
/// be, there is no lock: `RecipeSidecar.change` compares before it writes all the same.
final class SidecarLock {
  private let descriptor: Int32
  /// The hidden file that is locked in place of the photo; nil where it is the photo.
  private let hiddenFile: String?

  /// - Parameters:
  ///   - patience: seconds to wait for others.
  ///   - locksPhoto: false goes to the hidden file at once.
  /// - Throws: `SafelightError` where somebody else keeps the lock for longer.
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
    // While it is still locked, or the file of the next in turn would be removed.
    if let hiddenFile { unlink(hiddenFile) }
    if descriptor >= 0 { close(descriptor) }
  }

  private struct Occupied: Error {}

  /// - Returns: nil where the file cannot be opened or locked.
  /// - Throws: `Occupied` where somebody else has the lock until the deadline.
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
        // Not in step with others who wait.
        usleep(.random(in: 2000...12_000))
      }
      if isAt(path, descriptor) { return descriptor }
      // Another file has come under this name meanwhile, and who comes next locks that.
      close(descriptor)
    }
  }

  /// Whether the open file is what the path leads to.
  private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
    var (opened, found) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, stat(path, &found) == 0 else { return false }
    return opened.st_dev == found.st_dev && opened.st_ino == found.st_ino
  }
}
