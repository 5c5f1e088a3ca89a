import Libc

/// A file that is sent to a client, open for reading.
final class ServedFile {
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

  let length: Int
  private let descriptor: Int32

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

  /// Reads bytes at `offset` into `memory`; returns their number, 0 at the end or if they cannot be read.
  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    max(0, pread(descriptor, memory.baseAddress, memory.count, off_t(offset)))
  }
}
