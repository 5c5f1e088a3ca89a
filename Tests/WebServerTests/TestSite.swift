import Libc
import Synchronization

@testable import WebServer

/// A site with an open page, an API and a socket that echoes.
final class TestSite: WebSite {
  let page = StaticContent(Array("<!doctype html>".utf8), type: "text/html; charset=utf-8")
  /// What has happened, in order.
  let events = Mutex<[String]>([])
  let peers = Mutex<[WebSocketPeer]>([])

  func route(of request: WebRequest) -> WebRoute? {
    switch request.path.joined(separator: "/") {
    case "": WebRoute(.get, isOpen: true)
    case "api/open": WebRoute(.get, isOpen: true)
    case "api/v1/echo": WebRoute(.get, .post, .put, .delete, bodyLimit: 100_000)
    case "api/v1/large": WebRoute(.post, bodyLimit: 32 << 20)
    case "api/v1/slow", "api/v1/thread", "api/v1/bad-field", "api/v1/bad-status", "api/v1/megabytes":
      WebRoute(.get)
    case "api/v1/socket": .socket
    default: nil
    }
  }

  func respond(to request: WebRequest) async -> WebResponse {
    switch request.path.last {
    case nil: return page.response(to: request)
    case "slow":
      // As code that renders: it blocks its thread.
      usleep(600_000)
      return .text("slow")
    case "megabytes":
      return WebResponse(type: "application/octet-stream", [UInt8](repeating: 7, count: 16 << 20))
    case "thread":
      await Task.yield()
      return .text(Self.threadName)
    case "bad-field":
      return WebResponse(
        status: 200,
        fields: [
          "X-Evil": "a\r\nSet-Cookie: b", "Access-Control-Allow-Origin": "*", "Server": "x",
          "Set-Cookie": "a=b",
          "Content-Length": "999", "Content-Security-Policy": "default-src *", "X-Good": "yes", "A B": "c",
        ], body: [])
    case "bad-status": return WebResponse(status: 42)
    default:
      let items = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      let text =
        "\(request.method.rawValue) \(request.path.joined(separator: "|")) \(items) \(request.body.count)"
      return .text(text)
    }
  }

  func token(inFirstMessage text: String) -> String? {
    text.hasPrefix("hello ") ? String(text.dropFirst("hello ".count)) : nil
  }

  func open(_ socket: WebSocketPeer) -> any WebSocketHandler {
    peers.withLock { $0.append(socket) }
    return Echo(site: self, socket: socket)
  }

  static var threadName: String {
    let file = Libc.open("/proc/thread-self/comm", O_RDONLY)
    defer { close(file) }
    var name = [UInt8](repeating: 0, count: 64)
    let count = read(file, &name, name.count)
    return String(decoding: name.prefix(max(0, count - 1)), as: UTF8.self)
  }

  /// Waits until something has happened; false if it does not within 10 s.
  func waits(for event: String) -> Bool { waits { events.withLock { $0.contains(event) } } }

  func waits(until condition: () -> Bool) -> Bool {
    for _ in 0..<5000 {
      if condition() { return true }
      usleep(2000)
    }
    return false
  }
}

/// Sends messages back, or does what they say.
private struct Echo: WebSocketHandler {
  let site: TestSite
  let socket: WebSocketPeer

  func receive(text: String) {
    switch text {
    case _ where text.hasPrefix("hello "): socket.send(text: "welcome")
    case "close": socket.close(code: 4001, reason: "as you wish")
    case "flood":
      // Until the limit is met.
      while socket.isOpen { socket.send(binary: [[1, 2, 3], [UInt8](repeating: 4, count: 100_000)]) }
      site.events.withLock { $0.append("flooded") }
    case "fill": for _ in 0..<100 { socket.send(binary: [[UInt8](repeating: 5, count: 100_000)]) }
    case "wait":
      usleep(300_000)
      socket.send(text: "waited")
    default: socket.send(text: text)
    }
  }

  func receive(binary: [UInt8]) { socket.send(binary: [Array("bytes:".utf8), binary]) }

  func closed() { site.events.withLock { $0.append("closed \(socket.id)") } }
}

/// A running server, stopped at the end of the test.
final class TestServer {
  let site = TestSite()
  let token: AccessToken
  let server: WebServer
  let port: Int
  let notes: Notes

  init(_ change: (inout WebServerSettings) -> Void = { _ in }) throws {
    let notes = Notes()
    var settings = WebServerSettings()
    settings.note = { notes.add($0) }
    // Tests of the times set shorter ones.
    change(&settings)
    (token, self.notes) = (settings.token, notes)
    server = try WebServer(settings, site: site)
    port = try server.start().port
  }

  deinit { server.stop() }

  var bearer: String { "Authorization: Bearer \(token.text)" }
  var origin: String { "Origin: http://localhost:\(port)" }

  func client(receiveBuffer: Int32? = nil) throws -> TestClient {
    try TestClient(port, receiveBuffer: receiveBuffer)
  }

  /// The status of the response to one request on a connection of its own.
  func status(_ line: String, _ fields: [String] = [], body: [UInt8]? = nil) throws -> Int {
    try client().ask(line, fields, body: body).status
  }

  /// A client whose WebSocket has been let in.
  func socket(receiveBuffer: Int32? = nil) throws -> TestClient {
    let client = try client(receiveBuffer: receiveBuffer)
    try client.openSocket()
    client.sendText("hello \(token.text)")
    let answer = try client.message()
    guard answer.text == "welcome" else { throw AdmissionFailed() }
    return client
  }

  struct AdmissionFailed: Error {}

  final class Notes: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
  }
}

func elapsed(_ work: () throws -> Void) throws -> Duration { try ContinuousClock().measure(work) }
