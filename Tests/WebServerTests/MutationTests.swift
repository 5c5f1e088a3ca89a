import Libc
import Testing

@testable import WebServer

/// Numbers that are the same in each run (SplitMix64).
private struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

@Suite("Damaged input")
struct MutationTests {
  private static let tokens = [
    "\r", "\n", "\r\n", "\r\n\r\n", " ", "\t", "\0", ":", "Host: ", "Host: localhost\r\n", "Origin: ",
    "Origin: null\r\n",
    "http://", "https://", "[", "]", "[::1]", "@", "%", "%00", "#", "?", "/", "//", "..", "HTTP/1.0",
    "HTTP/2.0",
    "\u{FF}", "Content-Length: 5\r\n", "Content-Length: 99999999999999999999\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Upgrade: websocket\r\n", "Connection: Upgrade\r\n", "Sec-Fetch-Site: cross-site\r\n",
    "Expect: 100-continue\r\n",
    "Authorization: Bearer ", "Sec-WebSocket-Key: ", "CONNECT ", "OPTIONS * ", "ffffffffffffffff\r\n",
    "0\r\n\r\n", ",", "\"",
  ].map { Array($0.utf8) }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4:
      bytes.insert(contentsOf: (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }, at: place)
    case 5: bytes.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? [])
    default: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
    }
  }

  private static func server() throws -> TestServer {
    try TestServer {
      $0.times.header = .milliseconds(500)
      $0.times.idle = .milliseconds(500)
      $0.times.closing = .milliseconds(300)
      $0.times.refusal = .milliseconds(1)
      $0.limits.connections = 256
    }
  }

  @Test("4,000 mutated requests: the server answers a sound one afterwards, and lets no other name in")
  func requests() throws {
    let server = try Self.server()
    let (host, bearer) = ("Host: localhost:\(server.port)", server.bearer)
    let upgrade = TestClient.upgrade(port: server.port).joined(separator: "\r\n")
    let seeds = [
      "GET / HTTP/1.1\r\n\(host)\r\n\r\n",
      "GET /api/v1/echo?a=%20&b HTTP/1.1\r\n\(host)\r\n\(bearer)\r\n\r\n",
      "POST /api/v1/echo HTTP/1.1\r\n\(host)\r\n\(bearer)\r\n\(server.origin)\r\nContent-Length: 5\r\n\r\nhello",
      "POST /api/v1/echo HTTP/1.1\r\n\(host)\r\n\(bearer)\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      "GET /api/v1/socket HTTP/1.1\r\n\(host)\r\n\(upgrade)\r\n\r\n",
      "GET http://localhost:\(server.port)/ HTTP/1.1\r\n\(host)\r\nSec-Fetch-Site: none\r\n\r\n",
      "HEAD / HTTP/1.0\r\n\(host)\r\nIf-None-Match: \"a\", *\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n\r\n",
    ].map { Array($0.utf8) }
    var random = SeededRandom(state: 0x5AFE_0001)
    var clients: [TestClient] = []
    for round in 0..<4000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0...(round / seeds.count % 5) { Self.mutate(&bytes, &random) }
      let client = try server.client()
      client.send(bytes)
      if round % 2 == 0 { client.finish() }
      // Some stay, some go before the response.
      clients.append(client)
      if clients.count > 50 { clients.removeFirst(Int.random(in: 1...50, using: &random)) }
      if round % 100 == 0 { #expect(try server.status("GET /") == 200, "round \(round)") }
    }
    clients = []
    #expect(try server.client().ask("GET /api/v1/echo", [bearer]).text == "GET api|v1|echo  0")
  }

  @Test("2,000 random hosts and origins: none but this server's own is answered, and none ends the server")
  func hosts() throws {
    let server = try Self.server()
    var random = SeededRandom(state: 0x5AFE_0002)
    let own = ["localhost:\(server.port)", "127.0.0.1:\(server.port)", "[::1]:\(server.port)"]
    var client = try server.client()
    for round in 0..<2000 {
      var bytes = Array(own[round % own.count].utf8)
      for _ in 0...(round % 4) { Self.mutate(&bytes, &random) }
      // The parser's own matter: how fields end is mutated above.
      bytes.removeAll { $0 == 10 || $0 == 13 || $0 == 0 }
      let text = String(decoding: bytes, as: UTF8.self)
      let trimmed = WebFields.trimmed(text).lowercased()
      let isOwn = own.contains(trimmed)
      if round % 2 == 0 {
        client.send(Array("GET / HTTP/1.1\r\nHost: ".utf8) + bytes + Array("\r\n\r\n".utf8))
      } else {
        let head =
          "POST /api/v1/echo HTTP/1.1\r\nHost: localhost:\(server.port)\r\n\(server.bearer)\r\nContent-Length: 0\r\n"
        client.send(Array((head + "Origin: http://").utf8) + bytes + Array("\r\n\r\n".utf8))
      }
      let response = try client.response()
      let allowed = round % 2 == 0 ? isOwn : trimmed == own[0]
      #expect((response.status == 200) == allowed, "\(text.debugDescription): \(response.status)")
      if response.fields["connection"] != "keep-alive" { client = try server.client() }
    }
  }

  @Test("3,000 mutated frames: each socket ends or goes on, and the server serves others")
  func frames() throws {
    let server = try Self.server()
    var random = SeededRandom(state: 0x5AFE_0003)
    let hello = TestClient.frame(1, Array("hello \(server.token.text)".utf8))
    for round in 0..<300 {
      let client = try server.client()
      try client.openSocket()
      if round % 3 > 0 { client.send(hello) }
      for _ in 0..<10 {
        var bytes =
          [
            TestClient.frame(1, Array("text".utf8)), TestClient.frame(2, [UInt8](repeating: 7, count: 300)),
            TestClient.frame(1, Array("a".utf8), isLast: false), TestClient.frame(0, Array("b".utf8)),
            TestClient.frame(9, [1, 2]), TestClient.frame(10, []), TestClient.frame(8, [3, 232]),
            (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) },
          ].randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 0..<4, using: &random) { Self.mutate(&bytes, &random) }
        client.send(bytes)
      }
      client.finish()
      if round % 2 == 0 { _ = client.readToEnd() }
      if round % 50 == 0 { #expect(try server.status("GET /") == 200, "round \(round)") }
    }
    let client = try server.socket()
    client.sendText("still")
    #expect(try client.message().text == "still")
    // Every handler has been told of its end but the last one's.
    let count = server.site.peers.withLock { $0.count }
    #expect(server.site.waits { server.site.events.withLock { $0.count } == count - 1 })
  }
}
