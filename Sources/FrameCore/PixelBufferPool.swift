import Libc
import Synchronization

/// Hands out buffers of one size and format and reclaims their memory when the last reference is released.
///
/// After the first frames, a loop that draws from a pool allocates no memory from the system.
public final class PixelBufferPool: Sendable {
  public let size: PixelSize
  public let format: PixelFormat
  private let layout: PixelLayout
  private let idle: IdleStorage

  /// - Parameter keeping: the number of idle allocations kept; any more are freed.
  public init(size: PixelSize, format: PixelFormat, keeping: Int = 4) throws {
    self.size = size
    self.format = format
    layout = try PixelLayout(size: size, format: format)
    idle = IdleStorage(limit: keeping)
  }

  /// The number of allocations waiting for reuse.
  package var idleCount: Int { idle.count }

  /// Returns a buffer with undefined samples.
  public func makeBuffer(tags: ColorTags = .sRGB, alpha: AlphaMode = .opaque) throws -> PixelBuffer {
    let idle = idle
    let base = try idle.take() ?? PixelStorage.allocate(layout.bytes)
    let storage = PixelStorage(adopting: base, bytes: layout.bytes) { pointer, _ in
      idle.giveBack(pointer)
    }
    return PixelBuffer(layout: layout, storage: storage, tags: tags, alpha: alpha)
  }

  /// The pool's free list; outlives the pool while buffers are in use.
  private final class IdleStorage: Sendable {
    private struct Pointer: @unchecked Sendable { let raw: UnsafeMutableRawPointer }
    private let pointers = Mutex<[Pointer]>([])
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { pointers.withLock { $0.count } }

    func take() -> UnsafeMutableRawPointer? { pointers.withLock { $0.popLast()?.raw } }

    func giveBack(_ pointer: UnsafeMutableRawPointer) {
      let boxed = Pointer(raw: pointer)
      let kept = pointers.withLock { list in
        guard list.count < limit else { return false }
        list.append(boxed)
        return true
      }
      if !kept { free(pointer) }
    }

    deinit {
      pointers.withLock { list in
        for pointer in list { free(pointer.raw) }
      }
    }
  }
}
