import Files
import FrameCore
import Libc

/// A regular file open for reading.
struct InputFile {
  let path: String
  let descriptor: Descriptor
  let byteCount: Int
  let signature: FileSignature
  private let version: Version

  /// The properties that change when a file is modified in place.
  private struct Version: Equatable {
    let length: off_t
    let seconds, nanoseconds: Int

    init(_ status: stat) {
      length = status.st_size
      (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }
  }

  /// - Throws: `SafelightError(.file)` if the file does not exist, is a folder or a device, or may not be read;
  ///   `.corruptData` if it is empty.
  init(path: String) throws {
    // O_NONBLOCK: opening a pipe without a writer would block forever.
    let number = retryingInterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard number >= 0 else { throw Self.openError(errno, path: path) }
    descriptor = Descriptor(number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw Self.openError(errno, path: path) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw SafelightError(.file, "Cannot read \(path): it is a folder", remedy: "name a picture in it")
    default:
      throw SafelightError(
        .file, "Cannot read \(path): it is not a regular file", remedy: "save the data to a file first")
    }
    guard status.st_size > 0 else {
      throw SafelightError(
        .corruptData, "Cannot read \(path): the file is empty", remedy: "copy it again from its source")
    }
    self.path = path
    byteCount = Int(status.st_size)
    version = Version(status)
    signature = FileSignature(try Self.read(number, count: FileSignature.length, at: 0, path: path))
  }

  /// Whether the file still has the length and modification time it had when it was opened.
  var isUnchanged: Bool {
    get throws {
      var status = stat()
      guard fstat(descriptor.number, &status) == 0 else { throw Self.openError(errno, path: path) }
      return Version(status) == version
    }
  }

  /// Returns up to `count` bytes from `offset` on, fewer at the end of the file.
  func bytes(_ count: Int, at offset: Int) throws -> [UInt8] {
    try Self.read(descriptor.number, count: min(count, max(byteCount - offset, 0)), at: offset, path: path)
  }

  /// Returns the first `count` bytes, or the whole file if it is shorter.
  func contents(_ count: Int = .max) throws -> FileContents {
    let contents = try FileContents(byteCount: min(count, byteCount), path: path)
    contents.count = try Self.fill(contents.memory, from: descriptor.number, at: 0, path: path)
    return contents
  }

  private static func read(_ descriptor: Int32, count: Int, at offset: Int, path: String) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = try fill(UnsafeMutableRawBufferPointer(buffer), from: descriptor, at: offset, path: path)
    }
  }

  /// Returns the number of bytes read; fewer than requested if the file has become shorter.
  private static func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int, path: String
  ) throws -> Int {
    var filled = 0
    while filled < buffer.count {
      let got = retryingInterrupted {
        pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(offset + filled))
      }
      guard got >= 0 else {
        throw SafelightError(
          .file, "Cannot read \(path): \(errorText(errno))", remedy: "check the disk or copy the file again")
      }
      if got == 0 { break }
      filled += got
    }
    return filled
  }

  private static func openError(_ code: Int32, path: String) -> SafelightError {
    switch code {
    case ENOENT, ENOTDIR:
      SafelightError(.file, "Cannot read \(path): there is no such file", remedy: "check the spelling")
    case EACCES, EPERM:
      SafelightError(
        .file, "Cannot read \(path): permission is denied", remedy: "change the file's permissions")
    case EMFILE, ENFILE:
      SafelightError(
        .file, "Cannot read \(path): too many files are open", remedy: "work on fewer photos at a time")
    case ENAMETOOLONG:
      SafelightError(.file, "Cannot read \(path): the name is too long", remedy: "check the spelling")
    case ELOOP:
      SafelightError(
        .file, "Cannot read \(path): its symbolic links lead in a circle", remedy: "name the file itself")
    default:
      SafelightError(
        .file, "Cannot read \(path): \(errorText(code))", remedy: "check the path and the disk")
    }
  }
}

/// The bytes of a file in memory at a fixed address.
final class FileContents {
  let memory: UnsafeMutableRawBufferPointer
  /// Bytes read; the rest of `memory` is undefined.
  fileprivate(set) var count: Int

  fileprivate init(byteCount: Int, path: String) throws {
    guard let base = malloc(max(byteCount, 1)) else {
      throw SafelightError(
        .noMemory, "Cannot read \(path): not enough memory for \(byteCount / 1_048_576) MiB",
        remedy: "close other programs")
    }
    memory = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
    count = byteCount
  }

  /// Copies `bytes`.
  convenience init(_ bytes: [UInt8], path: String) throws {
    try self.init(byteCount: bytes.count, path: path)
    memory.copyBytes(from: bytes)
  }

  deinit { free(memory.baseAddress) }
}
