import Synchronization
import Libc

/// Information about a picture's memory that is kept as long as the memory exists, such as its mapping into a
/// device.
///
/// It is released just before the memory, on any thread, and must not refer to the picture.
package protocol MemoryAttachment: AnyObject, Sendable {
  /// Whether it is no longer of use.
  var isSpent: Bool { get }
}

/// A dma-buf that backs a picture's memory, for devices that import it instead of copying the picture.
public struct DMABuf: @unchecked Sendable, Hashable {
  /// Open as long as the picture exists; the picture's owner closes it.
  public let descriptor: Int32
  /// The address at which its first byte is mapped.
  public let base: UnsafeMutableRawPointer
  public let bytes: Int

  public init(descriptor: Int32, base: UnsafeMutableRawPointer, bytes: Int) {
    (self.descriptor, self.base, self.bytes) = (descriptor, base, bytes)
  }
}

extension PixelBuffer {
  /// The dma-buf that contains all planes, if given when the memory was wrapped.
  public var dmaBuf: DMABuf? { storage.dmaBuf }

  /// Returns what `owner` attached to this picture's memory, which its views and bands share.
  package func attachment(of owner: ObjectIdentifier) -> (any MemoryAttachment)? {
    storage.attachment(of: owner)
  }

  /// Attaches an object, replacing what `owner` attached before.
  package func attach(_ attachment: any MemoryAttachment, of owner: ObjectIdentifier) {
    storage.attach(attachment, of: owner)
  }

  /// The picture's allocation; for wrapped memory, the range of all rows of all planes.
  package var memory: Range<UnsafeMutableRawPointer> {
    storage.bytes > 0 ? storage.base..<storage.base + storage.bytes : rowsInMemory
  }

  /// The range of all rows of all planes.
  package var rowsInMemory: Range<UnsafeMutableRawPointer> {
    var (first, last) = (planes[0].base, planes[0].base)
    for (plane, shape) in zip(planes, format.planes) {
      let end = plane.base + (plane.rows - 1) * plane.rowBytes + shape.rowBytes(width: size.width)
      (first, last) = (min(first, plane.base), max(last, end))
    }
    return first..<last
  }
}

/// One aligned allocation, returned to its pool or freed when the last buffer on it is released.
final class PixelStorage: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let bytes: Int
  let dmaBuf: DMABuf?
  private let reclaim: (@Sendable (UnsafeMutableRawPointer, Int) -> Void)?
  private let attachments = Mutex<[(owner: ObjectIdentifier, attachment: any MemoryAttachment)]>([])

  init(bytes: Int) throws {
    base = try Self.allocate(bytes)
    self.bytes = bytes
    dmaBuf = nil
    reclaim = nil
  }

  static func allocate(_ bytes: Int) throws -> UnsafeMutableRawPointer {
    var pointer: UnsafeMutableRawPointer?
    let isHuge = bytes >= hugePageThreshold
    let alignment = isHuge ? hugePageBytes : PixelBuffer.alignment
    guard posix_memalign(&pointer, alignment, bytes) == 0, let pointer else {
      throw SafelightError(
        .noMemory, "Not enough memory for \(bytes / 1_048_576) MiB of pixels",
        remedy: "close other programs or use a smaller picture")
    }
    #if os(Linux)
      // Fresh memory is cleared page by page when touched, which with 4 KiB pages takes as long as decoding into
      // it. If the system has no huge pages available, nothing changes.
      if isHuge { madvise(pointer, bytes / hugePageBytes * hugePageBytes, MADV_HUGEPAGE) }
    #endif
    return pointer
  }

  /// The size of huge pages on x86-64, and on Arm with 4 KiB pages.
  private static let hugePageBytes = 2 << 20
  /// Smaller pictures would waste too much of their last page.
  private static let hugePageThreshold = 8 << 20

  init(
    adopting base: UnsafeMutableRawPointer, bytes: Int, dmaBuf: DMABuf? = nil,
    reclaim: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Void
  ) {
    self.base = base
    self.bytes = bytes
    self.dmaBuf = dmaBuf
    self.reclaim = reclaim
  }

  deinit {
    // Attachments refer to the memory, which is released next.
    attachments.withLock { $0.removeAll() }
    if let reclaim { reclaim(base, bytes) } else { free(base) }
  }

  func attachment(of owner: ObjectIdentifier) -> (any MemoryAttachment)? {
    attachments.withLock { list in
      var index = 0
      // A loop over indices, because without optimization an array iterator allocates memory.
      while index < list.count {
        if list[index].owner == owner { return list[index].attachment }
        index += 1
      }
      return nil
    }
  }

  func attach(_ attachment: any MemoryAttachment, of owner: ObjectIdentifier) {
    attachments.withLock { list in
      list.removeAll { $0.owner == owner || $0.attachment.isSpent }
      list.append((owner, attachment))
    }
  }
}
