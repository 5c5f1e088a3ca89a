import Files
import FrameCore
import Libc
import Synchronization

/// A regular file open for reading. Copies share what has been read of it.
struct InputFile: Sendable {
  let path: String
  let descriptor: Descriptor
  let byteCount: Int
  let signature: FileSignature
  private let version: Version
  private let shared = SharedContents()

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

  var changedError: SafelightError {
    SafelightError(.file, "\(path) was written to while it was read", remedy: "try again when it is complete")
  }

  /// Returns up to `count` bytes from `offset` on, fewer at the end of the file.
  func bytes(_ count: Int, at offset: Int) throws -> [UInt8] {
    try Self.read(descriptor.number, count: min(count, max(byteCount - offset, 0)), at: offset, path: path)
  }

  /// Returns the file's bytes in memory, of which at least the first `count` are read, or all if the file is
  /// shorter. They stay in memory as long as the file is open, and are not read again.
  func contents(_ count: Int = .max) throws -> FileContents {
    try shared.contents.withLock { contents in
      let own = try contents ?? FileContents(byteCount: byteCount, path: path)
      contents = own
      let (known, wanted) = (own.count, min(count, byteCount))
      guard known < wanted else { return own }
      let rest = UnsafeMutableRawBufferPointer(rebasing: own.memory[known..<wanted])
      own.count = known + (try Self.fill(rest, from: descriptor.number, at: known, path: path))
      return own
    }
  }

  /// The number of bytes that `contents` holds in memory.
  var bytesInMemory: Int { shared.contents.withLock { $0?.count ?? 0 } }

  /// Releases what `contents` holds, once no reader uses it.
  func releaseContents() { shared.contents.withLock { $0 = nil } }

  private final class SharedContents: Sendable {
    let contents = Mutex<FileContents?>(nil)
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

/// The bytes of a file in memory at a fixed address, for several readers: bytes that were read never change.
final class FileContents: @unchecked Sendable {
  let memory: UnsafeMutableRawBufferPointer
  private let readCount: Atomic<Int>
  /// Bytes read; the rest of `memory` is undefined.
  fileprivate(set) var count: Int {
    get { readCount.load(ordering: .acquiring) }
    set { readCount.store(newValue, ordering: .releasing) }
  }

  fileprivate init(byteCount: Int, path: String) throws {
    guard let base = malloc(max(byteCount, 1)) else {
      throw SafelightError(
        .noMemory, "Cannot read \(path): not enough memory for \(byteCount / 1_048_576) MiB",
        remedy: "close other programs")
    }
    memory = UnsafeMutableRawBufferPointer(start: base, count: byteCount)
    readCount = Atomic(0)
  }

  /// Copies `bytes`.
  convenience init(_ bytes: [UInt8], path: String) throws {
    try self.init(byteCount: bytes.count, path: path)
    memory.copyBytes(from: bytes)
    count = bytes.count
  }

  deinit { free(memory.baseAddress) }
}
