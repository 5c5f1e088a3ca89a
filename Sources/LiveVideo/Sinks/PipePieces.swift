import FrameCore
import Synchronization
import Libc

/// The pieces of memory that make up one frame in a pipe; their addresses stay the same from frame to frame and
/// are listed once.
final class PipePieces {
  private let list: UnsafeMutableBufferPointer<iovec>
  /// The unmodified list, which is restored before each write, since writing changes `list`.
  private let original: UnsafeMutableBufferPointer<iovec>
  /// The owners of the memory that the list points to.
  private let owners: [AnyObject]

  private init(_ pieces: [iovec], owners: [AnyObject]) {
    list = .allocate(capacity: pieces.count)
    original = .allocate(capacity: pieces.count)
    _ = list.initialize(from: pieces)
    _ = original.initialize(from: pieces)
    self.owners = owners
  }

  deinit {
    list.deallocate()
    original.deallocate()
  }

  /// Creates the pieces of a header and the planes of `buffer`, without row padding.
  convenience init(header: [UInt8], _ buffer: PixelBuffer) {
    let bytes = PipeBytes(header)
    var pieces = [iovec(iov_base: bytes.memory.baseAddress, iov_len: bytes.memory.count)]
    for (index, plane) in buffer.planes.enumerated() {
      let rowBytes = buffer.format.planes[index].rowBytes(width: buffer.width)
      if rowBytes == plane.rowBytes {
        pieces.append(iovec(iov_base: plane.base, iov_len: rowBytes * plane.rows))
      } else {
        for y in 0..<plane.rows { pieces.append(iovec(iov_base: plane.row(y), iov_len: rowBytes)) }
      }
    }
    self.init(pieces, owners: [bytes, buffer])
  }

  convenience init(_ bytes: PipeBytes) {
    self.init([iovec(iov_base: bytes.memory.baseAddress, iov_len: bytes.memory.count)], owners: [bytes])
  }

  /// - Throws: as `VideoPipe.write`.
  func write(to pipe: VideoPipe) throws {
    for index in list.indices { list[index] = original[index] }
    try withExtendedLifetime(owners) { try pipe.write(list) }
  }

  /// Writes bytes that are needed only once.
  static func write(_ bytes: [UInt8], to pipe: VideoPipe) throws {
    try PipePieces(PipeBytes(bytes)).write(to: pipe)
  }
}

/// Bytes at a fixed address.
final class PipeBytes {
  let memory: UnsafeMutableRawBufferPointer

  /// - Throws: `SafelightError(.noMemory)` if there is not enough memory.
  init(count: Int) throws {
    guard let base = malloc(max(count, 1)) else {
      throw SafelightError(
        .noMemory, "Not enough memory for a frame of \(count / 1_048_576) MiB",
        remedy: "use a smaller picture")
    }
    memory = UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  init(_ bytes: [UInt8]) {
    memory = .allocate(byteCount: bytes.count, alignment: 1)
    memory.copyBytes(from: bytes)
  }

  deinit { free(memory.baseAddress) }
}

/// Lets any thread interrupt a sink whose pipe is opened and closed on the sink's own thread.
final class PipeInterruption: Sendable {
  private struct State {
    var pipe: VideoPipe?
    var isInterrupted = false
  }
  private let state = Mutex(State())

  func attach(_ pipe: VideoPipe) {
    state.withLock {
      $0.pipe = pipe
      if $0.isInterrupted { pipe.interrupt() }
    }
  }

  func detach() { state.withLock { $0.pipe = nil } }

  func interrupt() {
    state.withLock {
      $0.isInterrupted = true
      $0.pipe?.interrupt()
    }
  }
}
