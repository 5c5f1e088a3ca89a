import Files
import FrameCore
import Libc

/// The file of a journal, used by one process at a time.
enum JournalFile {
  /// Opens the file for appending and locks it; creates it if it does not exist.
  ///
  /// - Parameter isShared: whether others may have it open in the same way.
  /// - Throws: `SafelightError(.file)` if another process uses it, or it cannot be written.
  static func open(_ path: String, of folder: String, isShared: Bool = false) throws -> Int32 {
    while true {
      let descriptor = openFile(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { throw failure("open", path) }
      do {
        if try lock(descriptor, path, of: folder, isShared) { return descriptor }
      } catch {
        close(descriptor)
        throw error
      }
      close(descriptor)
    }
  }

  /// - Returns: false if another file has taken the name since this one was opened.
  private static func lock(
    _ descriptor: Int32, _ path: String, of folder: String, _ isShared: Bool
  ) throws -> Bool {
    // Reading a pipe of this name could block for ever.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SafelightError(
        .file, "\(path) is not a regular file, so no journal can be kept there",
        remedy: "remove it or choose another output folder")
    }
    guard flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw failure("lock", path) }
      throw SafelightError(
        .file, "Another batch is writing to \(folder.isEmpty ? "." : folder)",
        remedy: "wait until it has ended, or choose another output folder")
    }
    var named = stat()
    guard lstat(path, &named) == 0 else { return false }
    return named.st_ino == status.st_ino && named.st_dev == status.st_dev
  }

  /// Replaces the locked file by one that holds `bytes`; the new file is locked before it gets the name.
  ///
  /// - Returns: the new file, with the old one closed; nil on failure, when the old one can still be used.
  static func replace(_ locked: Int32, _ path: String, with bytes: [UInt8]) -> Int32? {
    let temporary = path + ".new"
    // Removes what a power cut may have left; other processes stay out while the old file is locked.
    unlink(temporary)
    let descriptor = openFile(temporary, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(locked, &status) == 0, fchmod(descriptor, status.st_mode & 0o777) == 0,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0, writeAll(bytes, to: descriptor), fsync(descriptor) == 0,
      rename(temporary, path) == 0
    else {
      close(descriptor)
      unlink(temporary)
      return nil
    }
    let folder = openFile(FolderListing.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
    closeLocked(locked)
    return descriptor
  }

  private static func failure(_ verb: String, _ path: String) -> SafelightError {
    guard errno != ENOSPC, errno != EDQUOT else {
      return SafelightError(
        .noSpace, "Cannot \(verb) \(path): the disk is full", remedy: "free some space and try again")
    }
    return SafelightError(
      .file, "Cannot \(verb) \(path): \(errorText(errno))",
      remedy: "choose another output folder or check its permissions")
  }
}

/// open(2); a method of this name hides it above.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o644) }
