import FrameCore
import Synchronization
import Testing
import Libc

@Suite("A pixel buffer")
struct PixelBufferTests {
  static let sizes = [(1, 1), (2, 1), (1, 7), (3, 5), (63, 4), (64, 4), (65, 3), (641, 37)]

  @Test(
    "aligns every plane and row to 64 bytes and keeps planes apart", arguments: PixelFormat.allCases, sizes)
  func layout(format: PixelFormat, size: (Int, Int)) throws {
    let (width, height) = size
    let buffer = try PixelBuffer(size: PixelSize(width: width, height: height), format: format)
    #expect(buffer.planes.count == format.planes.count)
    var end: UnsafeMutableRawPointer?
    for (plane, shape) in zip(buffer.planes, format.planes) {
      #expect(UInt(bitPattern: plane.base) % 64 == 0)
      #expect(plane.rowBytes % 64 == 0)
      #expect(plane.rowBytes >= shape.rowBytes(width: width))
      #expect(plane.rows == shape.rows(height: height))
      if let end { #expect(plane.base >= end) }
      end = plane.base + plane.rowBytes * plane.rows
    }
  }

  @Test("may be read for 128 bytes after its last plane", arguments: PixelFormat.allCases, sizes)
  func tail(format: PixelFormat, size: (Int, Int)) throws {
    let buffer = try PixelBuffer(size: PixelSize(width: size.0, height: size.1), format: format)
    let last = try #require(buffer.planes.last)
    let end = last.base + last.rowBytes * last.rows
    #expect(PixelBuffer.tailBytes == 128)
    #expect(end - buffer.planes[0].base + 128 <= (try Self.usableSize(of: buffer.planes[0].base)))
  }

  /// The allocator's own account of a block. `malloc.h` is not part of Swift's C library modules.
  private static func usableSize(of block: UnsafeMutableRawPointer) throws -> Int {
    typealias Function = @convention(c) (UnsafeMutableRawPointer) -> Int
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "malloc_usable_size"))
    return unsafeBitCast(symbol, to: Function.self)(block)
  }

  @Test("gives typed rows without padding that do not overlap", arguments: PixelFormat.allCases)
  func rows(format: PixelFormat) throws {
    let buffer = try PixelBuffer(size: PixelSize(width: 7, height: 5), format: format)
    var value: UInt8 = 0
    for plane in buffer.planes.indices {
      for y in 0..<buffer.planes[plane].rows {
        value += 1
        buffer.row(y, of: plane, as: UInt8.self).update(repeating: value)
      }
    }
    value = 0
    for plane in buffer.planes.indices {
      for y in 0..<buffer.planes[plane].rows {
        value += 1
        let row = buffer.row(y, of: plane, as: UInt8.self)
        #expect(row.count == format.planes[plane].rowBytes(width: 7))
        #expect(row.allSatisfy { $0 == value })
      }
    }
  }

  @Test("counts samples of the type asked for")
  func typedRows() throws {
    let size = PixelSize(width: 7, height: 5)
    #expect(try PixelBuffer(size: size, format: .rgbaF32).row(4, as: Float.self).count == 28)
    #expect(try PixelBuffer(size: size, format: .rgba16).row(4, as: UInt16.self).count == 28)
  }

  @Test("keeps its memory and changes only its meaning when it is retagged")
  func retagging() throws {
    let buffer = try PixelBuffer(size: PixelSize(width: 3, height: 2), format: .rgba8)
    buffer.row(1, as: UInt8.self)[11] = 77
    let retagged = buffer.retagged(.displayP3, alpha: .straight)
    #expect(retagged.planes[0].base == buffer.planes[0].base)
    #expect(retagged.row(1, as: UInt8.self)[11] == 77)
    #expect((retagged.tags, retagged.alpha) == (.displayP3, .straight))
    #expect((buffer.tags, buffer.alpha) == (.sRGB, .opaque))
    #expect(buffer.retagged(.displayP3).alpha == .opaque)
  }

  @Test("keeps its memory alive through a retagged view")
  func retaggedLifetime() throws {
    let pool = try PixelBufferPool(size: PixelSize(width: 16, height: 16), format: .rgba8)
    var view: PixelBuffer? = try pool.makeBuffer().retagged(.displayP3)
    #expect(pool.idleCount == 0)
    #expect(view?.width == 16)
    view = nil
    #expect(pool.idleCount == 1)
  }

  /// Tells when it goes.
  private final class Attached: MemoryAttachment {
    let isSpent: Bool
    private let end: @Sendable () -> Void
    init(isSpent: Bool = false, end: @escaping @Sendable () -> Void = {}) {
      (self.isSpent, self.end) = (isSpent, end)
    }
    deinit { end() }
  }

  @Test("keeps what is attached to its memory just as long, for all its views")
  func attachments() throws {
    let (first, second) = (Attached(), Attached())
    let (one, other) = (ObjectIdentifier(first), ObjectIdentifier(second))
    let events = Mutex<[String]>([])
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 * 4, alignment: 64)
    defer { memory.deallocate() }
    do {
      var buffer: PixelBuffer? = try PixelBuffer(
        wrapping: [(memory, 64)], size: PixelSize(width: 16, height: 4), format: .rgba8, tags: .sRGB,
        release: { events.withLock { $0.append("memory") } })
      #expect(buffer?.attachment(of: one) == nil)
      buffer?.attach(Attached { events.withLock { $0.append("attachment") } }, of: one)
      buffer?.attach(first, of: other)
      let band = try #require(buffer?.band(rows: 1..<3))
      #expect(band.attachment(of: other) === first)
      buffer = nil
      #expect(events.withLock { $0 } == [])
      // What takes the place of another lets that go, as does what is spent.
      band.attach(Attached(isSpent: true) { events.withLock { $0.append("spent") } }, of: other)
      band.attach(second, of: other)
      #expect(band.attachment(of: other) === second)
      #expect(events.withLock { $0 } == ["spent"])
    }
    #expect(events.withLock { $0 } == ["spent", "attachment", "memory"])
  }

  @Test("names the dma-buf that its memory is")
  func dmaBuf() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 * 4, alignment: 64)
    defer { memory.deallocate() }
    let dmaBuf = DMABuf(descriptor: 7, base: memory, bytes: 256)
    let buffer = try PixelBuffer(
      wrapping: [(memory, 64)], size: PixelSize(width: 16, height: 4), format: .rgba8, tags: .sRGB,
      dmaBuf: dmaBuf, release: {})
    #expect(buffer.band(rows: 1..<2).dmaBuf == dmaBuf)
    #expect(try PixelBuffer(size: PixelSize(width: 2, height: 2), format: .rgba8).dmaBuf == nil)
  }

  @Test(
    "refuses empty sizes", arguments: [(0, 10, "0×10"), (10, 0, "10×0"), (-3, 10, "-3×10"), (0, 0, "0×0")])
  func emptySizes(width: Int, height: Int, text: String) {
    let error = #expect(throws: SafelightError.self) {
      try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgba8)
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.description == "The picture is empty (\(text)).")
  }

  @Test(
    "refuses sizes beyond its limits before it asks for memory",
    arguments: [
      (65_536, 1, "65536×1"), (1, 65_536, "1×65536"), (40_000, 30_001, "40000×30001"),
      (Int.max, Int.max, "9223372036854775807×9223372036854775807"),
    ])
  func largeSizes(width: Int, height: Int, text: String) {
    let error = #expect(throws: SafelightError.self) {
      try PixelBuffer(size: PixelSize(width: width, height: height), format: .rgbaF32)
    }
    #expect(error?.code == .tooLarge)
    #expect(
      error?.description
        == "The picture is too large (\(text)): at most 65535 pixels per edge and 1200 megapixels are accepted."
    )
  }

  @Test("accepts sizes at its limits")
  func limits() throws {
    #expect(throws: Never.self) { try PixelBuffer.validate(PixelSize(width: 65_535, height: 1)) }
    #expect(throws: Never.self) { try PixelBuffer.validate(PixelSize(width: 40_000, height: 30_000)) }
    #expect(try PixelBuffer(size: PixelSize(width: 65_535, height: 1), format: .gray8).width == 65_535)
  }
}

@Suite("An error")
struct SafelightErrorTests {
  @Test("is one sentence, with its remedy where there is one")
  func description() {
    #expect(SafelightError(.file, "There is no x.jpg").description == "There is no x.jpg.")
    #expect(
      SafelightError(.file, "There is no x.jpg", remedy: "check the name").description
        == "There is no x.jpg; check the name.")
  }
}
