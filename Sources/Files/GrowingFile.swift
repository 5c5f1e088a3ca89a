import FrameCore
import Libc

/// A file that is there under its name while it is being written, such as a recording, which must survive a
/// crash.
///
/// A new file is created under its own name, and only if nothing has that name. If a file there may be
/// replaced, it stays until `finish`, and the new one grows under a hidden temporary name beside it: of a
/// recording that ends with a crash, both are left.
package final class GrowingFile {
  /// The name given by the caller.
  package let path: String
  /// Open for writing until `finish`, then -1.
  package private(set) var descriptor: Int32
  private let replacing: OutputFile?
  private var folderIsSafe = false

  /// - Throws: `SafelightError(.file)` if the folder is missing or not writable, or if `path` is a folder or
  ///   not a regular file; `.exists` if the file exists and `overwrite` is false.
  package init(path: String, overwrite: Bool = false) throws {
    self.path = path
    let target = try OutputTarget(path, overwrite: overwrite, followsLinks: true)
    if target.replacesFile {
      let file = try OutputFile(path: path, overwrite: true)
      replacing = file
      descriptor = file.descriptor
      return
    }
    replacing = nil
    descriptor = retryingInterrupted {
      open(target.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    }
    guard descriptor >= 0 else {
      let folder = OutputFile.split(target.path).folder
      throw OutputFile.folderError(errno, path: path, folder: folder, isLink: target.path != path)
    }
  }

  deinit {
    // What was recorded is not thrown away because its writer was.
    if descriptor >= 0 { try? finish() }
  }

  /// Writes bytes at an offset, beyond the end too.
  ///
  /// - Throws: `SafelightError`, such as `.noSpace`; a part may be written then, and the file stays.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
    var done = 0
    while done < bytes.count {
      let written = retryingInterrupted {
        pwrite(
          descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done))
      }
      guard written > 0 else { throw OutputFile.writeError(written < 0 ? errno : ENOSPC, path: path) }
      done += written
    }
  }

  /// Makes the file as long as this; what is added are zeros that take no space.
  package func setLength(_ length: Int64) throws {
    guard retryingInterrupted({ ftruncate(descriptor, off_t(length)) }) == 0 else {
      throw OutputFile.writeError(errno, path: path)
    }
  }

  /// Makes durable what was written so far, and at first the file's name.
  package func sync() throws {
    guard retryingInterrupted({ fdatasync(descriptor) }) == 0 else {
      throw OutputFile.writeError(errno, path: path)
    }
    guard replacing == nil, !folderIsSafe else { return }
    folderIsSafe = true
    let folder = open(OutputFile.split(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Some file systems cannot sync a folder; the file itself is safe by then.
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Makes the file durable, gives it its name if it replaces another one, and closes it.
  package func finish() throws {
    guard descriptor >= 0 else { return }
    let number = descriptor
    descriptor = -1
    if let replacing { return try replacing.commit() }
    let code = retryingInterrupted { fsync(number) } == 0 ? 0 : errno
    // Network file systems report a full disk here at the latest. Linux closes the descriptor even if
    // interrupted.
    if close(number) != 0, errno != EINTR { throw OutputFile.writeError(errno, path: path) }
    if code != 0 { throw OutputFile.writeError(code, path: path) }
  }
}
