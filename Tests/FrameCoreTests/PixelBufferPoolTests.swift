import FrameCore
import Synchronization
import Testing

/// Which memory is in use by whom, from the tasks' point of view.
private final class Ledger: Sendable {
  private let state = Mutex<(inUse: Set<UInt>, clashes: Int)>(([], 0))

  /// How often memory was handed out twice at a time or written by another task.
  var clashes: Int { state.withLock { $0.clashes } }

  func checkOut(_ buffer: PixelBuffer) {
    let address = UInt(bitPattern: buffer.planes[0].base)
    state.withLock { if !$0.inUse.insert(address).inserted { $0.clashes += 1 } }
  }

  func checkIn(_ buffer: PixelBuffer, isIntact: Bool) {
    let address = UInt(bitPattern: buffer.planes[0].base)
    state.withLock {
      if $0.inUse.remove(address) == nil || !isIntact { $0.clashes += 1 }
    }
  }
}

@Suite("A buffer pool")
struct PixelBufferPoolTests {
  private let size = PixelSize(width: 640, height: 48)

  @Test("hands the same memory out again")
  func reuse() throws {
    let pool = try PixelBufferPool(size: size, format: .rgba8)
    var addresses: Set<UnsafeMutableRawPointer> = []
    for round in 0..<100 {
      let buffer = try pool.makeBuffer()
      #expect(buffer.size == size && buffer.format == .rgba8)
      addresses.insert(buffer.planes[0].base)
      #expect(pool.idleCount == 0, "round \(round)")
    }
    #expect(addresses.count == 1)
    #expect(pool.idleCount == 1)
  }

  @Test("asks for no memory once as many buffers as are in use at a time have come back")
  func steadyState() throws {
    let pool = try PixelBufferPool(size: size, format: .nv12, keeping: 3)
    var addresses: Set<UnsafeMutableRawPointer> = []
    var inUse: [PixelBuffer] = []
    for _ in 0..<60 {
      if inUse.count == 3 { inUse.removeFirst() }
      let buffer = try pool.makeBuffer()
      addresses.insert(buffer.planes[0].base)
      inUse.append(buffer)
    }
    #expect(addresses.count == 3)
  }

  @Test("never hands out memory that is in use")
  func exclusiveness() throws {
    let pool = try PixelBufferPool(size: size, format: .rgba8, keeping: 2)
    let buffers = try (0..<5).map { _ in try pool.makeBuffer() }
    #expect(Set(buffers.map { $0.planes[0].base }).count == 5)
  }

  @Test("keeps no more idle memory than it was told", arguments: [0, 1, 3])
  func limit(keeping: Int) throws {
    let pool = try PixelBufferPool(size: size, format: .gray8, keeping: keeping)
    var buffers = try (0..<5).map { _ in try pool.makeBuffer() }
    buffers.removeAll()
    #expect(pool.idleCount == keeping)
  }

  @Test("gives each buffer the tags it is asked for, not those of the buffer before")
  func tags() throws {
    let pool = try PixelBufferPool(size: size, format: .rgba8)
    #expect(try pool.makeBuffer(tags: .displayP3, alpha: .straight).tags == .displayP3)
    let next = try pool.makeBuffer()
    #expect(next.tags == .sRGB && next.alpha == .opaque)
  }

  @Test("may go before its buffers")
  func lifetime() throws {
    var pool: PixelBufferPool? = try PixelBufferPool(size: size, format: .rgba8)
    let buffer = try #require(try pool?.makeBuffer())
    pool = nil
    buffer.row(47, as: UInt8.self).update(repeating: 9)
    #expect(buffer.row(47, as: UInt8.self).last == 9)
  }

  @Test("serves many threads without giving one buffer to two of them")
  func concurrency() async throws {
    let pool = try PixelBufferPool(size: size, format: .rgba8, keeping: 8)
    let ledger = Ledger()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<200 {
            let buffer = try pool.makeBuffer()
            let mark = UInt8(truncatingIfNeeded: task &* 31 &+ round)
            ledger.checkOut(buffer)
            buffer.row(0, as: UInt8.self).update(repeating: mark)
            if round % 7 == 0 { await Task.yield() }
            ledger.checkIn(buffer, isIntact: buffer.row(0, as: UInt8.self).allSatisfy { $0 == mark })
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(ledger.clashes == 0)
    #expect((1...8).contains(pool.idleCount))
  }

  @Test("refuses what a buffer would refuse")
  func errors() {
    let error = #expect(throws: SafelightError.self) {
      try PixelBufferPool(size: PixelSize(width: 70_000, height: 1), format: .rgba8)
    }
    #expect(error?.code == .tooLarge)
  }
}
