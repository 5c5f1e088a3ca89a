/// A picture as its source sent it: the bytes of one JPEG, or the samples of a `BayerMosaic`.
///
/// The bytes are valid as long as the object, and do not change meanwhile.
public final class EncodedPicture: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  private var count = 0
  private let release: () -> Void

  /// The number of bytes that the memory can hold.
  package let capacity: Int

  /// A JPEG, from its first marker to its last, or a mosaic from its first row on; padding may follow.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  /// Wraps memory with another owner, such as a driver's.
  ///
  /// - Parameter release: called once, on any thread, when the last reference to the picture is released.
  package init(
    wrapping memory: UnsafeMutableRawPointer, capacity: Int, release: @escaping @Sendable () -> Void
  ) {
    (self.memory, self.capacity, self.release) = (memory, capacity, release)
  }

  /// Allocates memory for pictures of at most `capacity` bytes.
  package convenience init(capacity: Int) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(capacity, 1), alignment: PixelBuffer.alignment)
    nonisolated(unsafe) let owned = memory
    self.init(wrapping: memory, capacity: capacity) { owned.deallocate() }
  }

  /// A copy of `bytes`.
  public convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(capacity: bytes.count)
    fill(with: bytes)
  }

  deinit { release() }

  /// Whether `picture` is the only reference to its object.
  package static func isUnshared(_ picture: inout EncodedPicture) -> Bool {
    isKnownUniquelyReferenced(&picture)
  }

  /// Declares the first `count` bytes of wrapped memory as the picture. Only while nobody else refers to it.
  package func setCount(_ count: Int) {
    precondition((0...capacity).contains(count))
    self.count = count
  }

  /// Replaces the picture. Only while nobody else refers to it.
  package func fill(with bytes: UnsafeRawBufferPointer) {
    setCount(bytes.count)
    if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
  }
}
