import Files
import FrameCore
import Libc

/// Prevents other programs from changing a photo's edit for as long as it exists.
///
/// The photo itself is locked. It is opened for reading only, so nothing is written. If it cannot be locked, as on
/// NFS, which requires files open for writing, or because it no longer exists, a hidden file beside it is locked and
/// later removed. If neither is possible, there is no lock, but `RecipeSidecar.change` still compares before it
/// writes.
final class SidecarLock {
  private let lock: FileLock?
  /// The hidden file that is locked instead of the photo; nil if the photo is locked.
  private let hiddenFile: String?

  /// - Parameters:
  ///   - patience: seconds to wait for other programs.
  ///   - locksPhoto: false uses the hidden file at once.
  /// - Throws: `SafelightError` if another program holds the lock for longer.
  init(forPhoto photo: String, patience: Double = 60, locksPhoto: Bool = true) throws {
    let deadline = Timestamp.now.advanced(bySeconds: patience)
    func lock(_ path: String, _ flags: Int32) throws -> FileLock? {
      do {
        return try FileLock(path, flags, until: deadline)
      } catch is FileLock.Occupied {
        throw SafelightError(
          .file, "Cannot change the edit of \(photo): another program has held it for \(Int(patience)) s",
          remedy: "wait for that program, or end it")
      }
    }
    if locksPhoto, let photoLock = try lock(photo, O_RDONLY | O_NONBLOCK) {
      (self.lock, hiddenFile) = (photoLock, nil)
      return
    }
    let name = "." + (photo.split(separator: "/").last.map(String.init) ?? "") + ".safelight.lock"
    let path = FolderListing.path(name, in: FolderListing.parent(of: photo))
    let hiddenLock = try lock(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    (self.lock, hiddenFile) = (hiddenLock, hiddenLock == nil ? nil : path)
  }

  deinit {
    // Remove the file while it is still locked; otherwise the next owner's file would be removed.
    if let hiddenFile { unlink(hiddenFile) }
  }
}
