import FrameCore
import Testing

@Suite("A ring of buffers")
struct BufferRingTests {
  private let size = PixelSize(width: 64, height: 4)

  @Test("hands out every buffer once, and nothing while all are in use")
  func exhaustion() throws {
    let ring = try BufferRing(count: 3, size: size, format: .nv12)
    var held: [PixelBuffer] = []
    for _ in 0..<3 { held.append(try #require(ring.take())) }
    #expect(Set(held.map(ObjectIdentifier.init)).count == 3)
    #expect(ring.take() == nil && ring.idleCount == 0)
    held.removeFirst()
    #expect(ring.idleCount == 1)
    held.append(try #require(ring.take()))
    #expect(ring.take() == nil)
  }

  @Test("counts a buffer as in use while a retagged view or a band holds its memory")
  func views() throws {
    let ring = try BufferRing(count: 1, size: size, format: .rgba8)
    var view: PixelBuffer? = try #require(ring.take()).retagged(.displayP3)
    #expect(ring.take() == nil)
    view = view?.band(rows: 0..<2)
    #expect(ring.take() == nil && view?.height == 2)
    view = nil
    #expect(ring.take() != nil)
  }
}

@Suite("A wrapped buffer")
struct WrappedBufferTests {
  @Test("shows memory of others with their rows' distance, and says once when it is done with")
  func wrapping() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 3 * 100, alignment: 1)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 7, count: 300)
    final class Counter: @unchecked Sendable { var value = 0 }
    let released = Counter()
    var buffer: PixelBuffer? = try PixelBuffer(
      wrapping: [(memory, 100)], size: PixelSize(width: 31, height: 3), format: .yuyv422, tags: .sRGB
    ) { released.value += 1 }
    #expect(buffer?.planes[0].row(2) == memory + 200 && buffer?.hasPadding == false)
    #expect(buffer?.row(1, as: UInt8.self).count == 64 && buffer?.row(1, as: UInt8.self)[63] == 7)
    #expect(released.value == 0)
    buffer = nil
    #expect(released.value == 1)
  }

  @Test("is refused where rows are shorter than the picture is wide")
  func narrow() throws {
    var bytes = [UInt8](repeating: 0, count: 64)
    bytes.withUnsafeMutableBytes { memory in
      let base = memory.baseAddress!
      #expect(
        throws: SafelightError(.invalidValue, "Rows of 60 bytes do not hold 32 pixels of yuyv422")
      ) {
        try PixelBuffer(
          wrapping: [(base, 60)], size: PixelSize(width: 32, height: 1), format: .yuyv422, tags: .sRGB
        ) {}
      }
    }
  }
}
