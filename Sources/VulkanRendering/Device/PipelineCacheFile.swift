import Files
import Libc

/// Kernels compiled by a driver, kept on disk so that the next run need not compile them.
///
/// Only a cache: if it cannot be read or written, or is damaged, kernels are compiled again. Drivers check which
/// device a cache is for but not its contents, and some execute whatever they find; so the file begins with the
/// length and a checksum of the rest. That detects damage, not malice: whoever can write the file can run any code
/// anyway.
struct PipelineCacheFile: Sendable {
  let path: String

  /// The file's first bytes. The rest of the header follows: length and checksum, 64 bits each, little-endian.
  private static let magic = Array("SLVKPC01".utf8)
  private static let headBytes = 24

  /// Larger files are not read: a driver's cache of all of Safelight's kernels takes some hundred kilobytes.
  private static let limit = 64 << 20

  /// - Parameter folder: nil for `safelight` in the user's cache folder.
  /// - Returns: nil if the user has no such folder.
  init?(uuid: String, in folder: String? = nil) {
    guard let folder = folder ?? CacheFolder.path else { return nil }
    path = "\(folder)/vulkan-\(uuid).bin"
  }

  /// Returns the cached data; empty if there is no such file or it cannot be read.
  func read() -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Self.limit + Self.headBytes
    else { return [] }
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      while count < size, let base = bytes.baseAddress {
        let taken = systemRead(descriptor, base + count, size - count)
        if taken < 0, errno == EINTR { continue }
        guard taken > 0 else { break }
        count += taken
      }
    }
    guard size > Self.headBytes, bytes.count == size else { return [] }
    let kept = Array(bytes[Self.headBytes...])
    return bytes.starts(with: Self.head(of: kept)) ? kept : []
  }

  private static func head(of bytes: [UInt8]) -> [UInt8] {
    magic
      + [UInt64(bytes.count), checksum(of: bytes)].flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
      }
  }

  /// 64-bit FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/.
  static func checksum(of bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3
        index += 1
      }
    }
    return hash
  }

  /// Replaces the file atomically.
  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count <= Self.limit,
      (try? Folder.makeWithParents(FolderListing.parent(of: path), permissions: CacheFolder.permissions))
        != nil
    else { return }
    var name = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return }
    let isWritten = writeAll(Self.head(of: bytes), to: descriptor) && writeAll(bytes, to: descriptor)
    let isClosed = close(descriptor) == 0
    if !isWritten || !isClosed || rename(name, path) != 0 { unlink(name) }
  }
}

/// read(2), whose name a method above shadows.
private func systemRead(_ descriptor: Int32, _ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, target, count)
}
