import Synchronization
import Libc

/// What somebody knows of a picture's memory and keeps as long as the memory is there, such as its mapping into a
/// device.
///
/// It is let go of just before the memory is, on whatever thread that happens, and must not refer to the picture.
package protocol MemoryAttachment: AnyObject, Sendable {
  /// Whether it is of no more use.
  var isSpent: Bool { get }
}

/// A dma-buf that a picture's memory is, for devices that import it instead of copying the picture.
public struct DMABuf: @unchecked Sendable, Hashable {
  /// Open as long as the picture is there, whose owner closes it.
  public let descriptor: Int32
  /// Where its first byte is mapped.
  public let base: UnsafeMutableRawPointer
  public let bytes: Int

  public init(descriptor: Int32, base: UnsafeMutableRawPointer, bytes: Int) {
    (self.descriptor, self.base, self.bytes) = (descriptor, base, bytes)
  }
}

extension PixelBuffer {
  /// The dma-buf that holds all planes, where whoever wrapped the memory gave one.
  public var dmaBuf: DMABuf? { storage.dmaBuf }

  /// What `owner` attached to this picture's memory, which views and bands of it share.
  package func attachment(of owner: ObjectIdentifier) -> (any MemoryAttachment)? {
    storage.attachment(of: owner)
  }

  /// Takes the place of what `owner` attached before.
  package func attach(_ attachment: any MemoryAttachment, of owner: ObjectIdentifier) {
    storage.attach(attachment, of: owner)
  }

  /// The picture's allocation; of wrapped memory, where all rows of all planes lie.
  package var memory: Range<UnsafeMutableRawPointer> {
    storage.bytes > 0 ? storage.base..<storage.base + storage.bytes : rowsInMemory
  }

  /// Where all rows of all planes lie.
  package var rowsInMemory: Range<UnsafeMutableRawPointer> {
    var (first, last) = (planes[0].base, planes[0].base)
    for (plane, shape) in zip(planes, format.planes) {
      let end = plane.base + (plane.rows - 1) * plane.rowBytes + shape.rowBytes(width: size.width)
      (first, last) = (min(first, plane.base), max(last, end))
    }
    return first..<last
  }
}

/// One aligned allocation, handed back to its pool or freed when the last buffer on it goes.
final class PixelStorage: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let bytes: Int
  let dmaBuf: DMABuf?
  private let reclaim: (@Sendable (UnsafeMutableRawPointer, Int) -> Void)?
  /// Of whom, and what.
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
        .tooLarge, "Not enough memory for \(bytes / 1_048_576) MiB of pixels",
        remedy: "close other programs or use a smaller picture")
    }
    #if os(Linux)
      // Fresh memory is cleared page by page as it is touched: 4 KiB at a time that takes as long as decoding into it.
      // Where the system has no large pages to give, nothing changes.
      if isHuge { madvise(pointer, bytes / hugePageBytes * hugePageBytes, MADV_HUGEPAGE) }
    #endif
    return pointer
  }

  /// Of x86-64, and of Arm with pages of 4 KiB.
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
    // They refer to the memory that goes next.
    attachments.withLock { $0.removeAll() }
    if let reclaim { reclaim(base, bytes) } else { free(base) }
  }

  func attachment(of owner: ObjectIdentifier) -> (any MemoryAttachment)? {
    attachments.withLock { list in
      var index = 0
      // A loop over indices: without optimization an iterator over the array asks for memory.
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
