import LibraryTestSupport
import Safelight
import Testing
import WebServer

@testable import Serving

@Suite("Memory of a stream's frames")
struct StreamMemoryTests {
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
    #expect(server.frameCount <= 8 + 2 + WebPartPool.idleParts, "\(server.frameCount)")
    // What was on its way arrives, and then the connection of the first one is at its end.
    #expect(try #require(stopped.first).readToEnd().count < 4_000_000)
    withExtendedLifetime(stopped) {}
  }
}
