import Libc
import Testing

@testable import WebServer

@Suite("Slow clients", .serialized)
struct SlowClientTests {
  @Test("A header that trickles ends with 408, and holds nobody up")
  func trickle() throws {
    let server = try TestServer { $0.times.header = .milliseconds(400) }
    let slow = try server.client()
    let time = try elapsed { () throws in
      for byte in "GET / HTTP/1.1\r\nHost: ".utf8 {
        slow.send([byte])
        usleep(10_000)
        if byte == UInt8(ascii: "/") { #expect(try server.status("GET /") == 200) }
      }
      #expect(try slow.response().status == 408)
    }
    #expect(time >= .milliseconds(350) && time < .seconds(3))
    #expect(slow.isClosed)
  }

  @Test("A connection without a request is closed without a word")
  func idle() throws {
    let server = try TestServer { $0.times.idle = .milliseconds(300) }
    #expect(try server.client().readToEnd() == [])
    let client = try server.client()
    #expect(try client.ask("GET /").status == 200)
    #expect(client.readToEnd() == [])
  }

  @Test("A body that stops or drips ends with 408; a request that the site works on has time")
  func bodies() throws {
    let server = try TestServer { $0.times.idle = .milliseconds(300) }
    let fields = [server.bearer, server.origin, "Content-Length: 1000"]
    let stopped = try server.client()
    stopped.request("POST /api/v1/echo", fields)
    stopped.send("abc")
    #expect(try stopped.response().status == 408)
    let dripping = try server.client()
    dripping.request("POST /api/v1/echo", fields)
    for _ in 0..<20 where dripping.buffer.isEmpty {
      dripping.send("x")
      usleep(150_000)
    }
    #expect(try dripping.response().status == 408)
    // 0.6 s, twice the idle time.
    #expect(try server.client().ask("GET /api/v1/slow", [server.bearer]).text == "slow")
  }

  @Test("A response that nobody reads ends its connection; one that is read slowly arrives whole")
  func responses() throws {
    let server = try TestServer { $0.times.idle = .milliseconds(400) }
    let never = try server.client(receiveBuffer: 4096)
    never.request("GET /api/v1/megabytes", [server.bearer])
    let slow = try server.client(receiveBuffer: 1 << 16)
    slow.request("GET /api/v1/megabytes", [server.bearer])
    _ = try slow.read(through: "\r\n\r\n")
    var count = 0
    while count < 16 << 20 {
      count += try slow.read(count: 1 << 20).count
      usleep(80_000)
    }
    #expect(never.readToEnd().count < 16 << 20)
  }

  @Test("A socket that never reads delays no other, and is closed with 1013 above the limit")
  func neverReading() throws {
    let server = try TestServer {
      $0.limits.waiting = 8 << 20
      $0.times.closing = .milliseconds(500)
    }
    let deaf = try server.socket(receiveBuffer: 4096)
    deaf.sendText("flood")
    #expect(server.site.waits(for: "flooded"))
    let other = try server.socket()
    let time = try elapsed { () throws in
      for number in 0..<50 {
        other.sendText("\(number)")
        #expect(try other.message().text == "\(number)")
      }
    }
    #expect(time < .seconds(1), "\(time)")
    #expect(server.site.waits(for: "closed 1"))
    let peer = try #require(server.site.peers.withLock { $0.first })
    #expect(server.site.waits { peer.bytesWaiting == 0 } && !peer.isOpen)
  }

  @Test("A socket that is too slow learns that, if it reads at last")
  func tooSlow() throws {
    let server = try TestServer {
      $0.limits.waiting = 4 << 20
      $0.times.closing = .seconds(10)
    }
    let client = try server.socket(receiveBuffer: 4096)
    client.sendText("flood")
    #expect(server.site.waits(for: "flooded"))
    var last = try client.message()
    while last.opcode == 2 {
      #expect(last.payload.count == 100_003)
      last = try client.message()
    }
    #expect(last.opcode == 8 && last.code == 1013)
  }

  @Test("The site sees how much waits for a socket, to hold frames back")
  func bytesWaiting() throws {
    let server = try TestServer()
    let client = try server.socket(receiveBuffer: 4096)
    let peer = try #require(server.site.peers.withLock { $0.first })
    #expect(server.site.waits { peer.bytesWaiting == 0 })
    client.sendText("fill")
    // 10 MB, of which the kernel takes some.
    #expect(server.site.waits { peer.bytesWaiting > 5_000_000 })
    for _ in 0..<100 { #expect(try client.message().payload.count == 100_000) }
    #expect(server.site.waits { peer.bytesWaiting == 0 })
  }

  @Test("A socket whose messages the site is slow to take is not read on, and loses none")
  func slowSite() throws {
    let server = try TestServer()
    let client = try server.socket()
    client.sendText("wait")
    // More than waits in the server; its kernel and this one's take some.
    let bytes = [UInt8](repeating: 3, count: 500_000)
    for _ in 0..<20 { client.sendFrame(2, bytes) }
    #expect(try client.message().text == "waited")
    for _ in 0..<20 { #expect(try client.message().payload.count == 500_006) }
  }

  @Test("Pings that nobody reads the answers of do not pile up")
  func pingFlood() throws {
    let server = try TestServer { $0.limits.waiting = 1 << 20 }
    let client = try server.socket(receiveBuffer: 4096)
    client.sendText("fill")
    let ping = TestClient.frame(9, [UInt8](repeating: 1, count: 125))
    for _ in 0..<20_000 where client.send(ping) {}
    #expect(try server.status("GET /") == 200)
  }

  @Test("More connections than places: the idlest goes, and busy ones stay")
  func places() throws {
    let server = try TestServer {
      $0.limits.connections = 4
      $0.threads = 8
    }
    let idle = try (0..<4).map { _ in try server.client() }
    for client in idle { #expect(try client.ask("GET /").status == 200) }
    usleep(100_000)
    #expect(try server.status("GET /") == 200)
    #expect(idle[0].isClosed)
    usleep(100_000)
    let busy = try (0..<4).map { _ in try server.client() }
    for client in busy { client.request("GET /api/v1/slow", [server.bearer]) }
    usleep(200_000)
    #expect(try server.client().readToEnd() == [])
    for client in busy { #expect(try client.response().text == "slow") }
    // The client may know of its response before the server counts it as idle.
    usleep(100_000)
    #expect(try server.status("GET /") == 200)
    #expect(server.notes.text.contains("all places are taken"))
  }

  @Test("Strangers who take all places without a token lose them to others")
  func strangers() throws {
    let server = try TestServer { $0.limits.connections = 4 }
    let own = try server.socket()
    let sockets = try (0..<2).map { _ in try server.client() }
    for client in sockets { try client.openSocket() }
    let trickling = try server.client()
    trickling.send("GET / HT")
    usleep(100_000)
    for _ in 0..<5 {
      #expect(try server.status("GET /") == 200)
      usleep(50_000)
    }
    #expect(trickling.isClosed)
    let more = try (0..<3).map { _ in
      let client = try server.client()
      client.request("GET /api/v1/slow", [server.bearer])
      usleep(50_000)
      return client
    }
    for client in more { #expect(try client.response().text == "slow") }
    for client in sockets { #expect(client.readToEnd() == []) }
    own.sendText("still")
    #expect(try own.message().text == "still")
  }
}
