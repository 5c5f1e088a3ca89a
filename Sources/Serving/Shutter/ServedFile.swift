import Libc
import Synchronization

/// A file that is sent to a client, open for reading.
final class ServedFile: Sendable {
  /// Tells a file from another one that took its name.
  struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      self.init(status)
    }

    fileprivate init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
  }

  /// The bytes of a piece.
  private static let pieceSize = 1 << 17

  let length: Int
  private let descriptor: Int32
  private let offset = Atomic(0)

  /// Opens the file, provided that it still is the one with this identity; nil otherwise. Follows no link in its name.
  init?(_ path: String, _ identity: Identity?) {
    guard let identity else { return nil }
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return nil }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Identity(status) == identity else {
      close(number)
      return nil
    }
    (descriptor, length) = (number, Int(status.st_size))
  }

  deinit { close(descriptor) }

  /// Reads the next piece; nil at the end, or if the file cannot be read or has become shorter. One call at a time.
  func next() -> [UInt8]? {
    let start = offset.load(ordering: .relaxed)
    let wanted = min(Self.pieceSize, length - start)
    let piece = [UInt8](unsafeUninitializedCapacity: max(0, wanted)) { memory, count in
      count = max(0, pread(descriptor, memory.baseAddress, memory.count, off_t(start)))
    }
    offset.add(piece.count, ordering: .relaxed)
    return piece.isEmpty ? nil : piece
  }
}
