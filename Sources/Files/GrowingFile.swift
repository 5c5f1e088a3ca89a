import CFiles
import FrameCore
import Libc

/// A file that stands under its name from the beginning and grows there, so that a crash leaves what was
/// written: a recording. `OutputFile` is for files that may only appear whole.
package final class GrowingFile {
  package let path: String
  private var descriptor: Descriptor

  /// Creates the file, empty.
  ///
  /// - Throws: `SafelightError`: `.exists` if there is a file and `overwrite` is false, otherwise as
  ///   `OutputFile`.
  package init(creating path: String, overwrite: Bool = false) throws {
    self.path = path
    let target = try OutputTarget(path, overwrite: overwrite, followsLinks: true)
    let creation = target.replacesFile ? O_TRUNC : O_CREAT | O_EXCL
    let number = retryingInterrupted { open(target.path, O_RDWR | creation | O_CLOEXEC, 0o666) }
    guard number >= 0 else {
      throw OutputFile.folderError(
        errno, path: path, folder: OutputFile.split(target.path).folder, isLink: target.path != path)
    }
    descriptor = Descriptor(number)
    // The name itself must survive a power cut, or the synced data would belong to no file.
    let folder = open(OutputFile.split(target.path).folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      _ = retryingInterrupted { fsync(folder) }
      close(folder)
    }
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
    descriptor = Descriptor(number)
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SafelightError(.file, "Cannot change \(path): it is not a regular file", remedy: "name a file")
    }
  }

  /// The size in bytes.
  package var length: Int64 {
    get throws {
      var status = stat()
      guard fstat(descriptor.number, &status) == 0 else { throw failure(errno) }
      return Int64(status.st_size)
    }
  }

  /// The unit that `insert` works in, in bytes.
  package var blockSize: Int64 {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { return 4096 }
    return max(Int64(status.st_blksize), 512)
  }

  /// - Throws: `SafelightError`; part of the bytes may have been written.
  package func write(_ bytes: [UInt8], at offset: Int64) throws {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        retryingInterrupted {
          pwrite(
            descriptor.number, buffer.baseAddress.map { $0 + done }, buffer.count - done,
            off_t(offset) + off_t(done))
        }
      }
      // A regular file accepts no bytes without setting errno only if the disk is full.
      guard written > 0 else { throw failure(written < 0 ? errno : ENOSPC) }
      done += written
    }
  }

  /// Returns the bytes from `offset` on, fewer than `count` only at the end of the file.
  package func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let here = filled
        let read = retryingInterrupted {
          pread(
            descriptor.number, buffer.baseAddress.map { $0 + here }, count - here, off_t(offset) + off_t(here)
          )
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

  package func truncate(to length: Int64) throws {
    guard retryingInterrupted({ ftruncate(descriptor.number, off_t(length)) }) == 0 else {
      throw failure(errno)
    }
  }

  /// Makes the contents durable.
  package func synchronize() throws {
    guard retryingInterrupted({ fdatasync(descriptor.number) }) == 0 else { throw failure(errno) }
  }

  /// Moves everything from `offset` on by `length` bytes, without copying; both are multiples of `blockSize`.
  ///
  /// - Returns: false if the file system cannot do that; nothing has changed then.
  package func insert(_ length: Int64, at offset: Int64) throws -> Bool {
    let code = file_ranges_insert(descriptor.number, offset, length)
    switch code {
    case 0: return true
    case EOPNOTSUPP, EINVAL, ENOSYS, EPERM: return false
    default: throw failure(code)
    }
  }

  /// Replaces the file, whole or not at all, by `front` and then the rest of this one from `offset` on;
  /// blocks are shared where the file system can. This object is the new file then.
  package func replace(front: [UInt8], keepingFrom offset: Int64) throws {
    let output = try OutputFile(path: path, overwrite: true)
    try output.write(front)
    var (from, to) = (offset, Int64(front.count))
    let end = try length
    var byHand = false
    while from < end {
      if !byHand {
        let copied = file_ranges_copy(descriptor.number, from, output.descriptor, to, end - from)
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
    let new = Descriptor(copy)
    try output.commit()
    descriptor = new
  }

  /// The bytes that an unprivileged user may still write on the file system.
  package var freeSpace: Int64 {
    var status = statvfs()
    guard fstatvfs(descriptor.number, &status) == 0 else { return 0 }
    return Int64(clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).0)
  }

  private func failure(_ code: Int32) -> SafelightError { OutputFile.writeError(code, path: path) }
}
