import CXXHash
import FrameCore
import Libc

/// A short fingerprint of a file's contents: equal for equal files and, barring malice, different for others.
public struct FileFingerprint: Sendable, Hashable, Codable {
  public var bytes: Int
  /// The 128-bit XXH3 hash of the whole file, 32 hexadecimal digits, as printed by `xxhsum -H2`.
  public var hash: String

  package init(bytes: Int, hash: String) {
    self.bytes = bytes
    self.hash = hash
  }

  /// Reads the whole file.
  ///
  /// - Throws: `SafelightError(.file)` if it cannot be read or is not a regular file, which may have no end.
  public init(contentsOf path: String) throws {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw Self.failure(path) }
    try self.init(of: Descriptor(number), path: path)
  }

  /// Reads the whole of a file that is open; its position stays.
  ///
  /// - Parameter path: the file's name, for errors.
  /// - Throws: as `init(contentsOf:)`.
  package init(of descriptor: Descriptor, path: String) throws {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw Self.failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SafelightError(
        .file, "Cannot read \(path): it is not a regular file", remedy: "name a regular file")
    }
    guard let state = cxxhash_new() else {
      throw SafelightError(.noMemory, "There is no memory left to read \(path)")
    }
    defer { cxxhash_free(state) }
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    var position = 0
    while true {
      let count = chunk.withUnsafeMutableBytes {
        pread(descriptor.number, $0.baseAddress, $0.count, off_t(position))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(path) }
      if count == 0 { break }
      cxxhash_update(state, chunk, count)
      position += count
    }
    bytes = position
    hash = Self.hex(cxxhash_digest(state))
  }

  /// The fingerprint of bytes in memory.
  package init(of content: [UInt8]) throws {
    guard let state = cxxhash_new() else { throw SafelightError(.noMemory, "There is no memory left") }
    defer { cxxhash_free(state) }
    cxxhash_update(state, content, content.count)
    bytes = content.count
    hash = Self.hex(cxxhash_digest(state))
  }

  private static func failure(_ path: String) -> SafelightError {
    SafelightError(
      .file, "Cannot read \(path): \(errorText(errno))", remedy: "check the path")
  }

  private static func hex(_ value: cxxhash_value) -> String {
    func digits(_ word: UInt64) -> String {
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return digits(value.high) + digits(value.low)
  }
}
