import LibraryTestSupport
import Safelight
import Synchronization
import Testing
import WebServer

@testable import Serving
import Libc

/// Clients that are there to harm, on real sockets. Frames are counted, not timed: the next one is made when the good
/// client has the one before.
@Suite("Floods of a stream")
struct StreamFloodTests {
  private func server(_ places: WebServerSettings.Places = .init()) throws -> MJPEGServer {
    let server = try MJPEGServer(port: 0, places: places)
    try server.open(SinkFormat(size: PixelSize(width: 320, height: 240), framesPerSecond: 30))
    return server
  }

  private func frames(_ number: Int, noise: Bool = false) throws -> RenderedFrame {
    var random = SystemRandomNumberGenerator()
    let buffer = try picture(320, 240) { _, _ in
      noise ? (0..<4).map { _ in .random(in: 0...65_535, using: &random) } : [9000, 9000, 9000, 65_535]
    }
    return RenderedFrame(
      picture: buffer, time: Timestamp(nanoseconds: Int64(number) * 1_000_000_000), sequence: UInt64(number))
  }

  private func watch(_ server: MJPEGServer, receiveBuffer: Int32? = nil) throws -> HTTPClient {
    let client = try HTTPClient(port: server.port, receiveBuffer: receiveBuffer)
    client.get("/stream.mjpg")
    #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(try client.read(count: 9) == Array("--frame\r\n".utf8))
    return client
  }

  /// Writes frames that `client` gets one by one.
  private func play(
    _ numbers: ClosedRange<Int>, of frame: RenderedFrame, to client: HTTPClient, by server: MJPEGServer
  )
    throws
  {
    for number in numbers {
      let time = Timestamp(nanoseconds: Int64(number) * 1_000_000_000)
      try server.write(RenderedFrame(picture: frame.picture, time: time, sequence: UInt64(number)))
      let head = try client.readPart().head
      #expect(head.contains("X-Timestamp: \(number).000000\r\n"), "frame \(number): \(head)")
    }
  }

  @Test("With four clients that keep sending and 200 that say nothing, a watcher gets every frame")
  func flood() throws {
    let server = try server()
    defer { server.close() }
    let silent = try (0..<200).map { _ in try HTTPClient(port: server.port) }
    let isDone = Atomic(false)
    // Two go on after a request, two in one that never ends; who is sent away comes again.
    let floods = try ["GET /stream.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /"].flatMap { start in
      try (0..<2).map { _ in
        try WorkerThread(name: "flood") { [port = server.port] in
          let garbage = start + String(repeating: "x", count: 65_536)
          while !isDone.load(ordering: .relaxed) {
            guard let client = try? HTTPClient(port: port) else { continue }
            while !isDone.load(ordering: .relaxed), client.send(garbage) {}
          }
        }
      }
    }
    defer {
      isDone.store(true, ordering: .relaxed)
      for flood in floods { flood.join() }
    }
    let good = try watch(server)
    try play(1...90, of: frames(1), to: good, by: server)
    // Newcomers are served too.
    try play(91...120, of: frames(1), to: watch(server), by: server)
    withExtendedLifetime(silent) {}
  }

  @Test("Connections that say nothing lock nobody out, and the oldest of them are closed")
  func silence() throws {
    let server = try server(WebServerSettings.Places(short: 4, long: 4))
    defer { server.close() }
    let silent = try (0..<20).map { _ in try HTTPClient(port: server.port) }
    let page = try HTTPClient(port: server.port)
    page.get("/")
    #expect(String(decoding: page.readToEnd(), as: UTF8.self).hasSuffix("</html>\n"))
    try play(1...3, of: frames(1), to: watch(server), by: server)
    for client in silent.prefix(16) { #expect(client.readToEnd().isEmpty) }
  }

  @Test("Watchers that do not read give their places to those who ask")
  func stoppedReaders() throws {
    // Whoever is in the midst of a frame may be sent away at once: nothing here hangs on time.
    let server = try server(WebServerSettings.Places(short: 4, long: 3, patience: 0))
    defer { server.close() }
    let stopped = try (0..<2).map { _ in try watch(server, receiveBuffer: 4096) }
    let good = try watch(server)
    // Noise makes large JPEGs: a few fill every buffer on the way to a client that does not read.
    let noise = try frames(1, noise: true)
    try play(1...120, of: noise, to: good, by: server)
    let (second, third) = (try watch(server), try watch(server))
    for number in 121...125 {
      try play(number...number, of: noise, to: good, by: server)
      for client in [second, third] {
        #expect(try client.readPart().head.contains("X-Timestamp: \(number)."))
      }
    }
    // What was on its way arrives, and then the connection is at its end.
    for client in stopped { #expect(client.readToEnd().count < 4_000_000) }
    let refused = try HTTPClient(port: server.port)
    refused.get("/stream.mjpg")
    let answer = String(decoding: refused.readToEnd(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.hasSuffix("All 3 places are taken.\n"))
  }

  @Test("A watcher that goes on talking is sent away, and one that says little more is not")
  func talking() throws {
    let server = try server()
    defer { server.close() }
    let (talker, quiet) = (try watch(server), try watch(server))
    quiet.send("\r\n")
    talker.send(String(repeating: "x", count: 10_000))
    #expect(talker.readToEnd().isEmpty)
    try play(1...3, of: frames(1), to: quiet, by: server)
  }

  @Test("An answer arrives whole although its request brought a body that nobody wants")
  func body() throws {
    let server = try server()
    defer { server.close() }
    let client = try HTTPClient(port: server.port)
    client.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000\r\n\r\n"
        + String(repeating: "x", count: 40_000))
    #expect(String(decoding: client.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\nUse GET.\n"))
  }
}
