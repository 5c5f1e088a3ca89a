import FoundationEssentials
import LibraryTestSupport
import Libc
import Safelight
import Testing
import WebServer

@testable import Serving

@Suite("The shutter as a page")
struct ShutterServerTests {
  private let shutter = RemoteShutter()
  private let server: ShutterServer
  private let presses = Monitor<[RemoteShutter.Press]>([])

  init() throws {
    server = try ShutterServer(port: 0, shutter: shutter, places: WebServerSettings.Places(short: 4, long: 2))
  }

  private func open() throws {
    try server.open()
    shutter.begin(readiness: { .ready }) { [presses] press in presses.update { $0.append(press) } }
  }

  private func answer(_ request: String) throws -> String {
    let client = try HTTPClient(port: server.port)
    client.send(request)
    return String(decoding: client.readToEnd(), as: UTF8.self)
  }

  private func get(_ path: String) throws -> String {
    try answer("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
  }

  private func request(_ query: String = "", _ headers: String = "X-Safelight: 1\r\n") -> String {
    "POST /photo\(query) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\(headers)\r\n"
  }

  /// Waits for the next press.
  private func nextPress() -> RemoteShutter.Press { presses.wait { $0.isEmpty ? nil : $0.removeFirst() } }

  @Test(
    "A press is passed on with its moment, and answered once its photo is written", .timeLimit(.minutes(1)))
  func press() throws {
    try open()
    defer { server.close() }
    let folder = try Scratch()
    try folder.write("a photo", to: "a.jpg")
    let before = Timestamp.now
    let client = try HTTPClient(port: server.port)
    client.send(request("?age=500"))
    let press = nextPress()
    #expect(press.number == 1)
    #expect((-0.5...30).contains(press.moment.seconds(since: before)))
    shutter.finish(
      1, [RemoteShutter.Photo(path: folder("a.jpg"), report: "{\"path\":\"a.jpg\"}", thumbnail: [1, 2])])
    let answer = String(decoding: client.readToEnd(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n") && answer.contains("Location: /photo/1\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n{\"path\":\"a.jpg\"}\n"))
    let photo = try get("/photo/1")
    #expect(photo.contains("Content-Type: image/jpeg\r\n") && photo.contains("Content-Length: 7\r\n"))
    #expect(photo.hasSuffix("\r\n\r\na photo"))
    #expect(try get("/photo/1/thumbnail").hasSuffix("\r\n\r\n\u{1}\u{2}"))
    #expect(try get("/photo/1.json").hasSuffix("{\"path\":\"a.jpg\"}\n"))
    #expect(try get("/shutter.json").hasSuffix("\"photo\":1,\"readiness\":\"ready\"}\n"))
  }

  @Test("Without waiting, the answer says where the photo will be; a failure is told in its words")
  func noWaiting() throws {
    try open()
    defer { server.close() }
    let accepted = try answer(request("?wait=0"))
    #expect(accepted.hasPrefix("HTTP/1.1 202 Accepted\r\n") && accepted.hasSuffix("{\"photo\":1}\n"))
    #expect(try get("/photo/1").hasPrefix("HTTP/1.1 202 "))
    shutter.fail(1, "The disk is full; free some space.")
    #expect(try get("/photo/1").hasSuffix("The disk is full; free some space.\n"))
    shutter.end()
    #expect(try answer(request()).hasPrefix("HTTP/1.1 503 "))
    #expect(try get("/shutter.json").contains("sessionNotRunning"))
  }

  @Test(
    "A page of another site or origin takes no photo, and neither does a form",
    arguments: [
      "", "Origin: http://evil.example\r\nX-Safelight: 1\r\n", "Origin: null\r\nX-Safelight: 1\r\n",
      "Origin: http://localhost:3000\r\nX-Safelight: 1\r\n",
      "Sec-Fetch-Site: cross-site\r\nX-Safelight: 1\r\n",
      "Content-Type: application/x-www-form-urlencoded\r\n",
    ])
  func otherPages(headers: String) throws {
    try open()
    defer { server.close() }
    #expect(try answer(request("?wait=0", headers)).hasPrefix("HTTP/1.1 403 "))
    let other = "POST /photo?wait=0 HTTP/1.1\r\nHost: evil.example\r\nX-Safelight: 1\r\n\r\n"
    #expect(try answer(other).hasPrefix("HTTP/1.1 403 "))
    let preflight = "OPTIONS /photo HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n"
    let refusal = try answer(preflight)
    #expect(refusal.hasPrefix("HTTP/1.1 405 ") && !refusal.contains("Access-Control"))
    #expect(presses.read { $0.isEmpty })
    // The page itself, also where it is forwarded to another port.
    let own = "POST /photo?wait=0 HTTP/1.1\r\nHost: localhost:9000\r\nOrigin: http://localhost:9000\r\n"
    #expect(try answer(own + "X-Safelight: 1\r\n\r\n").hasPrefix("HTTP/1.1 202 "))
  }

  @Test("Only photos of this run are served, and only the files that were written")
  func otherFiles() throws {
    try open()
    defer { server.close() }
    let folder = try Scratch()
    try folder.write("secret", to: "secret.jpg")
    for name in ["replaced.jpg", "linked.jpg", "gone.jpg"] { try folder.write("mine", to: name) }
    for (index, name) in ["replaced.jpg", "linked.jpg", "gone.jpg", "never.jpg"].enumerated() {
      _ = try answer(request("?wait=0"))
      shutter.finish(index + 1, [RemoteShutter.Photo(path: folder(name), report: "{}", thumbnail: nil)])
    }
    rename(folder("secret.jpg"), folder("replaced.jpg"))
    unlink(folder("linked.jpg"))
    symlink(folder("replaced.jpg"), folder("linked.jpg"))
    unlink(folder("gone.jpg"))
    for name in ["1", "2", "3", "4", "%31"] { #expect(try get("/photo/\(name)").hasPrefix("HTTP/1.1 410 ")) }
    for path in [
      "/photo/0", "/photo/5", "/photo/-1", "/photo/1/", "/photo/", "/photo/99999999999999999999",
      "/photo/1.jpg", "/photo/1/thumbnail", "/photo/1/2", "/secret.jpg",
    ] {
      #expect(try get(path).hasPrefix("HTTP/1.1 404 "), "\(path)")
    }
    for path in ["/photo/01/../1", "/photo/../secret.jpg", "/photo/%2e%2e/secret.jpg"] {
      #expect(try get(path).hasPrefix("HTTP/1.1 400 "), "\(path)")
    }
  }

  @Test("A large photo arrives whole, also at a client that reads slowly")
  func largeFile() throws {
    try open()
    defer { server.close() }
    let folder = try Scratch()
    let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    try folder.write(bytes, to: "a.tif")
    _ = try answer(request("?wait=0"))
    shutter.finish(1, [RemoteShutter.Photo(path: folder("a.tif"), report: "{}", thumbnail: nil)])
    let client = try HTTPClient(port: server.port, receiveBuffer: 4096)
    client.get("/photo/1")
    #expect(try client.read(through: "\r\n\r\n").contains("Content-Type: image/tiff\r\n"))
    #expect(client.readToEnd() == bytes)
    let head = try answer("HEAD /photo/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(head.contains("Content-Length: 5000000\r\n") && head.hasSuffix("\r\n\r\n"))
  }

  @Test("More waiting clients than places are told where their photo will be; too many presses are refused")
  func manyClients() throws {
    try open()
    defer { server.close() }
    let waiting = try (1...2).map { _ in try HTTPClient(port: server.port) }
    for client in waiting {
      client.send(request())
      _ = nextPress()
    }
    for number in 3...8 { #expect(try answer(request()).contains("Location: /photo/\(number)\r\n")) }
    #expect(try answer(request()).hasPrefix("HTTP/1.1 429 "))
    shutter.fail(2, "Blurred.")
    #expect(String(decoding: waiting[1].readToEnd(), as: UTF8.self).hasSuffix("Blurred.\n"))
    // Those that still wait are told when the run ends.
    shutter.end()
    server.close()
    #expect(String(decoding: waiting[0].readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 500 "))
  }

  @Test("The page needs nothing from elsewhere, and may not be framed")
  func page() throws {
    try open()
    defer { server.close() }
    let page = try get("/")
    #expect(page.contains("frame-ancestors 'none'") && page.contains("script-src 'self'"))
    #expect(page.contains("<button id=\"shutter\"") && page.contains("background: #000"))
    let script = try get("/shutter.js")
    #expect(script.contains("text/javascript") && !(page + script).contains("://"))
    for path in ["/stream.mjpg", "/snapshot.jpg", "/stats.json"] {
      #expect(try get(path).hasPrefix("HTTP/1.1 404 "))
    }
    #expect(try answer("POST / HTTP/1.0\r\n\r\n").hasPrefix("HTTP/1.1 405 "))
    #expect(try get("/photo").hasPrefix("HTTP/1.1 405 "))
  }

  @Test("A stream takes photos only if it was given a shutter")
  func stream() throws {
    for given in [nil, shutter] {
      let stream = try MJPEGServer(port: 0, shutter: given)
      try stream.open(SinkFormat(size: PixelSize(width: 16, height: 16), framesPerSecond: 30))
      defer { stream.close() }
      shutter.begin(readiness: { .ready }) { _ in }
      func answer(_ request: String) throws -> String {
        let client = try HTTPClient(port: stream.port)
        client.send(request)
        return String(decoding: client.readToEnd(), as: UTF8.self)
      }
      let page = try answer("GET / HTTP/1.0\r\n\r\n")
      #expect(page.contains("/stream.mjpg") && page.contains("id=\"shutter\"") == (given != nil))
      #expect(page.contains("script-src") == (given != nil))
      let status = given == nil ? "405" : "202"
      #expect(try answer(request("?wait=0")).hasPrefix("HTTP/1.1 \(status) "))
      #expect(stream.announcement?.hasPrefix("Stream with a shutter at ") == (given != nil))
    }
  }
}
