import CFiles
import FrameCore
import Libc

/// A file that is there under its name while it is being written, such as a recording, which must survive a crash.
/// `OutputFile` is for files that may only appear whole.
///
/// A new file is created under its own name, and only if nothing has that name. If a file there may be replaced, it
/// stays until `finish`, and the new one grows under a hidden temporary name beside it: of a recording that ends with a
/// crash, both are left.
package final class GrowingFile {
  /// The name given by the caller.
  package let path: String
  /// Open until `finish`, then -1.
  package private(set) var descriptor: Int32
  /// The file that takes the place of another one; nil for a file under its own name.
  private var replacing: OutputFile?
  private var isFolderSafe = false
  /// Where a new file was created; nil for one that was there.
  private var created: String?

  /// Creates the file, empty.
  ///
  /// - Throws: `SafelightError(.file)` if the folder is missing or not writable, or if `path` is a folder or not a
  ///   regular file; `.exists` if the file exists and `overwrite` is false.
  package init(creating path: String, overwrite: Bool = false) throws {
    self.path = path
    let target = try OutputTarget(path, overwrite: overwrite, followsLinks: true)
    if target.replacesFile {
      let file = try OutputFile(path: path, overwrite: true)
      replacing = file
      descriptor = file.descriptor
      return
    }
    descriptor = retryingInterrupted {
      open(target.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    }
    guard descriptor >= 0 else {
      let folder = OutputFile.split(target.path).folder
      throw OutputFile.folderError(errno, path: path, folder: folder, isLink: target.path != path)
    }
    created = target.path
  }

  /// Opens an existing file to change it.
  ///
  /// - Throws: `SafelightError(.file)` if it cannot be written or is not a regular file.
  package init(opening path: String) throws {
    self.path = path
    let number = retryingInterrupted { open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard number >= 0 else {
      throw SafelightError(
        .file, "Cannot open \(path) for writing: \(errorText(errno))",
        remedy: "check its name and permissions")
    }
    (descriptor, isFolderSafe) = (number, true)
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SafelightError(.file, "Cannot change \(path): it is not a regular file", remedy: "name a file")
    }
  }

  deinit {
    // What was recorded is not thrown away because its writer was.
    if descriptor >= 0 { try? finish() }
  }

  /// The size in bytes.
  package var length: Int64 {
    get throws {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
      return Int64(status.st_size)
    }
  }

  /// The unit that `insert` works in, in bytes.
  package var blockSize: Int64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 4096 }
    return max(Int64(status.st_blksize), 512)
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
      // A regular file accepts no bytes without setting errno only if the disk is full.
      guard written > 0 else { throw failure(written < 0 ? errno : ENOSPC) }
      done += written
    }
  }

  package func write(_ bytes: [UInt8], at offset: Int64) throws {
    try bytes.withUnsafeBytes { try write($0, at: offset) }
  }

  /// Returns the bytes from `offset` on, fewer than `count` only at the end of the file.
  package func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let here = filled
        let read = retryingInterrupted {
          pread(
            descriptor, buffer.baseAddress.map { $0 + here }, count - here, off_t(offset) + off_t(here))
        }
        guard read >= 0 else {
          throw SafelightError(
            .file, "Cannot read \(path): \(errorText(errno))", remedy: "check the disk and try again")
        }
        if read == 0 { return }
        filled += read
      }
    }
  }

  /// Makes the file as long as this; what is added are zeros that take no space.
  package func truncate(to length: Int64) throws {
    guard retryingInterrupted({ ftruncate(descriptor, off_t(length)) }) == 0 else {
      throw failure(errno)
    }
  }

  /// Makes durable what was written so far, and at first the file's name, without which it would belong to no file.
  package func synchronize() throws {
    guard retryingInterrupted({ fdatasync(descriptor) }) == 0 else { throw failure(errno) }
    guard replacing == nil, !isFolderSafe else { return }
    isFolderSafe = true
    let folder = open(OutputFile.split(path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Some file systems cannot sync a folder; the file itself is safe by then.
    guard folder >= 0 else { return }
    _ = retryingInterrupted { fsync(folder) }
    close(folder)
  }

  /// Makes the file durable, gives it its name if it replaces another one, and closes it.
  package func finish() throws {
    guard descriptor >= 0 else { return }
    let number = descriptor
    descriptor = -1
    if let replacing { return try replacing.commit() }
    let code = retryingInterrupted { fsync(number) } == 0 ? 0 : errno
    // Network file systems report a full disk here at the latest. Linux closes the descriptor even if interrupted.
    if close(number) != 0, errno != EINTR { throw failure(errno) }
    if code != 0 { throw failure(code) }
  }

  /// Closes the file and removes it; one that it would have replaced stays. Does nothing after `finish`.
  package func discard() {
    guard descriptor >= 0 else { return }
    let number = descriptor
    descriptor = -1
    if let replacing { return replacing.discard() }
    if let created { unlink(created) }
    close(number)
  }

  /// Moves everything from `offset` on by `length` bytes, without copying; both are multiples of `blockSize`.
  ///
  /// - Returns: false if the file system cannot do that; nothing has changed then.
  package func insert(_ length: Int64, at offset: Int64) throws -> Bool {
    let code = file_ranges_insert(descriptor, offset, length)
    switch code {
    case 0: return true
    case EOPNOTSUPP, EINVAL, ENOSYS, EPERM: return false
    default: throw failure(code)
    }
  }

  /// Replaces the file, whole or not at all, by `front` and then the rest of this one from `offset` on; blocks are
  /// shared where the file system can. This object is the new file then.
  package func replace(front: [UInt8], keepingFrom offset: Int64) throws {
    let output = try OutputFile(path: path, overwrite: true)
    try output.write(front)
    var (from, to) = (offset, Int64(front.count))
    let end = try length
    var byHand = false
    while from < end {
      if !byHand {
        let copied = file_ranges_copy(descriptor, from, output.descriptor, to, end - from)
        if copied > 0 {
          from += copied
          to += copied
          continue
        }
        switch Int32(truncatingIfNeeded: -copied) {
        case 0, EXDEV, EINVAL, ENOSYS, EOPNOTSUPP: break
        case let code: throw output.failure(code)
        }
        byHand = true
        guard lseek(output.descriptor, off_t(to), SEEK_SET) >= 0 else { throw output.failure(errno) }
      }
      let chunk = try read(Int(min(end - from, 4 << 20)), at: from)
      guard !chunk.isEmpty else { break }
      try output.write(chunk)
      from += Int64(chunk.count)
    }
    let copy = retryingInterrupted { fcntl(output.descriptor, F_DUPFD_CLOEXEC, 0) }
    guard copy >= 0 else { throw output.failure(errno) }
    do {
      try output.commit()
    } catch {
      close(copy)
      throw error
    }
    if let former = replacing {
      // The name is taken; what grew beside it goes.
      replacing = nil
      former.discard()
    } else {
      close(descriptor)
    }
    descriptor = copy
  }

  /// The bytes that an unprivileged user may still write on the file system.
  package var freeSpace: Int64 {
    var status = statvfs()
    return fstatvfs(descriptor, &status) == 0 ? Folder.freeSpace(status) : 0
  }

  private func failure(_ code: Int32) -> SafelightError { OutputFile.writeError(code, path: path) }
}
