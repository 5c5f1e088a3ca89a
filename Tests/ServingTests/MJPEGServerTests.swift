import LibraryTestSupport
import Safelight
import Synchronization
import Testing

@testable import Serving
import Libc

@Suite("MJPEG over HTTP")
struct MJPEGServerTests {
  private let server: MJPEGServer

  init() throws { server = try MJPEGServer(port: 0) }

  private func open(_ width: Int = 64, _ height: Int = 48) throws {
    try server.open(SinkFormat(size: PixelSize(width: width, height: height), framesPerSecond: 30))
  }

  /// A grey picture whose brightness tells its number.
  private func frame(_ number: Int, _ width: Int = 64, _ height: Int = 48) throws -> RenderedFrame {
    let level = number % 200 * 257 + 5000
    let buffer = try picture(width, height) { _, _ in [level, level, level, 65_535] }
    return RenderedFrame(
      picture: buffer, time: Timestamp(nanoseconds: Int64(number) * 1_000_000_000 + 7000),
      sequence: UInt64(number))
  }

  /// Waits until the server knows of `count` watchers: requests arrive on a thread of its own.
  private func waitForWatchers(_ count: Int) throws {
    for _ in 0..<3000 {
      let client = try HTTPClient(port: server.port)
      client.get("/stats.json")
      if String(decoding: client.readToEnd(), as: UTF8.self).contains("\"watching\":\(count)}") { return }
      usleep(10_000)
    }
    Issue.record("there never were \(count) watchers")
  }

  private func watch(receiveBuffer: Int32? = nil) throws -> HTTPClient {
    let client = try HTTPClient(port: server.port, receiveBuffer: receiveBuffer)
    client.get("/stream.mjpg")
    let head = try client.read(through: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(head.contains("Content-Type: multipart/x-mixed-replace; boundary=frame\r\n"))
    #expect(head.contains("Cache-Control: no-store\r\n"))
    #expect(try client.read(count: 9) == Array("--frame\r\n".utf8))
    return client
  }

  private func brightness(_ jpeg: [UInt8]) throws -> Int {
    let scratch = try Scratch()
    try scratch.write(jpeg, to: "frame.jpg")
    return Int(try scratch.photo("frame.jpg").buffer.row(20, as: UInt8.self)[80])
  }

  @Test("The page shows the stream, and what is not there is said")
  func pages() throws {
    try open()
    defer { server.close() }
    func answer(_ request: String) throws -> String {
      let client = try HTTPClient(port: server.port)
      client.send(request)
      return String(decoding: client.readToEnd(), as: UTF8.self)
    }
    let page = try answer("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
    #expect(page.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"))
    #expect(page.contains("<title>Safelight</title>") && page.contains("src=\"/stream.mjpg\""))
    let parts = page.split(separator: "\r\n\r\n", maxSplits: 1)
    #expect(parts[0].contains("Content-Length: \(parts[1].utf8.count)"))
    let head = try answer("HEAD / HTTP/1.0\r\n\r\n")
    // The clock may have gone on in between.
    func undated(_ head: some StringProtocol) -> [Substring] {
      Substring(head).split(separator: "\r\n").filter { !$0.hasPrefix("Date: ") }
    }
    #expect(undated(head) == undated(parts[0]) && head.hasSuffix("\r\n\r\n"))
    #expect(try answer("GET /nothing HTTP/1.0\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
    #expect(try answer("POST / HTTP/1.0\r\n\r\n").hasPrefix("HTTP/1.1 405 "))
    #expect(try answer("nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
    #expect(
      try answer("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 9000)).hasPrefix("HTTP/1.1 431 "))
    #expect(
      try answer("GET /stats.json HTTP/1.0\r\n\r\n").hasSuffix(
        "{\"width\":64,\"height\":48,\"encoded\":0,\"watching\":0}\n"))
  }

  @Test("A client that sends its request and closes that end still gets its answer")
  func halfClosed() throws {
    try open()
    defer { server.close() }
    let client = try HTTPClient(port: server.port)
    client.get("/")
    shutdown(client.descriptor, Int32(SHUT_WR))
    #expect(String(decoding: client.readToEnd(), as: UTF8.self).hasSuffix("</html>\n"))
  }

  @Test(
    "A page of the web does not see the stream, under whatever name it leads here",
    arguments: ["evil.example", "127.evil.example", "127.0.0.1.evil.example", "localhost.evil.example"])
  func otherNames(name: String) throws {
    try open()
    defer { server.close() }
    for request in [
      "GET /stream.mjpg HTTP/1.1\r\nHost: \(name):\(server.port)\r\n\r\n",
      "GET http://\(name)/snapshot.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
    ] {
      let client = try HTTPClient(port: server.port)
      client.send(request)
      #expect(String(decoding: client.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 403 "), "\(request)")
    }
  }

  @Test("A request that does not say whom it asks is refused")
  func noName() throws {
    try open()
    defer { server.close() }
    let client = try HTTPClient(port: server.port)
    client.send("GET /snapshot.jpg HTTP/1.1\r\n\r\n")
    #expect(String(decoding: client.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
  }

  @Test("Every watcher gets whole frames, in order, each with its time")
  func streaming() throws {
    try open()
    defer { server.close() }
    let clients = [try watch(), try watch(), try watch()]
    try waitForWatchers(3)
    for number in 1...5 {
      let frame = try frame(number)
      try server.write(frame)
      for client in clients {
        let part = try client.readPart()
        #expect(part.head.contains("Content-Type: image/jpeg\r\n"))
        #expect(part.head.contains("X-Timestamp: \(number).000007\r\n"))
        let wanted = Int(frame.picture.row(20, as: UInt8.self)[80])
        #expect(abs(try brightness(part.jpeg) - wanted) <= 1)
      }
    }
  }

  @Test("Nothing is encoded while nobody watches")
  func idle() throws {
    try open()
    defer { server.close() }
    for number in 1...3 { try server.write(frame(number)) }
    let client = try HTTPClient(port: server.port)
    client.get("/stats.json")
    #expect(String(decoding: client.readToEnd(), as: UTF8.self).contains("\"encoded\":0,"))
  }

  @Test("A snapshot is the next frame, and its connection ends")
  func snapshot() throws {
    try open()
    defer { server.close() }
    let client = try HTTPClient(port: server.port)
    client.get("/snapshot.jpg")
    // Frames go on until the request has been seen.
    let done = Flag()
    let thread = try WorkerThread(name: "frames") { [server] in
      var number = 1
      while !done.isSet {
        if let frame = try? frame(number) { try? server.write(frame) }
        number += 1
        usleep(2000)
      }
    }
    let head = try client.read(through: "\r\n\r\n")
    let jpeg = client.readToEnd()
    done.set()
    thread.join()
    #expect(
      head.contains("Content-Type: image/jpeg\r\n") && head.contains("Content-Length: \(jpeg.count)\r\n"))
    #expect(try brightness(jpeg) > 0)
  }

  @Test("A client that does not read skips frames and holds up nobody; it then gets the newest")
  func slowClient() throws {
    try open(320, 240)
    defer { server.close() }
    let slow = try watch(receiveBuffer: 4096)
    let quick = try watch()
    try waitForWatchers(2)
    // Noise makes large JPEGs: a few fill every buffer on the way to a client that does not read.
    var random = SystemRandomNumberGenerator()
    let noise = try picture(320, 240) { _, _ in (0..<4).map { _ in .random(in: 0...65_535, using: &random) } }
    let count = 120
    for number in 1...count {
      try server.write(
        RenderedFrame(
          picture: noise, time: Timestamp(nanoseconds: Int64(number) * 1_000_000_000),
          sequence: UInt64(number)))
      #expect(try quick.readPart().head.contains("X-Timestamp: \(number).000000\r\n"))
    }
    var times: [Int] = []
    while times.last != count {
      let head = try slow.readPart().head
      let field = try #require(head.split(separator: "\r\n").first { $0.hasPrefix("X-Timestamp: ") })
      times.append(try #require(Int(field.dropFirst("X-Timestamp: ".count).prefix { $0 != "." })))
    }
    #expect(times == times.sorted() && Set(times).count == times.count, "\(times)")
    #expect(times.count < count / 2, "\(times)")
  }

  @Test("Clients that leave disturb nobody, and are forgotten")
  func leaving() throws {
    try open()
    defer { server.close() }
    let stays = try watch()
    do {
      let goes = try watch()
      try waitForWatchers(2)
      // Its end is a reset, the rudest way to go.
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(goes.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
    for number in 1...20 {
      try server.write(frame(number))
      _ = try stays.readPart()
    }
    try waitForWatchers(1)
  }

  @Test("close ends all connections and frees the port's clients, also where nothing was opened")
  func closing() throws {
    try open()
    let client = try watch()
    try waitForWatchers(1)
    server.close()
    #expect(client.readToEnd().isEmpty)
    server.close()
    try server.write(frame(1))
  }

  @Test("A port that is taken is named, with the remedy")
  func portTaken() {
    #expect { try MJPEGServer(port: server.port) } throws: {
      "\($0)"
        == "Port \(server.port) is taken by another program; choose another one, or stream:0 for any free port."
    }
  }

  @Test(
    "An address that is not one, or not of this machine, is refused",
    arguments: [
      (
        "camera.example",
        "“camera.example” is not an address to listen on; "
          + "write stream:0 for this machine only, or stream:0.0.0.0:0 for the network."
      ),
      (
        "192.0.2.1",
        "192.0.2.1 is not an address of this machine; "
          + "write stream:0 for this machine only, or stream:0.0.0.0:0 for the network."
      ),
    ])
  func addresses(host: String, sentence: String) {
    #expect { try MJPEGServer(host: host, port: 0) } throws: { "\($0)" == sentence }
  }

  @Test("Whether a stream is for this machine only is told by its address, however that is written")
  func loopbackNotations() throws {
    for host in ["127.1", "2130706433", "127.0.0.9"] {
      #expect(
        try MJPEGServer(host: host, port: 0).announcement?.hasSuffix("for this machine only") ?? false,
        "\(host)")
    }
  }

  @Test("The announcement leads there, and says who can connect")
  func announcement() throws {
    #expect(server.announcement == "Stream at http://127.0.0.1:\(server.port)/, for this machine only")
    #expect(server.name == "stream:0")
    let open = try MJPEGServer(host: "0.0.0.0", port: 0)
    #expect(open.announcement?.hasSuffix(":\(open.port)/, open to the network") ?? false)
    #expect(open.announcement?.contains("0.0.0.0") == false)
  }
}

/// A flag that one thread sets and another reads.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
