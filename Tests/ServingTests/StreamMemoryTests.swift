import LibraryTestSupport
import Safelight
import Testing

@testable import Serving

@Suite("Memory of a stream's frames")
struct StreamMemoryTests {
  @Test("Frames that lie idle are released, but for a few that are filled again")
  func idle() {
    var pool = EncodedFramePool()
    var held = (0..<20).map { _ in pool.take() }
    #expect(pool.frameCount == 20 && held.map(\.number) == Array(1...20))
    // Frames in use stay, wherever they stand among the idle ones.
    let last = held[19]
    held = []
    #expect(pool.take().number == 21)
    #expect(pool.frameCount == EncodedFramePool.idleFrames + 1)
    #expect(last.number == 20)
    for number in 22...30 { #expect(pool.take().number == UInt64(number)) }
    #expect(pool.frameCount == EncodedFramePool.idleFrames + 1)
    withExtendedLifetime(last) {}
  }

  /// Clients 0, 1, 2 … taking frames of these numbers, a hundred bytes each.
  private func leaving(_ numbers: [UInt64], newest: UInt64, atMost limit: Int) -> [StreamPlaces.ClientID] {
    let taking = numbers.enumerated().map {
      FramesOnTheirWay.Taking(client: UInt64($0.offset), number: $0.element, bytes: 100)
    }
    return FramesOnTheirWay.leaving(taking, newest: newest, atMost: limit)
  }

  @Test("Where frames on their way need too much memory, those leave that have been taking theirs longest")
  func slowest() {
    #expect(leaving([], newest: 9, atMost: 0) == [])
    #expect(leaving([4, 2, 3], newest: 9, atMost: 300) == [])
    #expect(leaving([4, 2, 3], newest: 9, atMost: 299) == [1])
    #expect(leaving([4, 2, 3, 2], newest: 9, atMost: 100) == [1, 2, 3])
    // Who takes the same frame shares its memory, and the newest is not held against anybody.
    #expect(leaving([4, 4, 4, 4], newest: 9, atMost: 100) == [])
    #expect(leaving([9, 9, 8], newest: 9, atMost: 0) == [2])
  }

  @Test("Watchers that stop at different frames cost others no frame, and not more memory than the bound")
  func stoppedWatchers() throws {
    let server = try MJPEGServer(port: 0, frameLimit: 500_000)
    defer { server.close() }
    try server.open(SinkFormat(size: PixelSize(width: 320, height: 240), framesPerSecond: 30))
    func watch(receiveBuffer: Int32? = nil) throws -> HTTPClient {
      let client = try HTTPClient(port: server.port, receiveBuffer: receiveBuffer)
      client.get("/stream.mjpg")
      #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(try client.read(count: 9) == Array("--frame\r\n".utf8))
      return client
    }
    // Noise makes large JPEGs: a few fill every buffer on the way to a client that does not read.
    var random = SystemRandomNumberGenerator()
    let noise = try picture(320, 240) { _, _ in
      (0..<4).map { _ in .random(in: 0...65_535, using: &random) }
    }
    let good = try watch()
    var stopped: [HTTPClient] = []
    for number in 1...100 {
      if number <= 60, number.isMultiple(of: 2) { stopped.append(try watch(receiveBuffer: 4096)) }
      let time = Timestamp(nanoseconds: Int64(number) * 1_000_000_000)
      try server.write(RenderedFrame(picture: noise, time: time, sequence: UInt64(number)))
      #expect(try good.readPart().head.contains("X-Timestamp: \(number).000000\r\n"))
    }
    // Each of the thirty stops at a frame of its own. A frame takes 60 kB or more: eight fit into the bound,
    // and beside them are the newest, the one that is filled, and idle ones.
    #expect(server.frameCount <= 8 + 2 + EncodedFramePool.idleFrames, "\(server.frameCount)")
    // What was on its way arrives, and then the connection of the first one is at its end.
    #expect(try #require(stopped.first).readToEnd().count < 4_000_000)
    withExtendedLifetime(stopped) {}
  }
}
