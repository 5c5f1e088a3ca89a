import Synchronization

/// A fixed set of buffers, each reused once no references to it remain.
///
/// Unlike `PixelBufferPool` it creates no object per frame: a loop that draws from a ring allocates nothing. If
/// all buffers are in use it returns nil, and the caller drops a frame with the reason `outOfBuffers`.
public final class BufferRing: Sendable {
  private struct State: ~Copyable {
    var buffers: [PixelBuffer]
    var next = 0
  }
  private let state: Mutex<State>

  /// The number of buffers.
  public let count: Int

  /// - Parameter buffers: must not be referenced elsewhere.
  public init(_ buffers: consuming [PixelBuffer]) {
    count = buffers.count
    state = Mutex(State(buffers: buffers))
  }

  /// Allocates `count` buffers.
  public convenience init(
    count: Int, size: PixelSize, format: PixelFormat, tags: ColorTags = .sRGB, alpha: AlphaMode = .opaque
  ) throws {
    self.init(
      try (0..<count).map { _ in try PixelBuffer(size: size, format: format, tags: tags, alpha: alpha) })
  }

  /// Returns an unused buffer; nil if all are in use.
  public func take() -> PixelBuffer? {
    state.withLock { state in
      for offset in 0..<count {
        let index = (state.next + offset) % count
        guard PixelBuffer.isUnshared(&state.buffers[index]) else { continue }
        // The last user's reads and writes must be complete before the next one writes.
        atomicMemoryFence(ordering: .acquiring)
        state.next = (index + 1) % count
        return state.buffers[index]
      }
      return nil
    }
  }

  /// The number of unused buffers.
  package var idleCount: Int {
    state.withLock { state in
      (0..<count).reduce(0) { $0 + (PixelBuffer.isUnshared(&state.buffers[$1]) ? 1 : 0) }
    }
  }
}
