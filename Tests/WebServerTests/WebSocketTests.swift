import Libc
import Testing

@testable import WebServer

@Suite("WebSockets")
struct WebSocketTests {
  @Test("carry texts and bytes of all lengths, both ways, in order")
  func messages() throws {
    let server = try TestServer()
    let client = try server.socket()
    client.sendText("grüße 🌅")
    #expect(try client.message() == .init(opcode: 1, payload: Array("grüße 🌅".utf8)))
    for count in [0, 1, 125, 126, 127, 65_535, 65_536, 300_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      client.sendFrame(2, bytes)
      #expect(try client.message() == .init(opcode: 2, payload: Array("bytes:".utf8) + bytes), "\(count)")
    }
    for number in 0..<500 { client.sendText("\(number)") }
    for number in 0..<500 { #expect(try client.message().text == "\(number)") }
  }

  @Test("take a first message that comes in one piece with the request")
  func eagerClient() throws {
    let server = try TestServer()
    let client = try server.client()
    let head = ["GET /api/v1/socket HTTP/1.1", "Host: localhost:\(server.port)"]
    let lines = head + TestClient.upgrade(port: server.port)
    let hello = TestClient.frame(1, Array("hello \(server.token.text)".utf8))
    client.send(Array(lines.joined(separator: "\r\n").utf8) + Array("\r\n\r\n".utf8) + hello)
    #expect(try client.response().status == 101)
    #expect(try client.message().text == "welcome")
  }

  @Test("put fragments together, with control frames between them")
  func fragments() throws {
    let server = try TestServer()
    let client = try server.socket()
    let text = Array("a→b".utf8)
    client.sendFrame(1, [], isLast: false)
    // Letters may be cut in two.
    for byte in text.dropLast() { client.sendFrame(0, [byte], isLast: false) }
    client.sendFrame(9, [1, 2, 3])
    #expect(try client.message() == .init(opcode: 10, payload: [1, 2, 3]))
    client.sendFrame(0, [text.last ?? 0])
    #expect(try client.message().text == "a→b")
    // Frames may come in any pieces.
    for byte in TestClient.frame(1, Array("slowly".utf8)) {
      client.send([byte])
      usleep(2000)
    }
    #expect(try client.message().text == "slowly")
  }

  @Test("are closed with the code of what is wrong")
  func failures() throws {
    let server = try TestServer { $0.limits.message = 10_000 }
    let cases: [(String, [[UInt8]], UInt16)] = [
      ("no mask", [TestClient.frame(1, [65], isMasked: false)], 1002),
      ("reserved bit", [TestClient.frame(1, [65], reserved: 4)], 1002),
      ("unknown kind", [TestClient.frame(3, [65])], 1002),
      ("unknown control", [TestClient.frame(11, [])], 1002),
      ("continuation of nothing", [TestClient.frame(0, [65])], 1002),
      (
        "message within a message", [TestClient.frame(1, [65], isLast: false), TestClient.frame(1, [65])],
        1002
      ),
      ("fragmented ping", [TestClient.frame(9, [], isLast: false)], 1002),
      ("long ping", [TestClient.frame(9, [UInt8](repeating: 0, count: 126))], 1002),
      ("no UTF-8", [TestClient.frame(1, [0xFF])], 1007),
      ("cut UTF-8", [TestClient.frame(1, [0xE2, 0x86])], 1007),
      ("surrogate", [TestClient.frame(1, [0xED, 0xA0, 0x80])], 1007),
      ("long frame", [TestClient.frame(2, [UInt8](repeating: 0, count: 10_001))], 1009),
      ("endless frame", [[0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], 1009),
      (
        "long message",
        [
          TestClient.frame(2, [UInt8](repeating: 0, count: 6000), isLast: false),
          TestClient.frame(0, [UInt8](repeating: 0, count: 6000)),
        ], 1009
      ),
      ("cut close", [TestClient.frame(8, [3])], 1002),
      ("reserved code", [TestClient.frame(8, [0x03, 0xED])], 1002),
      ("code 0", [TestClient.frame(8, [0, 0])], 1002),
      ("reason that is no UTF-8", [TestClient.frame(8, [0x03, 0xE8, 0xFF])], 1007),
    ]
    for (name, frames, code) in cases {
      let client = try server.socket()
      for frame in frames { client.send(frame) }
      let answer = try client.message()
      #expect(answer.opcode == 8 && answer.code == code, "\(name): \(answer.code ?? 0)")
      client.sendFrame(8, answer.payload)
      #expect(client.isClosed, "\(name)")
    }
    #expect(try server.status("GET /") == 200)
  }

  @Test("end by a handshake that either side begins, and the site learns of it once, last")
  func closing() throws {
    let server = try TestServer()
    let first = try server.socket()
    first.sendFrame(8, [0x03, 0xE8] + Array("bye".utf8))
    let echo = try first.message()
    #expect(echo.opcode == 8 && echo.code == 1000 && first.isClosed)
    #expect(server.site.waits(for: "closed 1"))

    let second = try server.socket()
    second.sendText("close")
    let close = try second.message()
    #expect(close.code == 4001 && close.text.hasSuffix("as you wish"))
    second.sendFrame(8, [0x0F, 0xA1])
    #expect(second.isClosed && server.site.waits(for: "closed 2"))

    // One that vanishes, while its message is worked on.
    var third: TestClient? = try server.socket()
    third?.sendText("wait")
    third = nil
    #expect(server.site.waits(for: "closed 3"))
    #expect(server.site.events.withLock { $0 } == ["closed 1", "closed 2", "closed 3"])
    let peers = server.site.peers.withLock { $0 }
    #expect(Set(peers.map(\.id)).count == 3)
    for peer in peers {
      #expect(!peer.isOpen)
      peer.send(text: "to nobody")
      #expect(peer.bytesWaiting == 0)
    }
  }

  @Test("whose client does not answer a close are ended after a while")
  func stubbornClient() throws {
    let server = try TestServer { $0.times.closing = .milliseconds(200) }
    let client = try server.socket()
    client.sendText("close")
    #expect(try client.message().code == 4001)
    let time = try elapsed { _ = client.readToEnd() }
    #expect(time < .seconds(3))
  }

  @Test("are pinged, and ended after two pings without an answer")
  func pings() throws {
    let server = try TestServer { $0.times.ping = .milliseconds(100) }
    let alive = try server.socket()
    for _ in 0..<5 {
      let ping = try alive.frame()
      #expect(ping.opcode == 9)
      alive.sendFrame(10, ping.payload)
    }
    alive.sendText("still here")
    #expect(try alive.message().text == "still here")
    let silent = try server.socket()
    let time = try elapsed { _ = silent.readToEnd() }
    #expect(time >= .milliseconds(150) && time < .seconds(3), "\(time)")
    #expect(server.site.waits(for: "closed 2"))
  }

  @Test("reach the site only with the token in the first message, in time")
  func admission() throws {
    let server = try TestServer { $0.times.authentication = .milliseconds(500) }
    let wrong: [[UInt8]] = [
      TestClient.frame(1, Array("hello \(AccessToken().text)".utf8)),
      TestClient.frame(1, Array("hello ".utf8)),
      TestClient.frame(1, []), TestClient.frame(2, Array("hello \(server.token.text)".utf8)),
      TestClient.frame(1, Array(server.token.text.utf8)),
    ]
    for first in wrong {
      let client = try server.client()
      try client.openSocket()
      let time = try elapsed { () throws in
        // A right token is too late then.
        client.send(first + TestClient.frame(1, Array("hello \(server.token.text)".utf8)))
        #expect(try client.message().code == 1008)
      }
      #expect(time >= .milliseconds(200))
    }
    #expect(server.server.failedAttempts == wrong.count)
    let silent = try server.client()
    try silent.openSocket()
    silent.sendFrame(9, [1])
    #expect(try silent.message().opcode == 10)
    #expect(try silent.message().code == 1008)
    #expect(server.site.peers.withLock { $0.isEmpty })
    // One that is let in may then take its time.
    let client = try server.socket()
    usleep(700_000)
    client.sendText("still")
    #expect(try client.message().text == "still")
  }
}
